/** @jsxRuntime automatic @jsxImportSource preact */
import type { Segment } from "../src/search/snippet.ts";

/** Segments as text, matches in `<mark>`: nothing of a crawled page is ever markup. */
export function Marked({ segments }: { segments: readonly Segment[] }) {
  return <>{segments.map(({ text, match }) => (match ? <mark>{text}</mark> : text))}</>;
}

/** The first characters of some segments; what is longer ends in an ellipsis. */
export function clipped(segments: readonly Segment[], max: number): Segment[] {
  const kept: Segment[] = [];
  let room = max;
  for (const segment of segments) {
    if (segment.text.length <= room) {
      kept.push(segment);
      room -= segment.text.length;
      continue;
    }
    // Half a character at the cut would be shown as a sign for "broken".
    const text = segment.text.slice(0, room).replace(/[\ud800-\udbff]$/, "");
    return [...kept, { ...segment, text: `${text}…` }];
  }
  return kept;
}

/** The same for a text. */
export const shortened = (text: string, max: number): string =>
  clipped([{ text, match: false }], max)
    .map((segment) => segment.text)
    .join("");

/**
 * A foreign text inside a sentence of ours, where no element can stand: what turns the writing
 * direction turns nothing but the text itself.
 */
export function isolated(text: string): string {
  const own = text.replace(/[\u2066-\u2069]/g, "");
  return TURNS.test(own) ? `\u2068${own}\u2069` : own;
}

/** Letters written from the right, and signs that say so. */
const TURNS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u200e\u200f\u202a-\u202e]/;

/** The words of a text that are among `words` (folded, see `wordsIn`) as matches. */
export function markWords(text: string, words: ReadonlySet<string>): Segment[] {
  const segments: Segment[] = [];
  let plainFrom = 0;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    if (!words.has(fold(word))) continue;
    if (index > plainFrom) segments.push({ text: text.slice(plainFrom, index), match: false });
    segments.push({ text: word, match: true });
    plainFrom = index + word.length;
  }
  if (plainFrom < text.length) segments.push({ text: text.slice(plainFrom), match: false });
  return segments;
}

/** The words that matched in some segments, in lower case and without accents. */
export function wordsIn(segments: readonly Segment[]): Set<string> {
  const words = new Set<string>();
  for (const { text, match } of segments) {
    if (!match) continue;
    for (const [word] of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) words.add(fold(word));
  }
  return words;
}

const fold = (word: string) => word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
