import type { SearchParams } from "../../templates/search-link.ts";
import { within } from "../deadline.ts";
import { kept } from "../kept.ts";
import { IndexUnavailable } from "../search/port.ts";
import type { SearchRequest, SearchResults } from "../search/search.ts";
import { isOutage } from "./errors.tsx";
import type { PublicDeps } from "./public-deps.ts";
import { periodOf } from "./search-params.ts";

/** Longer than any search may take; an index that is slower than this is down. */
const SEARCH_TIMEOUT_MS = 5_000;
const COUNT_TIMEOUT_MS = 500;
/** The count on the front page may be this old. */
const COUNT_KEPT_MS = 10_000;

export type SearchOutcome = { kind: "results"; results: SearchResults } | { kind: "unavailable" };

/** Asks the index; an index that does not answer in time is unavailable, whatever it says later. */
export async function find(
  deps: PublicDeps,
  params: SearchParams,
  more: Pick<SearchRequest, "isAsTyped" | "pageLang" | "wishes"> = {},
): Promise<SearchOutcome> {
  try {
    const request = { ...requestOf(params), ...more };
    const results = await within(SEARCH_TIMEOUT_MS, deps.search(request));
    return { kind: "results", results };
  } catch (error) {
    if (error instanceof IndexUnavailable || isOutage(error)) return { kind: "unavailable" };
    throw error;
  }
}

function requestOf(params: SearchParams): SearchRequest {
  const { q, page, perPage, sort, lang, host, category, year, collapse, explain } = params;
  const { region } = params;
  return {
    query: q,
    page,
    perPage,
    sort,
    explain,
    ...(lang === null ? {} : { lang }),
    ...(host === null ? {} : { host }),
    ...(category === null ? {} : { category }),
    ...(region === null ? {} : { region }),
    ...(year === null ? {} : { year }),
    ...(collapse === null ? {} : { collapse }),
    ...periodOf(params),
  };
}

/** Number of documents, remembered for some seconds; null while nobody can tell. */
export function createIndexedCount({ indexed, clock }: PublicDeps): () => Promise<number | null> {
  const count = () => within(COUNT_TIMEOUT_MS, indexed()).catch(() => null);
  return kept<number | null>(count, { keepMs: COUNT_KEPT_MS, now: () => clock.now() });
}
