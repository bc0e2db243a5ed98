/** @jsxRuntime automatic @jsxImportSource preact */
import { Elysia } from "elysia";
import { QUERY_MAX, type SearchParams, searchHref } from "../../templates/search-link.ts";
import { type Suggestion, Suggestions } from "../../templates/suggestions.tsx";
import { wordsOf } from "../../templates/words/words.ts";
import { within } from "../deadline.ts";
import type { Access } from "./auth.ts";
import { compress } from "./compress.ts";
import { isMachine } from "./errors.tsx";
import { find } from "./find.ts";
import { HTMX_VARY, wantsFragment } from "./htmx.ts";
import { languageOf } from "./language.ts";
import { openSearchXml } from "./opensearch.ts";
import { fragment } from "./page.ts";
import { originOf } from "./public-chrome.ts";
import type { PublicDeps } from "./public-deps.ts";
import { invalid, unavailable } from "./refusal.ts";
import { urlOf } from "./request-url.ts";
import { searchJson } from "./search-json.ts";
import { cleanQuery, faultText, readSearchParams } from "./search-params.ts";
import { searchRss } from "./search-rss.ts";

/** A late suggestion is of no use. */
const SUGGEST_TIMEOUT_MS = 1_000;
const SUGGESTIONS_MAX = 8;
const FEED_DEFAULTS = { sort: "date", perPage: 20 } as const;

/** Search for programs: JSON, feeds, suggestions and the description that browsers read. */
export const searchMachineRoutes = (access: Access, deps: PublicDeps) =>
  new Elysia({ name: "search-machines" })
    .use(access)
    .use(compress())
    .get("/api/search", ({ request }) => apiSearch(request, deps), { audience: "public" })
    .get("/search.rss", ({ request }) => rss(request, deps), { audience: "public" })
    .get("/suggest", ({ request }) => suggest(request, deps), { audience: "public" })
    .get("/opensearch.xml", ({ request }) => openSearch(request, deps), { audience: "public" });

async function apiSearch(request: Request, deps: PublicDeps): Promise<Response> {
  const params = paramsOf(request);
  const results = await resultsOf(deps, params);
  if (params.page === 1) deps.asked(params.q, results, false);
  return Response.json(searchJson(results), { headers: { "cache-control": "private, no-cache" } });
}

/** Newest first unless the address says otherwise: that is what a feed is for. */
async function rss(request: Request, deps: PublicDeps): Promise<Response> {
  const params = paramsOf(request, FEED_DEFAULTS);
  const results = await resultsOf(deps, params);
  const origin = originOf(request, deps.settings.publicUrl);
  const words = wordsOf(languageOf(request)).search;
  const text = searchRss(results, {
    title: words.feedOf(params.q),
    pageUrl: origin + searchHref(params),
    feedUrl: origin + searchHref(params, {}, "/search.rss"),
    untitled: words.untitled,
    builtAt: new Date(deps.clock.now()),
  });
  return xml(text, "application/rss+xml");
}

/** The form that OpenSearch asks for, or the options of the page's own listbox. */
async function suggest(request: Request, deps: PublicDeps): Promise<Response> {
  const query = urlOf(request).searchParams.get("q") ?? "";
  const suggestions = await suggestionsFor(cleanQuery(query), deps);
  if (wantsFragment(request)) return fragment(<Suggestions suggestions={suggestions} />);
  const body = [
    query.toWellFormed(),
    suggestions.map(({ text }) => text),
    suggestions.map(() => ""),
    suggestions.map((each) => (each.kind === "page" ? each.url : "")),
  ];
  return new Response(JSON.stringify(body), {
    headers: {
      "content-type": "application/x-suggestions+json; charset=utf-8",
      "cache-control": "private, max-age=10",
      vary: HTMX_VARY,
    },
  });
}

/** No suggestion is worth an error: whatever goes wrong, there are none. */
async function suggestionsFor(prefix: string, deps: PublicDeps): Promise<readonly Suggestion[]> {
  if (prefix === "" || prefix.length > QUERY_MAX) return [];
  const found = await within(SUGGEST_TIMEOUT_MS, deps.suggest(prefix)).catch(() => null);
  if (found === null) return [];
  const queries = found.queries.filter((text) => text !== prefix);
  return [
    ...queries.map((text) => ({ kind: "query", text }) as const),
    ...found.titles.map(({ title, url }) => ({ kind: "page", text: title, url }) as const),
  ].slice(0, SUGGESTIONS_MAX);
}

function openSearch(request: Request, deps: PublicDeps): Response {
  const text = openSearchXml(
    originOf(request, deps.settings.publicUrl),
    wordsOf(languageOf(request)),
  );
  return xml(text, "application/opensearchdescription+xml");
}

function paramsOf(request: Request, defaults: Partial<SearchParams> = {}): SearchParams {
  const read = readSearchParams(urlOf(request).searchParams, defaults);
  if (read.kind === "params") return read.params;
  const words = wordsOf(isMachine(urlOf(request).pathname) ? "en" : languageOf(request));
  throw invalid(read.faults.map((fault) => faultText(fault, words)).join(" "));
}

async function resultsOf(deps: PublicDeps, params: SearchParams) {
  const outcome = await find(deps, params);
  if (outcome.kind === "unavailable") {
    throw unavailable((words) => words.indexDown);
  }
  return outcome.results;
}

const xml = (text: string, type: string): Response =>
  new Response(text, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "private, no-cache",
      vary: "Cookie, Accept-Language",
    },
  });
