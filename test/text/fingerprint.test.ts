import { expect, test } from "bun:test";
import fc from "fast-check";
import { hashesOf, simhashOf } from "../../src/text/fingerprint.ts";
import { hashText, mix } from "../../src/text/hash.ts";

const SENTENCE = "The quick brown fox jumps over the lazy dog near the old river bank. ";
const LONG = SENTENCE.repeat(4);
const contentHash = (text: string) => hashesOf(text).contentHash;

test("the hash is the first half of sha256 as a uuid", () => {
  const plain = LONG.toLowerCase().trim();
  const hex = new Bun.CryptoHasher("sha256").update(plain).digest("hex").slice(0, 32);
  expect(contentHash(LONG)?.replaceAll("-", "")).toBe(hex);
  expect(contentHash(LONG)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test.each([
  ["case", LONG.toUpperCase()],
  ["spaces", LONG.replaceAll(" ", "\n\t ")],
  ["full width", LONG.replaceAll("fox", "ｆｏｘ")],
])("%s does not count", (_why, text) => {
  expect(contentHash(text)).toBe(contentHash(LONG));
});

test("a word does", () => {
  expect(contentHash(LONG.replace("fox", "cat"))).not.toBe(contentHash(LONG));
});

test("it is of the text with single spaces, in small letters, whatever its spaces are", () => {
  const unit = fc.constantFrom(..."abÀﬁ¨½ \n\t\u00a0\u2003\u3000");
  fc.assert(
    fc.property(fc.string({ unit, minLength: 300, maxLength: 400 }), (text) => {
      const plain = text.normalize("NFKC").replace(/\s+/g, " ").toLowerCase().trim();
      const hex = new Bun.CryptoHasher("sha256").update(plain).digest("hex").slice(0, 32);
      const found = contentHash(text)?.replaceAll("-", "");
      expect(found).toBe(plain.length < 200 ? undefined : hex);
    }),
  );
});

test("short texts have no hash to be duplicates by, and one to be told from their next by", () => {
  expect(contentHash("x".repeat(199))).toBeNull();
  expect(contentHash("x".repeat(200))).not.toBeNull();
  expect(contentHash(`${" ".repeat(300)}x`)).toBeNull();
  expect(hashesOf("A  page").textHash).toBe(hashesOf("a page").textHash);
  expect(hashesOf("a page").textHash).not.toBe(hashesOf("another page").textHash);
  expect(hashesOf(LONG).textHash).toBe(contentHash(LONG)!);
});

/** A text of words of which none is like another text's order: its seed decides them all. */
const textOf = (seed: number, words: number): string =>
  Array.from({ length: words }, (_, at) => `w${mix(seed * 1_000 + at) % 5_000}`).join(" ");

function simhash(text: string): string | null {
  const words = text.split(" ");
  return simhashOf(Int32Array.from(words, hashText), words.length);
}

function distance(one: string, other: string): number {
  const bits = BigInt.asUintN(64, BigInt(one) ^ BigInt(other)).toString(2);
  return bits.replaceAll("0", "").length;
}

test("the simhash is a signed 64-bit number, null under 50 words", () => {
  expect(simhash(textOf(1, 49))).toBeNull();
  const value = BigInt(simhash(textOf(1, 50))!);
  expect(BigInt.asIntN(64, value)).toBe(value);
});

test("each bit is as most shingles have it", () => {
  const hashes = textOf(3, 80).split(" ").map(hashText);
  const votes = new Array<number>(64).fill(0);
  for (let at = 2; at < hashes.length; at++) {
    const [first, second, third] = [hashes[at - 2]!, hashes[at - 1]!, hashes[at]!];
    const seed = Math.imul(first, 31) + Math.imul(second, 17) + third;
    const bits = (BigInt(mix(seed ^ 0x9e3779b9)) << 32n) | BigInt(mix(seed));
    for (let bit = 0; bit < 64; bit++) votes[bit]! += ((bits >> BigInt(bit)) & 1n) === 1n ? 1 : -1;
  }
  const expected = votes.reduceRight((value, vote) => (value << 1n) | (vote > 0 ? 1n : 0n), 0n);
  expect(simhash(textOf(3, 80))).toBe(BigInt.asIntN(64, expected).toString());
});

test("a changed word turns few bits, another text about half", () => {
  const words = textOf(1, 600).split(" ");
  const changed = words.with(300, "changed").join(" ");
  expect(distance(simhash(words.join(" "))!, simhash(changed)!)).toBeLessThanOrEqual(3);
  for (let seed = 2; seed < 30; seed++) {
    expect(distance(simhash(textOf(1, 600))!, simhash(textOf(seed, 600))!)).toBeGreaterThan(10);
  }
});
