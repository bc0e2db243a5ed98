/** @jsxRuntime automatic @jsxImportSource preact */
import { Elysia } from "elysia";
import type { Chrome } from "../../templates/layout.tsx";
import type { SearchParams } from "../../templates/search-link.ts";
import { SearchPage } from "../../templates/search-page.tsx";
import {
  type SearchAnswer,
  SearchView,
  type SearchViewProps,
} from "../../templates/search-view.tsx";
import { type Language, wordsOf } from "../../templates/words/words.ts";
import type { Access } from "./auth.ts";
import { compress } from "./compress.ts";
import { createIndexedCount, find } from "./find.ts";
import { chosenHits, readHostChoice, wishesOf } from "./host-choice.ts";
import { wantsFragment } from "./htmx.ts";
import { languageOf } from "./language.ts";
import { fragment, page } from "./page.ts";
import { publicChrome } from "./public-chrome.ts";
import type { PublicDeps } from "./public-deps.ts";
import { urlOf } from "./request-url.ts";
import { faultText, readSearchParams } from "./search-params.ts";

/** The search page of people; its fragment when a part of it is swapped. */
export const searchRoutes = (access: Access, deps: PublicDeps) => {
  const indexed = createIndexedCount(deps);
  const respond = async (chrome: Chrome, request: Request): Promise<Response> => {
    const language = languageOf(request);
    const { params, answer } = await answerOf(request, deps, language);
    const view: SearchViewProps = {
      language,
      params,
      answer,
      documents: needsCount(answer) ? await indexed() : null,
      acceptsSubmissions: deps.settings.submit !== "off",
      region: deps.settings.region,
    };
    return wantsFragment(request)
      ? fragment(<SearchView {...view} />, statusOf(answer))
      : page(<SearchPage chrome={publicChrome(chrome, request)} {...view} />, statusOf(answer));
  };
  return new Elysia({ name: "search" })
    .use(access)
    .use(compress())
    .get("/", ({ chrome, request }) => respond(chrome, request), { audience: "public" })
    .get("/search", ({ chrome, request }) => respond(chrome, request), { audience: "public" });
};

async function answerOf(
  request: Request,
  deps: PublicDeps,
  language: Language,
): Promise<{ params: SearchParams; answer: SearchAnswer }> {
  const read = readSearchParams(urlOf(request).searchParams);
  const { params } = read;
  if (read.kind === "faulty") {
    const messages = read.faults.map((fault) => faultText(fault, wordsOf(language)));
    return { params, answer: { kind: "faulty", messages } };
  }
  if (params.q === "") return { params, answer: { kind: "home" } };
  const choice = readHostChoice(request);
  const wishes = wishesOf(choice);
  const more = { isAsTyped: true, pageLang: language, ...(wishes && { wishes }) };
  const outcome = await find(deps, { ...params, explain: true }, more);
  if (outcome.kind === "unavailable") return { params, answer: outcome };
  const { results } = outcome;
  if (params.page === 1) deps.asked(params.q, results, wantsFragment(request));
  return { params, answer: { kind: "results", results, choice: chosenHits(results, choice) } };
}

const needsCount = (answer: SearchAnswer): boolean =>
  answer.kind === "home" || (answer.kind === "results" && answer.results.total === 0);

function statusOf(answer: SearchAnswer) {
  switch (answer.kind) {
    case "faulty":
      return { status: 400 };
    case "unavailable":
      return { status: 503, headers: { "retry-after": "5", "cache-control": "no-store" } };
    default:
      return {};
  }
}
