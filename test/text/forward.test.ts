import { expect, test } from "bun:test";
import fc from "fast-check";
import type { FieldTexts } from "../../src/text/analysis.ts";
import { analyse, digest } from "../../src/text/forward.ts";
import { FIELDS, ForwardData, pairOf } from "../../src/text/forward-data.ts";
import { hashUnits } from "../../src/text/hash.ts";

const NONE: FieldTexts = { title: "", headings: "", body: "", anchors: "", host: "", path: "" };
const hashOf = (term: string) => hashUnits(term, 0, term.length);

function read(fields: Partial<FieldTexts>, lang: string | null = "en") {
  const analysis = analyse({ ...NONE, ...fields }, lang);
  const forward = ForwardData.read(analysis.forward)!;
  const at = (term: string) => forward.find(hashOf(term));
  return {
    analysis,
    forward,
    has: (term: string) => at(term) >= 0,
    body: (term: string) => forward.bodyCount(at(term)),
    title: (term: string) => forward.shortCount(at(term), "title"),
    host: (term: string) => forward.shortCount(at(term), "host"),
    isSurface: (term: string) => forward.isSurface(at(term)),
    follows: (one: string, two: string) => forward.hasPair(pairOf(hashOf(one), hashOf(two))),
  };
}

test("counts surface forms and stems by field", () => {
  const { body, title, host, has, isSurface, analysis } = read({
    title: "Running Dogs",
    body: "Dogs run. A dog runs, dogs ran!",
    host: "www.dogs.example",
  });
  expect([body("dogs"), body("dog"), title("dogs"), title("dog")]).toEqual([2, 3, 1, 1]);
  expect([body("run"), body("runs"), body("ran")]).toEqual([2, 1, 1]);
  expect([host("dogs"), host("dog"), host("www")]).toEqual([1, 1, 1]);
  expect([isSurface("dog"), isSurface("exampl"), isSurface("example")]).toEqual([
    true,
    false,
    true,
  ]);
  expect(has("cat")).toBe(false);
  expect(analysis.words).toBe(7);
  expect(analysis.titleTerms.split(" ").sort()).toEqual(["dog", "dogs", "run", "running"]);
});

test("terms stand in the order of their hashes, each once", () => {
  const { analysis, forward } = read({ body: "b a c a b école École ecole", title: "A" }, "fr");
  const terms = analysis.terms.split(" ");
  expect(terms.map(hashOf)).toEqual(terms.map((_, at) => forward.hashAt(at)));
  expect(new Set(terms).size).toBe(terms.length);
  expect(analysis.spellings).toBe("ecole école");
});

test("knows which words follow each other, within a field only", () => {
  const { follows } = read({ title: "one two", body: "three four. Five" });
  expect(follows("one", "two")).toBe(true);
  expect(follows("two", "one")).toBe(false);
  expect(follows("four", "five")).toBe(true);
  expect(follows("two", "three")).toBe(false);
});

test("lengths are in words", () => {
  const { forward } = read({ title: "a b", headings: "c", body: "d e f", path: "/g/h-i" });
  expect(FIELDS.map((_, field) => forward.length(field))).toEqual([2, 1, 3, 0, 0, 3]);
});

test("salient is what stands in a short field or repeats", () => {
  const filler = Array.from({ length: 300 }, (_, at) => `w${at}`).join(" ");
  const { analysis } = read({
    title: "Lisbon",
    body: `trams trams trams trams twice twice ${filler}`,
    path: "/path",
  });
  const salient = analysis.salientTerms.split(" ");
  expect(salient).toContain("lisbon");
  expect(salient).toContain("trams");
  expect(salient).toContain("tram");
  expect(salient).not.toContain("twice");
  expect(salient).not.toContain("path");
});

test("a gram is found by each of its characters too", () => {
  const { has, follows } = read({ body: "東京都" }, "ja");
  expect(["東京", "京都", "東", "京", "都"].map(has)).toEqual([true, true, true, true, true]);
  expect(follows("東京", "京都")).toBe(true);
});

test("counts have an end", () => {
  const { body, title } = read({ title: "x ".repeat(50), body: "y ".repeat(60_000) });
  expect([title("x"), body("y")]).toEqual([3, 127]);
});

test("a text of a million different words is read in bounded time and space", () => {
  const body = Array.from({ length: 1_000_000 }, (_, at) => `w${at.toString(36)}`).join(" ");
  const began = performance.now();
  const { analysis, forward } = read({ body });
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(analysis.words).toBe(50_000);
  expect(forward.termCount).toBe(30_000);
  expect(analysis.forward.length).toBeLessThan(400_000);
});

test("the simhash is of the words of the body, as they are folded", () => {
  const body = Array.from({ length: 60 }, (_, at) => `École${at}`).join(", ");
  const { simhash } = digest({ ...NONE, title: "Other", body }, "fr");
  expect(simhash).toMatch(/^-?\d+$/);
  expect(digest({ ...NONE, body: body.toUpperCase() }, "en").simhash).toBe(simhash);
  expect(digest({ ...NONE, body: body.replaceAll("É", "e") }, null).simhash).toBe(simhash);
  expect(digest({ ...NONE, title: body }, "fr").simhash).toBeNull();
});

test("the same text gives the same bytes, whatever was read before", () => {
  const one = analyse({ ...NONE, body: "some words again" }, "en");
  // More words than a lexicon remembers.
  for (let text = 0; text < 80; text++) {
    const body = Array.from({ length: 1_000 }, (_, at) => `other${text}x${at}`).join(" ");
    analyse({ ...NONE, body }, "en");
  }
  expect(analyse({ ...NONE, body: "some words again" }, "en")).toEqual(one);
});

test("any text in any language is read, and every term found again", () => {
  const text = fc.string({ unit: "binary", maxLength: 300 });
  fc.assert(
    fc.property(text, text, fc.constantFrom("en", "fr", "ru", "ja", null), (title, body, lang) => {
      const { analysis, forward } = read({ title, body }, lang);
      const terms = analysis.terms === "" ? [] : analysis.terms.split(" ");
      expect(forward.termCount).toBe(terms.length);
      for (const term of terms) expect(forward.find(hashOf(term))).toBeGreaterThanOrEqual(0);
    }),
  );
});

test("damaged data is told, never read", () => {
  const { analysis } = read({ body: "one two three" });
  const bytes = analysis.forward;
  expect(ForwardData.read(new Uint8Array())).toBeNull();
  expect(ForwardData.read(bytes.subarray(0, bytes.length - 1))).toBeNull();
  expect(ForwardData.read(bytes.with(0, 99))).toBeNull();
  expect(ForwardData.read(bytes.with(5, 255))).toBeNull();
});
