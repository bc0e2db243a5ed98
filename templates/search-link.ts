/** Everything that a search URL can say; the URL holds the whole state of the page. */
export interface SearchParams {
  q: string;
  page: number;
  perPage: number;
  sort: "relevance" | "date";
  lang: string | null;
  host: string | null;
  category: string | null;
  /** A place that the reader chose: pages that name it come first. */
  region: string | null;
  year: number | null;
  /** First and last day, as `2026-01-31`. */
  from: string | null;
  to: string | null;
  /** Null: folded by host unless a host is asked for. */
  collapse: "host" | "none" | null;
  explain: boolean;
}

/** Characters of a query; a longer one is refused. */
export const QUERY_MAX = 1_000;

/** Characters of the name of a place. */
export const REGION_MAX = 100;

/** Results that a reader can page through; deeper ones are refused. */
export const WINDOW_MAX = 200;

export const DEFAULT_PARAMS: SearchParams = {
  q: "",
  page: 1,
  perPage: 10,
  sort: "relevance",
  lang: null,
  host: null,
  category: null,
  region: null,
  year: null,
  from: null,
  to: null,
  collapse: null,
  explain: false,
};

/** What a reader chooses beside the words, in the order in which it is shown. */
export const FILTERS = ["lang", "host", "category", "region", "year", "from", "to"] as const;

export const NO_FILTERS = {
  lang: null,
  host: null,
  category: null,
  region: null,
  year: null,
  from: null,
  to: null,
} as const satisfies Partial<SearchParams>;

/**
 * Path and query of a search with some of its parameters changed. What has its default is left out;
 * a change leads to the first page unless it names one.
 */
export function searchHref(
  params: SearchParams,
  change: Partial<SearchParams> = {},
  path = "/search",
): string {
  const query = new URLSearchParams(searchFields({ ...params, page: 1, ...change }));
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Names and values of what a search URL says, in a fixed order. */
export function searchFields(params: SearchParams): [name: string, value: string][] {
  const fields: [string, string][] = [];
  if (params.q !== "") fields.push(["q", params.q]);
  for (const name of FILTERS) {
    const value = params[name];
    if (value !== null) fields.push([name, String(value)]);
  }
  if (params.sort !== DEFAULT_PARAMS.sort) fields.push(["sort", params.sort]);
  if (params.collapse !== null) fields.push(["collapse", params.collapse]);
  if (params.explain) fields.push(["explain", "1"]);
  if (params.perPage !== DEFAULT_PARAMS.perPage) fields.push(["per_page", String(params.perPage)]);
  if (params.page !== 1) fields.push(["page", String(params.page)]);
  return fields;
}

export const hasFilters = (params: SearchParams): boolean =>
  FILTERS.some((name) => params[name] !== null);

/** Some of it leaves results out; a place only says which come first. */
export const isNarrowed = (params: SearchParams): boolean =>
  hasFilters({ ...params, region: null });
