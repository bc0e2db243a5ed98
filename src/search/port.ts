import type { Ranking } from "../ranking.ts";
import type { Field } from "../text/analysis.ts";
import type { Candidate, IndexDocument } from "./document.ts";
import type { ParsedQuery } from "./query.ts";
import type { Scorer } from "./score.ts";
import type { HiddenHosts, SearchRequest, SearchResults } from "./search.ts";

/** What an answer is made from; see answer.ts. */
export interface CandidateSource {
  readonly backend: "embedded" | "typesense";
  /** Languages of its documents, where they are known at no cost. */
  langs?(): ReadonlySet<string>;
  /** By what may stand for its words too: completions and alternatives, once df knows them. */
  candidates(query: ParsedQuery, filter: CandidateFilter, ranking?: Ranking): Promise<CandidateSet>;
  /** Main texts of the hits shown, for their snippets. */
  texts(ids: readonly number[]): Promise<Map<number, string>>;
  /** What `enrich` told of the hits shown, of those it did. */
  summaries(ids: readonly number[]): Promise<Map<number, string>>;
  /** Words of the vocabulary with this prefix as people spell them, commonest first. */
  words(prefix: string, limit: number): Promise<WordCount[]>;
  /** Words of the vocabulary within a few edits: the likest alone, the commonest of them first. */
  similar(word: string, limit: number): Promise<WordCount[]>;
}

/** A word of the vocabulary, and how many documents have it. */
export interface WordCount {
  word: string;
  df: number;
}

/**
 * The one port to an index; every adapter passes the same conformance suite. Reading rejects with
 * IndexUnavailable when the index cannot be read.
 */
export interface SearchIndex extends CandidateSource {
  /**
   * Resolves when a search can return the document. Calls are batched inside. The answer per
   * document: refused costs the URL an attempt, unavailable is our own outage and costs nothing,
   * superseded means that a version fetched later stays.
   */
  put(document: IndexDocument, options?: PutOptions): Promise<PutResult>;
  remove(ids: readonly number[]): Promise<PutResult>;
  /**
   * What all documents of a host are ranked by, those put later too: none of them is written anew.
   * An authority of 0 without a region is as one that was never told.
   */
  rankHosts(ranks: readonly HostRank[]): Promise<PutResult>;
  /** What was told of these hosts, in no order; nothing of those of which nothing was. */
  ranks(hosts: readonly string[]): Promise<HostRank[]>;
  /**
   * Tells more of documents that are there; of all others nothing is kept. A summary is of the text
   * with its hash, and of no other: it goes with that text, and a put of the same one keeps it.
   */
  enrich(updates: readonly Enrichment[]): Promise<PutResult>;
  /**
   * The whole answer, as answer.ts makes it, for an index that makes it where its candidates are;
   * without it they are brought here.
   */
  answer?(request: SearchRequest, ranking: Ranking): Promise<Omit<SearchResults, "tookMs">>;
  /** Titles of documents that begin with this prefix (folded), for suggestions. */
  titles(prefix: string, limit: number): Promise<{ title: string; url: string }[]>;
  /**
   * Every id with what is cheap to read of its version, in ascending order after `after`: reconcile
   * reads the whole index so.
   */
  ids(after: number, limit: number): Promise<IndexEntry[]>;
  /** The versions of these ids, as far as they are there, in no order. */
  versions(ids: readonly number[]): Promise<IndexVersion[]>;
  count(): Promise<number>;
  /** Cheap probe: can it be read and written now? */
  health(): Promise<"up" | "slow" | "refused" | "down">;
  /** Waits for what was put, and keeps it; safe to call twice. */
  close(): Promise<void>;
}

export interface HostRank {
  host: string;
  /** 0..1 */
  authority: number;
  /** How far its pages are of the region, 0..1; null: none of them was scored. */
  region: number | null;
}

export interface Enrichment {
  id: number;
  contentHash: string;
  /** Null: there is none any more. */
  summary: string | null;
}

export interface PutOptions {
  /** Whatever stands there goes, though it were fetched later. */
  isTruth?: boolean;
  /** Written anew though nothing of it is other than before: by whatever made the index then. */
  rebuilds?: boolean;
}

/** The index cannot be read: infrastructure is lost, and the edge says so (503). */
export class IndexUnavailable extends Error {
  override readonly name = "IndexUnavailable";
}

export interface IndexEntry {
  id: number;
  contentHash: string | null;
  /** Epoch ms: published, else crawled. */
  date: number;
}

export interface IndexVersion {
  id: number;
  contentHash: string | null;
  /** Epoch ms. */
  crawledAt: number;
}

export type PutResult =
  | { kind: "stored" }
  | { kind: "superseded" }
  | { kind: "refused"; detail: string }
  | { kind: "unavailable"; detail: string };

export interface CandidateFilter {
  lang?: string;
  category?: string;
  /** This very host name. */
  host?: string;
  /** Epoch ms, inclusive, on the published (else crawled) date. */
  from?: number;
  to?: number;
  /**
   * Relevance: the likely best, in no promised order. Date: newest first. In both a smaller limit
   * gives the beginning of what a larger one gives: pages follow each other by it.
   */
  sort: "relevance" | "date";
  limit: number;
}

export type FacetName = "lang" | "host" | "category" | "year";

export interface CandidateSet {
  /** Some may match by a stem of another language than theirs: score() tells. */
  candidates: Candidate[];
  /** What the query's wishes left out; undefined: nothing was to be. */
  hidden?: HiddenHosts;
  /** Matches in all; when capped there are more than this. */
  total: number;
  totalCapped: boolean;
  /** Document frequency of each form of each concept and its stand-ins (by term text). */
  df: Map<string, number>;
  documents: number;
  /** Words of a field of an average document. */
  averageLengths: Record<Field, number>;
  /** What chose them, when score() did, by the ranking given; it knows their scores. */
  scorer?: Scorer;
  /** Counted over the first 1,000 matches, those that are likely the best. */
  facets: Record<FacetName, [string, number][]>;
}
