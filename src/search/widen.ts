import { stopwordsOf } from "../text/stopwords.ts";
import type { Concept, ParsedQuery } from "./query.ts";
import { languageOfQuery, type Reader } from "./query-language.ts";
import { formsIn, type QueryWord } from "./query-word.ts";
import { type Alternative, alternativesOf, type Sense, type Synonyms } from "./synonyms.ts";
import { typedWords } from "./typed-words.ts";

/** A longer query says what it means in many words of its own, and each would cost. */
const WIDENED_CONCEPTS_MAX = 8;
const ALTERNATIVES_MAX = 6;

/**
 * The query with what may stand for its words; the same query where nothing may. What is quoted,
 * joined by OR, of the title or of more words than `WIDENED_CONCEPTS_MAX` stays as typed; a word of
 * several languages counts as that of the query's language, if it is one of those that mean another
 * thing elsewhere only where that language is known.
 */
export function widened(
  query: ParsedQuery,
  synonyms: Synonyms,
  langs: ReadonlySet<string> | undefined,
  reader: Reader = {},
): ParsedQuery {
  const { concepts, neighbours } = query;
  if (concepts.length === 0 || concepts.length > WIDENED_CONCEPTS_MAX) return query;
  const said = expressionsOf(query, synonyms);
  const isKnown = said.length > 0 || concepts.some((own) => synonyms.of(surfaceOf(own)).length > 0);
  if (!isKnown) return query;
  const filter = query.required.lang ?? reader.filter?.toLowerCase();
  const words = new Set([...neighbours.flat(), ...concepts.map(surfaceOf)]);
  const language =
    onlyOne(said.map(({ lang }) => lang)) ??
    languageOfQuery(query.text, words, synonyms, { ...reader, filter });
  const isMeant = (sense: Sense, surface: string): boolean =>
    language === null ? !synonyms.homographs.has(surface) : sense.lang === language;
  const isThere = ({ lang }: Alternative): boolean =>
    (langs?.has(lang) ?? true) && lang === (filter ?? lang);

  const expressions = said.filter((sense) => isMeant(sense, ""));
  const asTyped = typedWords(query);
  const widenedConcepts = concepts.map((concept): Concept => {
    const surface = surfaceOf(concept);
    if (concept.words.length > 1 || asTyped.has(surface)) return concept;
    // What is said by several words means that, and not what each of them means.
    const whole = expressions.filter((sense) => says(sense, surface));
    const senses =
      whole.length > 0 ? whole : synonyms.of(surface).filter((sense) => isMeant(sense, surface));
    const found = distinct(senses.flatMap(alternativesOf)).filter(
      (own) => isThere(own) && !isFormOf(own, concept.words[0]!),
    );
    const alternatives = found.slice(0, ALTERNATIVES_MAX);
    return alternatives.length === 0 ? concept : { ...concept, alternatives };
  });
  const isSame = widenedConcepts.every((concept, at) => concept === concepts[at]);
  return isSame ? query : { ...query, concepts: widenedConcepts };
}

/** Several words that mean one thing are hardly of another language too. */
const onlyOne = (langs: readonly string[]): string | null =>
  new Set(langs).size === 1 ? langs[0]! : null;

const surfaceOf = ({ words }: Concept): string => words[0]!.surface;

/** Expressions of several words that the query says. */
function expressionsOf({ neighbours }: ParsedQuery, synonyms: Synonyms): Sense[] {
  const pairs = new Set(neighbours.map((pair) => pair.join(" ")));
  return neighbours.flatMap(([first, second]) =>
    synonyms
      .beginning(first, second)
      .filter(({ surfaces }) =>
        surfaces.every((own, at) => at === 0 || pairs.has(`${surfaces[at - 1]!} ${own}`)),
      ),
  );
}

/** The `de` of fin de semaine says nothing of it. */
const says = ({ lang, surfaces }: Sense, surface: string): boolean =>
  surfaces.includes(surface) && !stopwordsOf(lang).has(surface);

/** The word itself already finds that one: university, for universities. */
const isFormOf = ({ lang, words: [first, second] }: Alternative, word: QueryWord): boolean => {
  const forms = formsIn(lang, word);
  return second === undefined && formsIn(lang, first!).some((form) => forms.includes(form));
};

function distinct(alternatives: readonly Alternative[]): Alternative[] {
  const byKey = new Map<string, Alternative>();
  for (const own of alternatives) {
    const key = `${own.lang} ${own.words.map(({ surface }) => surface).join(" ")}`;
    if (!byKey.has(key)) byKey.set(key, own);
  }
  return [...byKey.values()].sort((one, other) => other.weight - one.weight);
}
