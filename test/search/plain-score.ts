/**
 * The score once more, from the words of plain documents and by the book: nothing of src stands in
 * here, so that a change of either shows.
 */

export interface PlainDocument {
  id: number;
  title: readonly string[];
  headings: readonly string[];
  body: readonly string[];
  linkDensity: number;
  /** Days before the question; null: not dated. */
  ageDays: number | null;
  authority: number;
  regionPage: number | null;
  regionHost: number | null;
}

type Field = "title" | "headings" | "body";
const FIELDS: Readonly<Record<Field, { weight: number; countMax: number }>> = {
  title: { weight: 1.5, countMax: 3 },
  headings: { weight: 0.5, countMax: 3 },
  body: { weight: 1, countMax: 127 },
};
const NAMES = Object.keys(FIELDS) as Field[];
const [K1, B] = [1.2, 0.75];

/** BM25 of one document of a collection, whose words differ by nothing but their letters. */
export function plainText(
  all: readonly PlainDocument[],
  document: PlainDocument,
  query: readonly string[],
): number {
  let [sum, covered, asked] = [0, 0, 0];
  for (const word of new Set(query)) {
    const df = all.filter((own) => hasWord(own, word)).length;
    const idf = Math.log(1 + (all.length - df + 0.5) / (df + 0.5));
    const repeats = Math.min(3, query.filter((own) => own === word).length);
    const weight = NAMES.reduce((before, name) => before + inField(all, document, name, word), 0);
    asked += idf;
    if (weight > 0) covered += idf;
    sum += idf * repeats * weight;
  }
  const pairs = query.slice(1).map((word, at) => [query[at]!, word] as const);
  const beside = pairs.filter(([one, other]) => areSideBySide(document, one, other)).length;
  const adjacency = pairs.length === 0 ? 0 : beside / pairs.length;
  return sum * Math.sqrt(covered / asked) * (1 + 0.15 * adjacency);
}

export const hasWord = (document: PlainDocument, word: string): boolean =>
  NAMES.some((name) => document[name].includes(word));

function inField(
  all: readonly PlainDocument[],
  document: PlainDocument,
  name: Field,
  word: string,
): number {
  const { weight, countMax } = FIELDS[name];
  const count = Math.min(countMax, document[name].filter((own) => own === word).length);
  if (count === 0) return 0;
  const average = all.reduce((sum, own) => sum + own[name].length, 0) / all.length;
  const norm = K1 * (1 - B + (B * document[name].length) / average);
  return (weight * count * (K1 + 1)) / (count + norm);
}

const areSideBySide = (document: PlainDocument, one: string, other: string): boolean =>
  NAMES.some((name) =>
    document[name].some((word, at) => word === one && document[name][at + 1] === other),
  );

/** What the signals say of a plain document, asked for by somebody who chose the whole region. */
export function plainSignals(document: PlainDocument): Readonly<Record<string, number>> {
  const { linkDensity, ageDays, authority, regionPage, regionHost } = document;
  const late = ageDays === null ? null : Math.max(0, (ageDays - 3) / 30);
  return {
    quality: 1 - 0.7 * Math.max(0, linkDensity - 0.3),
    authority,
    regionPage: regionPage ?? 0,
    regionHost: regionHost ?? 0,
    freshness: late === null ? 0 : 0.5 ** (late * late),
    locality: regionPage ?? 0,
    navigational: 1,
    rules: 1,
  };
}

export interface PlainSignal {
  name: string;
  role: "factor" | "prior";
  weight: number;
}

/** text × factors × (1 + priors), each by its weight; what is not among them says nothing. */
export function plainScore(
  text: number,
  values: Readonly<Record<string, number>>,
  signals: readonly PlainSignal[],
): number {
  let [factors, priors] = [1, 1];
  for (const { name, role, weight } of signals) {
    if (role === "factor") factors *= Math.max(0.01, 1 + weight * (values[name]! - 1));
    else priors += weight * values[name]!;
  }
  return text * factors * priors;
}
