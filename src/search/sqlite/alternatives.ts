import { formsIn } from "../query-word.ts";
import type { Alternative } from "../synonyms.ts";
import { anyOf, type Langs, quote } from "./match.ts";
import { idfOf } from "./plan.ts";
import { langToken } from "./tokens.ts";

/** What finds the documents that have a word of the query merely as another of its meaning. */
export interface PlannedAlternative {
  /** Forms of the concept, as the plan has them. */
  of: readonly string[];
  expression: string;
  cost: number;
  idf: number;
}

/** Every form of all of them, for their df. */
export const wordsOf = (alternatives: readonly Alternative[]): string[] =>
  alternatives.flatMap(({ lang, words }) => words.flatMap((word) => formsIn(lang, word)));

interface Known {
  df: ReadonlyMap<string, number>;
  documents: number;
  langs: Langs;
}

/**
 * One expression for all that stand for a concept: a token that is looked up costs 2 µs a segment.
 * That the words of an expression follow each other is left to score(). Null: there are none.
 */
export function planAlternatives(
  of: readonly string[],
  alternatives: readonly Alternative[],
  { df, documents, langs }: Known,
): PlannedAlternative | null {
  const byLang = new Map<string, string[]>();
  let weight = 0;
  let cost = 0;
  for (const own of alternatives) {
    if (!langs.has(own.lang)) continue;
    const found = expressionOf(own, df);
    byLang.set(own.lang, [...(byLang.get(own.lang) ?? []), found.expression]);
    weight = Math.max(weight, own.weight);
    cost += found.cost;
  }
  if (byLang.size === 0) return null;
  // The same letters may be another word elsewhere; where there is no elsewhere, none is asked for.
  const parts = [...byLang].map(([lang, all]) => {
    const any = `(${all.join(" OR ")})`;
    return langs.size === 1 ? any : `(${any} AND ${quote(langToken(lang))})`;
  });
  const expression = `(${parts.join(" OR ")})`;
  return { of, expression, cost, idf: weight * idfOf(cost, documents) };
}

function expressionOf(
  { lang, words }: Alternative,
  df: ReadonlyMap<string, number>,
): { expression: string; cost: number } {
  const dfOf = (form: string): number => df.get(form) ?? 0;
  if (words.length > 1) {
    const surfaces = words.map(({ surface }) => surface);
    const cost = Math.min(...surfaces.map(dfOf));
    const expression = `(${surfaces.map(quote).join(" AND ")})`;
    return { expression, cost };
  }
  // df lags by seconds: the word itself is looked for in any case.
  const all = words.flatMap((word) => formsIn(lang, word));
  const forms = all.filter((form, at) => at === 0 || dfOf(form) > 0);
  return { expression: anyOf(forms), cost: forms.reduce((sum, form) => sum + dfOf(form), 0) };
}

/** Rows of `others` that are not among those known; both ascend. */
export function rowsBeside(known: Float64Array, others: Float64Array): Float64Array {
  const rows = new Float64Array(others.length);
  let count = 0;
  for (let at = 0, own = 0; at < others.length; at++) {
    while (own < known.length && known[own]! < others[at]!) own++;
    if (known[own] !== others[at]) rows[count++] = others[at]!;
  }
  return rows.subarray(0, count);
}
