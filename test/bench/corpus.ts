import type { IndexDocument } from "../../src/search/document.ts";
import { hashesOf } from "../../src/text/fingerprint.ts";
import { digest } from "../../src/text/forward.ts";
import { packText } from "../../src/text/packed.ts";
import { packAnalysis } from "../../src/text/packed-analysis.ts";

/** A seeded stream of numbers in [0, 1): the same run twice asks and writes the same. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const CONSONANTS = "bcdfglmnprstvz";
const VOWELS = "aeiou";

/** The word of a rank: 1 is the commonest. */
export function wordOf(rank: number): string {
  let word = "";
  for (let left = rank + 20; left > 0; left = Math.floor(left / 70)) {
    word += CONSONANTS[left % 14]! + VOWELS[Math.floor(left / 14) % 5]!;
  }
  return word;
}

/** Ranks as words of a language come: Zipf's law with Mandelbrot's offset. */
export function zipf(words: number, random: () => number): () => number {
  const sums = new Float64Array(words);
  let sum = 0;
  for (let rank = 0; rank < words; rank++) sums[rank] = sum += (rank + 2.7) ** -1.25;
  return () => {
    const wanted = random() * sum;
    let low = 0;
    let high = words - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < wanted) low = middle + 1;
      else high = middle - 1 < low ? low : middle;
    }
    return low + 1;
  };
}

/** Words of the language that the documents are written in. */
export const VOCABULARY = 200_000;

/** A word comes in few forms. */
const ENDINGS = ["", "", "", "", "", "s", "s", "ing"];
const HOSTS = 2_000;
const DAY_MS = 86_400_000;
const PLACES = ["Saguenay", "Rimouski", "Val-d'Or", "Sept-Îles", "Baie-Comeau"];
const CATEGORIES = ["news", "sport", "culture", null];
const LAST_DAY_MS = Date.UTC(2026, 0, 1);

/**
 * Makes documents of a number of words, each with a word that no other document has. What a
 * document says follows from its id alone, so that a corpus can be made in several runs.
 */
export function corpusOf(words: number, seed = 1): (id: number) => IndexDocument {
  let random = seeded(seed);
  const rank = zipf(VOCABULARY, () => random());
  const one = () => wordOf(rank()) + ENDINGS[Math.floor(random() * ENDINGS.length)]!;
  const many = (count: number) => Array.from({ length: count }, one).join(" ");
  return (id) => {
    random = seeded(Math.imul(id, 0x9e3779b1) ^ seed);
    const host = `www.h${Math.floor(random() ** 2 * HOSTS)}.example`;
    const title = many(7);
    const text = `${many(words - 1)} ${ownWordOf(id)}`;
    const path = `/${wordOf(rank())}/${id}`;
    const fields = { title, headings: many(12), body: text, anchors: "", host, path };
    const { analysis, simhash } = digest(fields, "en");
    return {
      id,
      url: `https://${host}${path}`,
      host,
      lang: "en",
      title,
      description: "",
      text: packText(text),
      publishedAt: random() < 0.5 ? new Date(LAST_DAY_MS - random() * 2_000 * DAY_MS) : null,
      crawledAt: new Date(LAST_DAY_MS),
      contentHash: hashesOf(text).contentHash,
      linkDensity: random() * 0.4,
      noarchive: false,
      regionScore: (id % 10) / 10,
      locations: [PLACES[id % PLACES.length]!, PLACES[(id >> 3) % PLACES.length]!],
      category: CATEGORIES[id % CATEGORIES.length]!,
      simhash,
      analysis: packAnalysis(analysis),
    };
  };
}

/** The word that only this document has. */
export const ownWordOf = (id: number): string => `zq${id}x${id % 97}`;
