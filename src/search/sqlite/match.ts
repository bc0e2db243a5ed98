import type { CandidateFilter } from "../port.ts";
import type { Concept, ParsedQuery } from "../query.ts";
import type { QueryWord } from "../query-word.ts";
import { ANY_TOKEN, categoryToken, hostToken, langToken, siteToken, titleToken } from "./tokens.ts";

/** A query as FTS5 reads it. Every token is quoted: an unquoted or empty one is a syntax error. */
export interface Match {
  /** What every match has; null when nothing is asked for so. */
  must: string | null;
  /** It asks for words, not only for filters: then the other words merely rank what has them. */
  hasWords: boolean;
  /** What no match has. */
  not: string | null;
  /** Hosts that the reader does not want to see, which `not` has too, and `not` without them. */
  hidden: { hosts: string; not: string | null } | null;
  /** Epoch ms, inclusive; null when the date does not matter. */
  dates: { from: number; to: number } | null;
}

export function matchOf(query: ParsedQuery, filter: CandidateFilter, langs: Langs): Match {
  return {
    must: mustOf(query, filter, langs),
    hasWords: query.required.phrases.length + query.required.inTitle.length > 0,
    not: notOf([...excludedIn(query), ...blockedIn(query)]),
    hidden: hiddenOf(query),
    dates: datesOf(query, filter),
  };
}

/** Languages of the documents here: stems of others need not be looked for. */
export type Langs = ReadonlySet<string>;

/** Every form of a concept, in the order surface first. */
export function formsOf(concept: Concept, langs: Langs): string[] {
  return [...new Set(concept.words.flatMap((word) => wordForms(word, langs)))];
}

export const anyOf = (tokens: readonly string[]): string => `(${tokens.map(quote).join(" OR ")})`;

/** `expression` within what the match requires; with null, the requirements alone. */
export function within(match: Pick<Match, "must" | "not">, expression: string | null): string {
  const parts = [expression, match.must].filter((part) => part !== null);
  const positive = parts.length === 0 ? quote(ANY_TOKEN) : parts.join(" AND ");
  return match.not === null ? positive : `(${positive}) NOT ${match.not}`;
}

function wordForms(word: QueryWord, langs: Langs): string[] {
  const stems = Object.entries(word.stems).filter(([lang]) => langs.has(lang));
  return [word.surface, ...stems.flatMap(([, own]) => own)];
}

export const quote = (token: string): string => `"${token.replaceAll('"', '""')}"`;

function mustOf(query: ParsedQuery, filter: CandidateFilter, langs: Langs): string | null {
  const { phrases, inTitle, sites, lang } = query.required;
  const parts = phrases.map((group) => `(${group.map(allOf).join(" OR ")})`);
  for (const word of inTitle) parts.push(anyOf(wordForms(word, langs).map(titleToken)));
  if (sites.length > 0) parts.push(anyOf(sites.map(siteToken)));
  if (lang !== null) parts.push(quote(langToken(lang)));
  if (filter.lang !== undefined) parts.push(quote(langToken(filter.lang)));
  if (filter.category !== undefined) parts.push(quote(categoryToken(filter.category)));
  if (filter.host !== undefined) parts.push(quote(hostToken(filter.host)));
  return parts.length === 0 ? null : parts.join(" AND ");
}

const allOf = (words: readonly string[]): string => `(${words.map(quote).join(" AND ")})`;

/** Longer excluded phrases are looked for in the forward data: see verify.ts. */
function excludedIn(query: ParsedQuery): string[] {
  const { phrases, inTitle, sites, langs: excluded } = query.excluded;
  return [
    ...phrases.filter((phrase) => phrase.length === 1).flat(),
    ...inTitle.map((word) => titleToken(word.surface)),
    ...sites.map(siteToken),
    ...excluded.map(langToken),
  ];
}

const blockedIn = ({ wishes }: ParsedQuery): string[] =>
  [...(wishes?.blocked ?? [])].map(hostToken);

const notOf = (tokens: readonly string[]): string | null =>
  tokens.length === 0 ? null : anyOf(tokens);

function hiddenOf(query: ParsedQuery): Match["hidden"] {
  const blocked = blockedIn(query);
  return blocked.length === 0 ? null : { hosts: anyOf(blocked), not: notOf(excludedIn(query)) };
}

function datesOf(query: ParsedQuery, filter: CandidateFilter): Match["dates"] {
  const from = Math.max(query.required.from ?? -DATE_MAX, filter.from ?? -DATE_MAX);
  const to = Math.min(query.required.to ?? DATE_MAX, filter.to ?? DATE_MAX);
  return from === -DATE_MAX && to === DATE_MAX ? null : { from, to };
}

/** The last moment that a Date can hold. */
const DATE_MAX = 8.64e15;
