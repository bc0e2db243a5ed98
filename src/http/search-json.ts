import type { Hit, SearchResults } from "../search/search.ts";
import type { Breakdown } from "../search/signals.ts";

/** Results as `GET /api/search` answers them. */
export function searchJson(results: SearchResults): Record<string, unknown> {
  return {
    query: results.query,
    total: results.total,
    total_capped: results.totalCapped,
    page: results.page,
    per_page: results.perPage,
    took_ms: results.tookMs,
    backend: results.backend,
    degraded: results.degraded.map(snakeCase),
    folded: results.folded,
    ...(results.completions === undefined ? {} : { completions: results.completions }),
    hits: results.hits.map(hitJson),
    ...(results.places === undefined ? {} : { places: placesJson(results.places) }),
    facets: results.facets,
    did_you_mean: results.didYouMean,
  };
}

/** Places that the query names: of the region, and elsewhere. */
const placesJson = ({
  near,
  elsewhere,
}: NonNullable<SearchResults["places"]>): Record<string, readonly string[]> => ({
  near: near.map(({ written }) => written),
  elsewhere,
});

function hitJson(hit: Hit): Record<string, unknown> {
  return {
    id: String(hit.id),
    url: hit.url,
    host: hit.host,
    lang: hit.lang,
    title: hit.title,
    snippet: hit.snippet,
    summary: hit.summary,
    published_at: isoTime(hit.publishedAt),
    crawled_at: isoTime(hit.crawledAt),
    more_from_host: hit.moreFromHost,
    folded: hit.folded,
    score: hit.score,
    ...(hit.explain === undefined ? {} : { explain: snakeCased(hit.explain) }),
  };
}

const isoTime = (at: Date | null): string | null =>
  at === null || Number.isNaN(at.getTime()) ? null : at.toISOString();

function snakeCased(breakdown: Breakdown): Record<string, number> {
  return Object.fromEntries(
    Object.entries(breakdown).map(([name, value]) => [snakeCase(name), value]),
  );
}

const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
