import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cleanLine, cleanLines, cleanText, cutAt, singleSpaced } from "../../src/parse/clean.ts";

describe("cleanText", () => {
  const cases: [string, string, string][] = [
    ["a\u0000b", "ab", "NUL, which no database takes"],
    ["a\ud800b", "a\ufffdb", "lone high surrogate"],
    ["a\udc00", "a\ufffd", "lone low surrogate"],
    ["a\u0007\u001b[31mb", "a[31mb", "bell and escape"],
    ["a\tb\nc\r\nd", "a\tb\nc\r\nd", "white space stays"],
    ["soft\u00adhyphen\u200b\ufeff", "softhyphen", "invisible characters"],
    ["user\u202etxt.exe\u2066", "usertxt.exe", "what turns the direction around"],
    ["a\u{e0041}\u{e0042}b", "ab", "tag characters, which only a model reads"],
    ["\u200cفارسی\u200d", "\u200cفارسی\u200d", "joiners mean something"],
    [`Z${"\u0301".repeat(200)}a\u0308l`, `Z${"\u0301".repeat(8)}a\u0308l`, "heaps of marks"],
    [`a${"\u0335\u200d".repeat(50)}b`, `a${"\u0335\u200d".repeat(4)}b`, "with joiners in them"],
    [`a${"\u0301\u200b\u00ad".repeat(50)}`, `a${"\u0301".repeat(8)}`, "or what goes anyway"],
    [`x${"\u{1d165}".repeat(20)}`, `x${"\u{1d165}".repeat(8)}`, "marks beyond 16 bits"],
    ["ཧྐྵྨླྺྼྻྂ", "ཧྐྵྨླྺྼྻྂ", "marks that Tibetan needs"],
    ["בְּרֵאשִׁ֖ית क्ष्म्य", "בְּרֵאשִׁ֖ית क्ष्म्य", "or other scripts"],
    ["👩‍👧 naïve 日本", "👩‍👧 naïve 日本", "the rest is untouched"],
  ];
  for (const [input, expected, why] of cases) {
    test(why, () => expect(cleanText(input, 1_000)).toBe(expected));
  }

  test("a page of marks is cleaned in linear time", () => {
    const text = `${"a".padEnd(9, "\u0301")}${"\u0301".repeat(100_000)}`.repeat(5);
    const began = performance.now();
    expect(cleanText(text, text.length)).toBe("a".padEnd(9, "\u0301").repeat(5));
    expect(performance.now() - began).toBeLessThan(500);
  });

  test("a cut is never inside a pair", () => {
    expect(cleanText("ab😀cd", 3)).toBe("ab");
    expect(cutAt("😀", 1)).toBe("");
    expect(cutAt("ab", 2)).toBe("ab");
  });
});

describe("lines", () => {
  const cases: [string, string][] = [
    ["  a \n\t b  ", "a b"],
    ["a\u00a0\u3000b", "a b"],
    ["a\u0085b", "a b"],
    ["a b c", "a b c"],
    [" \n ", ""],
  ];
  for (const [input, expected] of cases) {
    test(JSON.stringify(input), () => expect(singleSpaced(input)).toBe(expected));
  }

  test("white space of any kind is one space", () => {
    const unit = fc.constantFrom(
      ..."ab \n\t\u000b\u0085\u00a0\u1680\u2003\u200b\u2028\u3000\ufeff",
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), (text) => {
        expect(singleSpaced(text)).toBe(text.trim().replace(/[\s\u0085]+/g, " "));
      }),
    );
  });

  test("what is cut out leaves no hole", () => {
    expect(cleanLines("a \u200b b\n\u00ad\nc", 100)).toBe("a b\nc");
  });

  test("an indented title is not cut to nothing", () => {
    expect(cleanLine(`${" ".repeat(30)}Title`, 10)).toBe("Title");
  });
});
