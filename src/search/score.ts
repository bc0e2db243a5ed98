import type { Ranking, SignalName } from "../ranking.ts";
import type { Field } from "../text/analysis.ts";
import { FIELDS, ForwardData, pairOf } from "../text/forward-data.ts";
import { hashText } from "../text/hash.ts";
import type { Candidate } from "./document.ts";
import type { Concept, ParsedQuery } from "./query.ts";
import { formsIn, type QueryWord } from "./query-word.ts";
import { type Breakdown, SIGNALS, type Signal } from "./signals.ts";
import { bestStandIn, type MetAs, type StandIn, standInsOf } from "./stand-ins.ts";

/** What the collection knows: documents with a term, documents in all, average words of a field. */
export interface Corpus {
  df: ReadonlyMap<string, number>;
  documents: number;
  averageLengths: Readonly<Record<Field, number>>;
}

export interface Scored {
  candidate: Candidate;
  score: number;
  breakdown: Breakdown;
}

export interface Scorer {
  /** Null when the document has the words only as another language would stem them. */
  score(candidate: Candidate): Scored | null;
  /** Signals that failed and were left out: of what is scored from then on, see degrade.ts. */
  readonly degraded: ReadonlySet<SignalName>;
}

const K1 = 1.2;
const B = 0.75;
export const FIELD_WEIGHTS: Readonly<Record<Field, number>> = {
  title: 1.5,
  headings: 0.5,
  body: 1,
  anchors: 1,
  host: 0.5,
  path: 0.3,
};
/** All words of the query side by side add this part to the text score. */
const ADJACENCY_BONUS = 0.15;

/** However much a factor weighs: what matches still has a score, and an order among its like. */
const FACTOR_MIN = 0.01;

/**
 * The one score, for every adapter: text × factors × (1 + sum of weighted priors). Text is BM25 by
 * field, summed over concepts, × the root of the part of the query's IDF that the document covers
 * (as it is, a long question would ask for too much) × adjacency.
 */
export function createScorer(
  query: ParsedQuery,
  corpus: Corpus,
  ranking: Ranking = {},
  table: readonly Signal[] = SIGNALS,
): Scorer {
  const prepared = prepare(query, corpus);
  const degraded = new Set<SignalName>();
  const signals = table.filter(({ name }) => ranking[name]?.enabled !== false);
  const hasText = ranking.text?.enabled !== false && prepared.concepts.length > 0;
  const score = (candidate: Candidate): Scored | null => {
    const text = textScore(prepared, candidate);
    if (text.score === 0) return null;
    const values = neutralValues(text);
    values.text = hasText ? text.score : 1;
    let factors = 1;
    let priors = 0;
    for (const signal of signals) {
      const value = signalValue(signal, query, candidate, degraded);
      const weight = ranking[signal.name]?.weight ?? signal.weight;
      values[signal.name] = value;
      if (signal.role === "factor") factors *= Math.max(FACTOR_MIN, 1 + weight * (value - 1));
      else priors += weight * value;
    }
    return { candidate, score: values.text * factors * (1 + priors), breakdown: values };
  };
  return { score, degraded };
}

/** `completion` and `synonym` stand among them only where a word was met so. */
function neutralValues({ metAs }: TextScore): Record<SignalName, number> {
  const values = { text: 1, ...metAs } as Record<SignalName, number>;
  for (const signal of SIGNALS) values[signal.name] = signal.neutral;
  return values;
}

function signalValue(
  signal: Signal,
  query: ParsedQuery,
  candidate: Candidate,
  degraded: Set<SignalName>,
): number {
  if (degraded.has(signal.name)) return signal.neutral;
  try {
    const value = signal.value(query, candidate);
    if (value === null || Number.isNaN(value)) return signal.neutral;
    return Math.min(Math.max(value, signal.min), signal.max);
  } catch {
    degraded.add(signal.name);
    return signal.neutral;
  }
}

interface Prepared {
  concepts: readonly Concept[];
  inTitle: readonly QueryWord[];
  idf: readonly number[];
  idfSum: number;
  pairs: readonly number[];
  averages: readonly number[];
  /** By field, of the document that is scored. */
  norms: Float64Array;
  /** Of each concept what may stand for its word. */
  standIns: readonly (readonly StandIn[])[];
  /** Hashes of each concept's forms in a document of that language. */
  hashes: Map<string | null, number[][]>;
}

function prepare(query: ParsedQuery, corpus: Corpus): Prepared {
  const idf = query.concepts.map((concept) => idfOf(dfOf(concept, corpus), corpus.documents));
  const idfOfForm = (form: string) => idfOf(corpus.df.get(form) ?? 0, corpus.documents);
  return {
    concepts: query.concepts,
    inTitle: query.required.inTitle,
    idf,
    idfSum: idf.reduce((sum, value) => sum + value, 0),
    pairs: query.neighbours.map(([first, second]) => pairOf(hashText(first), hashText(second))),
    averages: FIELDS.map((field) => corpus.averageLengths[field]),
    norms: new Float64Array(FIELDS.length),
    standIns: query.concepts.map((concept, at) => standInsOf(concept, idf[at]!, idfOfForm)),
    hashes: new Map(),
  };
}

/** A concept is as common as its commonest form: stems count the words that they stand for. */
function dfOf(concept: Concept, corpus: Corpus): number {
  const forms = concept.words.flatMap((word) => formsIn(null, word));
  forms.push(...(concept.completions ?? []));
  return Math.max(...forms.map((form) => corpus.df.get(form) ?? 0));
}

function idfOf(df: number, documents: number): number {
  const known = Math.min(df, documents);
  return Math.log(1 + (documents - known + 0.5) / (known + 0.5));
}

function hashesFor(prepared: Prepared, lang: string | null): number[][] {
  const known = prepared.hashes.get(lang);
  if (known !== undefined) return known;
  const hashes = prepared.concepts.map((concept) =>
    concept.words.flatMap((word) => formsIn(lang, word)).map(hashText),
  );
  prepared.hashes.set(lang, hashes);
  return hashes;
}

interface TextScore {
  score: number;
  metAs: MetAs;
}

/** Without concepts (filters alone) every document is as good: 1. */
function textScore(prepared: Prepared, candidate: Candidate): TextScore {
  if (prepared.concepts.length === 0) return { score: 1, metAs: NO_MATCH.metAs };
  const forward = ForwardData.read(candidate.forward);
  if (forward === null || !hasTitle(prepared, forward, candidate.lang)) return NO_MATCH;
  const { norms, averages } = prepared;
  for (let at = 0; at < norms.length; at++) norms[at] = normOf(forward.length(at), averages[at]!);
  let sum = 0;
  let covered = 0;
  let { metAs } = NO_MATCH;
  const hashes = hashesFor(prepared, candidate.lang);
  const sumOf = (forms: readonly number[]) => fieldSum(forward, forms, norms);
  for (let at = 0; at < hashes.length; at++) {
    let idf = prepared.idf[at]!;
    let gain = idf * fieldSum(forward, hashes[at]!, norms);
    const standIns = prepared.standIns[at]!;
    const other =
      standIns.length === 0 ? null : bestStandIn(standIns, { candidate, forward, gain, sumOf });
    if (other !== null) {
      if (gain === 0) {
        idf = other.idf;
        metAs = { ...metAs, [other.kind]: Math.min(metAs[other.kind] ?? 1, other.weight) };
      }
      gain = other.gain;
    }
    if (gain === 0) continue;
    sum += gain * prepared.concepts[at]!.repeats;
    covered += idf;
  }
  if (sum === 0) return NO_MATCH;
  const coverage = prepared.idfSum === 0 ? 1 : Math.sqrt(covered / prepared.idfSum);
  const adjacent = 1 + ADJACENCY_BONUS * adjacency(prepared.pairs, forward);
  return { score: sum * coverage * adjacent, metAs };
}

const NO_MATCH: TextScore = { score: 0, metAs: {} };

function hasTitle({ inTitle }: Prepared, forward: ForwardData, lang: string | null): boolean {
  return inTitle.every((word) =>
    formsIn(lang, word).some((form) => {
      const place = forward.find(hashText(form));
      return place >= 0 && forward.shortCount(place, "title") > 0;
    }),
  );
}

/** BM25's length normalisation of one field. */
export const normOf = (length: number, average: number): number =>
  average > 0 ? K1 * (1 - B + (B * length) / average) : K1;

/** What a word that a field has `count` times adds to the text score, before its IDF. */
export const fieldWeight = (weight: number, count: number, norm: number): number =>
  (weight * (count * (K1 + 1))) / (count + norm);

/** Of several forms the one counts that a field has most often. Called a thousand times a query. */
function fieldSum(forward: ForwardData, hashes: readonly number[], norms: Float64Array): number {
  COUNTS.fill(0);
  let isThere = false;
  for (let at = 0; at < hashes.length; at++) {
    const place = forward.find(hashes[at]!);
    if (place < 0) continue;
    isThere = true;
    for (let field = 0; field < FIELDS.length; field++) {
      const count = forward.count(place, field);
      if (count > COUNTS[field]!) COUNTS[field] = count;
    }
  }
  if (!isThere) return 0;
  let sum = 0;
  for (let field = 0; field < FIELDS.length; field++) {
    const count = COUNTS[field]!;
    if (count > 0) sum += fieldWeight(WEIGHTS[field]!, count, norms[field]!);
  }
  return sum;
}

/** By field, of the word that is scored. */
const COUNTS = new Uint8Array(FIELDS.length);
const WEIGHTS = FIELDS.map((field) => FIELD_WEIGHTS[field]);

function adjacency(pairs: readonly number[], forward: ForwardData): number {
  if (pairs.length === 0) return 0;
  return pairs.filter((pair) => forward.hasPair(pair)).length / pairs.length;
}
