import type { PackedText } from "../text/packed.ts";
import type { PackedAnalysis } from "../text/packed-analysis.ts";

/** What the index stores of a page. `id` is the URL id: putting it twice changes nothing. */
export interface IndexDocument {
  id: number;
  url: string;
  host: string;
  lang: string | null;
  title: string;
  description: string;
  /** Main text, for snippets and the cached view. */
  text: PackedText;
  publishedAt: Date | null;
  crawledAt: Date;
  contentHash: string | null;
  simhash: string | null;
  linkDensity: number;
  noarchive: boolean;
  /** How far it is of the region, 0..1; null: it was not scored for one. */
  regionScore: number | null;
  /** Places of the region that it names, the most telling first. */
  locations: readonly string[];
  category: string | null;
  /** Unset: what was told of the same text stays. Null: nothing stays. */
  summary?: string | null;
  analysis: PackedAnalysis;
}

/** A document as candidates carry it: what score() and a hit read. */
export interface Candidate {
  id: number;
  url: string;
  host: string;
  lang: string | null;
  title: string;
  publishedAt: number | null;
  crawledAt: number;
  simhash: string | null;
  words: number;
  linkDensity: number;
  /** Of its host, 0..1; null: not known. */
  authority: number | null;
  /** How far the page, and its host, are of the region, 0..1; null: not known. */
  regionScore: number | null;
  regionHost: number | null;
  /** Places that it names, see places.ts; null: none, or the query asks for none. */
  locations: Uint8Array | null;
  forward: Uint8Array;
}
