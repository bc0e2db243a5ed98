import { expect, test } from "bun:test";
import fc from "fast-check";
import { packText, unpackText } from "../../src/text/packed.ts";

test("any text comes back", () => {
  const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(text, (given) => expect(unpackText(packText(given))).toBe(given.toWellFormed())),
  );
});

test("an empty one has no bytes, a long one few", () => {
  expect(packText("").length).toBe(0);
  expect(packText("The council met. ".repeat(1_000)).length).toBeLessThan(200);
});

test("plain UTF-8, as it was stored before, is read as it is", () => {
  expect(unpackText(new TextEncoder().encode("(µ/ý école"))).toBe("(µ/ý école");
});

test("damaged bytes throw", () => {
  const packed = packText("word ".repeat(100));
  expect(() => unpackText(packed.subarray(0, packed.length - 4))).toThrow();
});
