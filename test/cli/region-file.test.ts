import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readRegion } from "../../src/cli/region-file.ts";
import { readConfig } from "../../src/config.ts";

const folder = mkdtempSync(join(tmpdir(), "trawl-region-"));
const seeds = pathToFileURL(`${folder}/`);
mkdirSync(join(folder, "regions"));
afterAll(() => rmSync(folder, { recursive: true }));

const signal = { kind: "place", weight: 1, values: ["Here"] };
const profile = { name: "x", title: "X", sources: ["own"], signals: [signal] };

function problemsOf(content: unknown): string[] {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  writeFileSync(join(folder, "regions", "x.json"), text);
  const read = readRegion("x", seeds);
  return read.kind === "problems" ? read.problems : [];
}

test.each(["quebec", "bretagne", "galicia"])("the profile %s can be read", (name) => {
  expect(readRegion(name)).toMatchObject({ kind: "region", region: { profile: { name } } });
});

test.each<[string, unknown, RegExp]>([
  ["no JSON", '{\n  "name": "x",\n  "title": "X",,\n}', /x\.json: line 3: /],
  ["cut short", '{\n  "name": "x",\n', /x\.json: line 3: /],
  ["a field is missing", { ...profile, title: undefined }, /x\.json: title: /],
  ["a field too many", { ...profile, colour: 1 }, /x\.json: colour: /],
  [
    "a kind that is none",
    { ...profile, signals: [{ ...signal, kind: "taste" }] },
    /signals\[0\]\.kind: is none of suffix, postal, /,
  ],
  [
    "a weight that is none",
    { ...profile, signals: [{ ...signal, weight: 99 }] },
    /signals\[0\]\.weight: /,
  ],
  [
    "a value that is none",
    { ...profile, signals: [{ ...signal, values: ["a", 1] }] },
    /signals\[0\]\.values\[1\]: /,
  ],
  [
    "a pattern that is none",
    { ...profile, signals: [{ kind: "postal", weight: 1, values: ["(a+)+"] }] },
    /signals\[0\]\.values\[0\]: "\(a\+\)\+" is no pattern/,
  ],
  [
    "a range that runs backwards",
    { ...profile, signals: [{ kind: "phone", weight: 1, values: ["4[9-2]#######"] }] },
    /values\[0\]: .* runs backwards: 2-9, not 9-2/,
  ],
  [
    "a pattern that takes for ever",
    { ...profile, signals: [{ kind: "postal", weight: 1, values: ["#?".repeat(50)] }] },
    /values\[0\]: .* more than 6 times \?: write it as several/,
  ],
  [
    "a suffix that is none",
    { ...profile, signals: [{ kind: "suffix", weight: 1, values: [".qc.ca"] }] },
    /values\[0\]: "\.qc\.ca" is no end/,
  ],
  [
    "twice the same",
    { ...profile, signals: [{ ...signal, values: ["A", "A"] }] },
    /values\[1\]: "A" stands there twice/,
  ],
  [
    "a place that decides",
    { ...profile, signals: [{ ...signal, decides: true }] },
    /signals\[0\]\.decides: /,
  ],
  ["another name", { ...profile, name: "y" }, /name: is not that of the file/],
])("%s is told, with its line or field", (_, content, told) => {
  expect(problemsOf(content).join("\n")).toMatch(told);
});

test("a profile that is fine is read", () => {
  expect(problemsOf(profile)).toEqual([]);
  expect(problemsOf(`\ufeff${JSON.stringify(profile)}`)).toEqual([]);
});

test("a name that has no file is told with those that have one", () => {
  const read = readConfig({ REGION: "atlantis" }, readRegion);
  expect(read).toMatchObject({
    kind: "problems",
    problems: [expect.stringMatching(/^REGION: .*there are .*quebec/)],
  });
});

test("the scope region needs a region", () => {
  expect(readConfig({ CRAWL_SCOPE: "region" }, readRegion)).toMatchObject({
    kind: "problems",
    problems: [expect.stringMatching(/^CRAWL_SCOPE: region needs REGION/)],
  });
  const read = readConfig({ CRAWL_SCOPE: "region", REGION: "quebec" }, readRegion);
  expect(read.kind).toBe("config");
});
