import { expect, test } from "bun:test";
import { printable } from "../../src/cli/printable.ts";

test.each([
  ["plain text, é, 漢字, 🙂", "plain text, é, 漢字, 🙂", "all that is harmless stays"],
  ["a\tb\nc", "a\tb\nc", "tab and newline are layout"],
  ["\u001b[2J\u001b]0;title\u0007", "\\u001b[2J\\u001b]0;title\\u0007", "escape sequences"],
  ["\u009b31m", "\\u009b31m", "CSI in one character"],
  ["over\rwritten", "over\\u000dwritten", "the line begins again"],
  ["a\u0000b\u007f", "a\\u0000b\\u007f", "NUL and DEL"],
  ["evil\u202egnp.exe", "evil\\u202egnp.exe", "the direction turns"],
  [
    "\u2066x\u2069 \u200e\u200f\u061c",
    "\\u2066x\\u2069 \\u200e\\u200f\\u061c",
    "isolates and marks",
  ],
])("%j is shown as %j: %s", (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("in JSON the escapes are those of JSON: the value is the same", () => {
  const value = { text: "\u001b[2J\u009b\u202e\u007f\n", list: ["\u0000"] };
  const shown = printable(JSON.stringify(value));
  expect(JSON.parse(shown)).toEqual(value);
  expect(shown).toMatch(/^[\x20-\x7e]*$/);
});
