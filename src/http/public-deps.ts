import type { CachedText } from "../../templates/cached.tsx";
import type { SubmitResult } from "../../templates/submit.tsx";
import type { Clock } from "../clock.ts";
import type { SearchRequest, SearchResults } from "../search/search.ts";
import type { Suggestions } from "../search/suggest.ts";

/** What the public pages ask of the rest of the program. */
export interface PublicDeps {
  clock: Clock;
  settings: PublicSettings;
  /** Rejects with IndexUnavailable, or as lost infrastructure does, when the index is down. */
  search(request: SearchRequest): Promise<SearchResults>;
  /** Somebody looked at its first results; `isTyped`: perhaps on the way to another query. */
  asked(query: string, results: SearchResults, isTyped: boolean): void;
  /** A rejection means none. */
  suggest(prefix: string): Promise<Suggestions>;
  /** Documents that a search can return. */
  indexed(): Promise<number>;
  cached(id: number): Promise<CachedOutcome>;
  submit(url: string): Promise<{ result: SubmitResult; reason: string | null }>;
}

export interface PublicSettings {
  publicUrl: string | null;
  submit: "review" | "open" | "off";
  userAgent: string;
  robotsToken: string;
  /** Where the operator can be reached: an address of the web or of mail. */
  contact: string | null;
  /** What the region is called; null: there is none. */
  region: string | null;
}

export type CachedOutcome =
  | { kind: "found"; document: CachedText }
  | { kind: "missing" }
  | { kind: "noarchive" };
