import { fold, spell } from "../text/fold.ts";
import { stems } from "../text/stem.ts";
import { Words } from "../text/tokenise.ts";

/** A word as typed, folded, and what it becomes in each language where a stemmer changes it. */
export interface QueryWord {
  surface: string;
  stems: Readonly<Record<string, readonly string[]>>;
}

/** The words of a piece of a query, at most `max`, stemmed in these languages. */
export function queryWords(text: string, max: number, langs: readonly string[]): QueryWord[] {
  const words: QueryWord[] = [];
  const cursor = new Words(text);
  while (words.length < max && cursor.next()) {
    const spelling = spell(text.slice(cursor.start, cursor.end));
    const surface = fold(spelling);
    if (surface !== "")
      words.push({ surface, stems: cursor.isGram ? {} : stemsOf(spelling, langs) });
  }
  return words;
}

/**
 * The forms under which a document of a language has a word; of an unknown language any will do.
 */
export function formsIn(lang: string | null, word: QueryWord): string[] {
  const own = lang === null ? Object.values(word.stems).flat() : (word.stems[lang] ?? []);
  return [...new Set([word.surface, ...own])];
}

/** Words met in queries lately: stemming costs 10 µs a word and language. */
const KEPT_MAX = 5_000;
const kept = new Map<string, Map<string, readonly string[]>>();

function stemsOf(spelling: string, langs: readonly string[]): QueryWord["stems"] {
  const known = kept.get(spelling) ?? new Map<string, readonly string[]>();
  const found: Record<string, readonly string[]> = {};
  for (const lang of langs) {
    const own = known.get(lang) ?? stems(spelling, lang);
    known.set(lang, own);
    if (own.length > 0) found[lang] = own;
  }
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(spelling, known);
  return found;
}
