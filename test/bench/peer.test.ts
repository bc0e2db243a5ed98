import { describe, expect, test } from "bun:test";
import { figuresIn } from "./peer.ts";

const LINE = {
  peer: "crawlee cheerio",
  pages: 5000,
  seconds: 18.5,
  pages_per_second: 270.1,
  cpu_seconds: 20.1,
  pages_per_cpu_second: 248.4,
  peak_mb: 1200,
};

describe("figures of a peer", () => {
  test("are its last line, whatever libraries print before", () => {
    const output = `INFO start\n{"peer":"other"}\n${JSON.stringify(LINE)}\n\n`;
    expect(figuresIn(output)).toEqual(LINE);
  });

  const wrong: [string, string][] = [
    ["nothing", ""],
    ["words", "done in 12 s"],
    ["null", "null"],
    ["JSON of something else", '{"pages":5}'],
    ["a missing figure", JSON.stringify({ ...LINE, pages: undefined })],
    ["a rate over no time at all", JSON.stringify({ ...LINE, pages_per_second: Infinity })],
    ["a figure in words", JSON.stringify({ ...LINE, seconds: "18.5" })],
    ["words after it", `${JSON.stringify(LINE)}\nTraceback`],
  ];
  test.each(wrong)("are not taken from %s", (_, output) => {
    expect(figuresIn(output)).toBeNull();
  });
});
