import { lexiconOf } from "../text/lexicon.ts";
import { Words, wholeCharacter } from "../text/tokenise.ts";
import type { ParsedQuery } from "./query.ts";
import { formsIn } from "./query-word.ts";

/** A piece of text as it stands in the page, and whether it answers the query. Never markup. */
export interface Segment {
  text: string;
  match: boolean;
}

/** Tells which concept of the query a word answers, -1 for none; see matcherOf. */
export interface Matcher {
  lang: string | null;
  /** Concepts by their forms. */
  concepts: ReadonlyMap<string, number>;
  /** Words that answer it only side by side, by their surfaces. */
  expressions: readonly { surfaces: readonly string[]; concept: number }[];
  /** How the forms begin: most words are told apart by that alone. */
  beginnings: ReadonlySet<number>;
}

const SNIPPET_CHARACTERS = 240;
/** Characters read of a text; matches further down are found, but not shown. */
const SCANNED_CHARACTERS = 120_000;
/** Context kept before the first match of a window. */
const LEAD_CHARACTERS = 60;
const TITLE_CHARACTERS = 300;
/** A concept met again counts, but less than another one. */
const REPEAT_WEIGHT = 0.1;

/** The words of a query as a document of that language has them. */
export function matcherOf(query: ParsedQuery, lang: string | null): Matcher {
  const concepts = new Map<string, number>();
  const expressions: { surfaces: readonly string[]; concept: number }[] = [];
  const add = (forms: readonly string[], concept: number): void => {
    for (const form of forms) if (!concepts.has(form)) concepts.set(form, concept);
  };
  query.concepts.forEach(({ words, completions = [] }, at) => {
    for (const word of words) add(formsIn(lang, word), at);
    add(completions, at);
  });
  // A word of the query is marked as that, though it also stands for another.
  query.concepts.forEach(({ alternatives = [] }, at) => {
    for (const { words } of alternatives.filter((own) => own.lang === lang)) {
      if (words.length === 1) add(formsIn(lang, words[0]!), at);
      else expressions.push({ surfaces: words.map(({ surface }) => surface), concept: at });
    }
  });
  const forms = [...concepts.keys(), ...expressions.flatMap(({ surfaces }) => surfaces)];
  const beginnings = new Set(forms.map((form) => beginningOf(form, 0)));
  return { lang, concepts, expressions, beginnings };
}

/** A title with its matches. */
export const markTitle = (title: string, matcher: Matcher): Segment[] => {
  const text = cut(title, TITLE_CHARACTERS);
  return segments(text, matchesOf(text, matcher), 0, text.length);
};

/**
 * The part of a text where most of the query stands closest together; its beginning when none does.
 */
export function snippetOf(text: string, matcher: Matcher): Segment[] {
  const scanned = cut(text, SCANNED_CHARACTERS);
  const matches = matchesOf(scanned, matcher);
  const start = windowStart(scanned, densest(matches));
  const end = windowEnd(scanned, start);
  const found = segments(scanned, matches, start, end);
  if (start > 0) found.unshift({ text: "… ", match: false });
  if (end < text.length) found.push({ text: " …", match: false });
  return joined(found);
}

interface Match {
  start: number;
  end: number;
  concept: number;
}

function matchesOf(text: string, matcher: Matcher): Match[] {
  if (matcher.concepts.size === 0) return [];
  const lexicon = lexiconOf(matcher.lang);
  const words = new Words(text);
  const matches: Match[] = [];
  const expressions = matcher.expressions.map((own) => new Expression(own));
  while (words.next()) {
    const { start, end } = words;
    const isOther = cannotMatch(text, start, end, matcher.beginnings);
    const forms = isOther ? [] : lexicon.forms(lexicon.word(words));
    const form = forms.find((text) => matcher.concepts.has(text));
    if (form !== undefined) matches.push({ start, end, concept: matcher.concepts.get(form)! });
    for (const expression of expressions) {
      const match = expression.next(forms[0], start, end);
      if (match !== null) matches.push(match);
    }
  }
  return expressions.length === 0 ? matches : matches.sort((one, other) => one.start - other.start);
}

/** Follows the words of a text for some that must stand side by side. */
class Expression {
  readonly #surfaces: readonly string[];
  readonly #concept: number;
  /** Of those met so far where they begin, and how many they are. */
  #start = 0;
  #met = 0;

  constructor({ surfaces, concept }: Matcher["expressions"][number]) {
    this.#surfaces = surfaces;
    this.#concept = concept;
  }

  next(surface: string | undefined, start: number, end: number): Match | null {
    if (surface !== this.#surfaces[this.#met]) this.#met = 0;
    if (surface !== this.#surfaces[this.#met]) return null;
    if (this.#met++ === 0) this.#start = start;
    if (this.#met < this.#surfaces.length) return null;
    this.#met = 0;
    return { start: this.#start, end, concept: this.#concept };
  }
}

/**
 * True for a plain word that begins otherwise; folding and stemming each word would cost 10 ms a
 * page. Stemmers hardly ever touch the first two letters; English does: dying, die.
 */
function cannotMatch(
  text: string,
  start: number,
  end: number,
  beginnings: ReadonlySet<number>,
): boolean {
  if (end - start < 2 || (text.charCodeAt(start + 1) | 32) === Y) return false;
  if (beginnings.has(beginningOf(text, start))) return false;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    // Behind an apostrophe the word may begin: l'eau.
    if (unit === 39 || unit > 127) return false;
  }
  return true;
}

const Y = 121;

/** Its first two units, letters of ASCII as small ones. */
const beginningOf = (text: string, at: number): number =>
  ((text.charCodeAt(at) | 32) << 16) | (text.charCodeAt(at + 1) | 32);

/** First match of the best window; null without matches. */
function densest(matches: readonly Match[]): Match | null {
  const counts = new Map<number, number>();
  let best: Match | null = null;
  let bestWorth = 0;
  let repeats = 0;
  for (let first = 0, next = 0; first < matches.length; first++) {
    const limit = matches[first]!.start + SNIPPET_CHARACTERS - LEAD_CHARACTERS;
    for (
      ;
      next < matches.length && matches[next]!.end <= Math.max(limit, matches[first]!.end);
      next++
    ) {
      const count = counts.get(matches[next]!.concept) ?? 0;
      counts.set(matches[next]!.concept, count + 1);
      repeats += count > 0 ? 1 : 0;
    }
    const worth = counts.size + repeats * REPEAT_WEIGHT;
    if (worth > bestWorth) {
      bestWorth = worth;
      best = matches[first]!;
    }
    const left = counts.get(matches[first]!.concept)! - 1;
    if (left === 0) counts.delete(matches[first]!.concept);
    else {
      counts.set(matches[first]!.concept, left);
      repeats--;
    }
  }
  return best;
}

/** Begins at a sentence or a word, with a little of what comes before the match. */
function windowStart(text: string, match: Match | null): number {
  if (match === null) return 0;
  // A text that ends soon leaves room for more of what comes before.
  const latest = Math.max(0, text.length - SNIPPET_CHARACTERS);
  const from = Math.max(0, Math.min(match.start - LEAD_CHARACTERS, latest));
  if (from === 0) return 0;
  const lead = text.slice(from, match.start);
  const sentence = [...lead.matchAll(/[.!?…。！？\n]\s*(?=\S)/gu)].at(-1);
  if (sentence !== undefined) return from + sentence.index + sentence[0].length;
  const space = lead.search(/\s/);
  return space < 0 ? wholeCharacter(text, from) : from + space + 1;
}

function windowEnd(text: string, start: number): number {
  const end = start + SNIPPET_CHARACTERS;
  if (end >= text.length) return text.length;
  const space = text.lastIndexOf(" ", end);
  return space > start + SNIPPET_CHARACTERS / 2 ? space : wholeCharacter(text, end);
}

const cut = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(0, wholeCharacter(text, max));

function segments(text: string, matches: readonly Match[], start: number, end: number): Segment[] {
  const found: Segment[] = [];
  let at = start;
  for (const match of matches) {
    // Grams overlap: what was marked already is not marked twice.
    const from = Math.max(match.start, at);
    if (match.end <= from || match.start < start || match.end > end) continue;
    if (from > at) found.push({ text: text.slice(at, from), match: false });
    found.push({ text: text.slice(from, match.end), match: true });
    at = match.end;
  }
  if (at < end) found.push({ text: text.slice(at, end), match: false });
  return joined(found);
}

/** Neighbours of one kind become one; line breaks become spaces. */
function joined(found: readonly Segment[]): Segment[] {
  const result: Segment[] = [];
  for (const segment of found) {
    const text = segment.text.replace(/\s+/g, " ");
    const last = result.at(-1);
    if (last?.match === segment.match) last.text += text;
    else result.push({ text, match: segment.match });
  }
  return result;
}
