/** @jsxRuntime automatic @jsxImportSource preact */
import type { Server } from "bun";
import { Elysia } from "elysia";
import { ErrorBody, ErrorPage } from "../../templates/error.tsx";
import type { Chrome } from "../../templates/layout.tsx";
import { wordsOf } from "../../templates/words/words.ts";
import { isOutage as isStoreOutage } from "../db/store-errors.ts";
import { causeFirst, type Log } from "../log.ts";
import { wantsFragment } from "./htmx.ts";
import { languageOf } from "./language.ts";
import { fragment, page } from "./page.ts";
import { badMethod, internal, invalid, notFound, Refusal, unavailable } from "./refusal.ts";
import { urlOf } from "./request-url.ts";

interface ErrorDeps {
  log: Log;
  /** Frame of a page for whoever asks; rejects with a Refusal when their allowance is used up. */
  chrome(request: Request, server: Server<unknown> | null): Promise<Chrome>;
  /** Frame of a page for somebody unknown. */
  plainChrome(path: string): Chrome;
  /** Methods under which an address is served; none: it does not exist. */
  methodsOf(path: string): readonly string[];
}

/** Must be used before any route: it does not cover those registered earlier. */
export const errors = (deps: ErrorDeps) =>
  new Elysia({ name: "errors" }).onError({ as: "global" }, async (context) => {
    const { code, error, request, server } = context;
    const { log } = deps;
    const path = pathOf(request);
    const asked = asRefusal(String(code), error, deps.methodsOf(path));
    if (asked.status === 500) log.error("request.failed", { path, error });
    if (asked.code === "unavailable" && error !== asked) {
      log.warn("request.unavailable", { path, error: causeFirst(error) });
    }
    // The access check may have got far enough to know who asks.
    const { chrome: known } = context as { chrome?: Chrome };
    const { refusal, chrome } = known
      ? { refusal: asked, chrome: known }
      : await metAtTheDoor(asked, request, server, deps);
    return answer(refusal, request, chrome);
  });

/** An address that no route serves: nobody has asked yet who is there. */
async function metAtTheDoor(
  refusal: Refusal,
  request: Request,
  server: Server<unknown> | null,
  { chrome, plainChrome }: ErrorDeps,
): Promise<{ refusal: Refusal; chrome: Chrome }> {
  const path = pathOf(request);
  const isUnserved = refusal.code === "not_found" || refusal.code === "method_not_allowed";
  // An asset is open to all, and so is the lack of one.
  if (!isUnserved || path.startsWith("/assets/")) return { refusal, chrome: plainChrome(path) };
  try {
    return { refusal, chrome: await chrome(request, server) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refusal: error, chrome: plainChrome(path) };
  }
}

/** A request without a usable Host has a path all the same. */
const pathOf = (request: Request): string =>
  URL.canParse(request.url)
    ? urlOf(request).pathname
    : request.url.replace(/^\w+:\/\/[^/?#]*/, "").replace(/[?#].*/s, "");

function answer(refusal: Refusal, request: Request, chrome: Chrome): Response {
  const { status, code, message, headers } = refusal;
  const options = { status, headers: { "cache-control": "no-store", ...headers } };
  if (isMachine(pathOf(request))) return Response.json({ error: { code, message } }, options);
  const isConsole = chrome.viewer !== null && chrome.path.startsWith("/admin");
  const lang = isConsole ? "en" : languageOf(request);
  const words = wordsOf(lang).refusal;
  const props = { status, ...refusal.say(words), words, isConsole };
  return wantsFragment(request)
    ? fragment(<ErrorBody {...props} />, options)
    : page(<ErrorPage chrome={{ ...chrome, lang, here: hereOf(request) }} {...props} />, options);
}

/** Where a change of language leads back to: an address that takes forms alone is no page. */
const hereOf = (request: Request): string =>
  request.method === "GET" && URL.canParse(request.url)
    ? urlOf(request).pathname + urlOf(request).search
    : "/";

/** Addresses that machines read; errors there are JSON. */
export const isMachine = (path: string): boolean =>
  path.startsWith("/api/") || ["/metrics", "/status", "/healthz"].includes(path);

function asRefusal(code: string, error: unknown, methods: readonly string[]): Refusal {
  if (error instanceof Refusal) return error;
  switch (code) {
    case "NOT_FOUND":
      return methods.length === 0 ? notFound() : badMethod(methods);
    case "VALIDATION":
      return invalidInput(error);
    case "PARSE":
    case "INVALID_COOKIE_SIGNATURE":
    case "INVALID_FILE_TYPE":
      return invalid((words) => words.badBody);
    default:
      return isOutage(error) ? unavailable((words) => words.storeDown) : internal();
  }
}

/** An id that is no id is an address that does not exist; other input is told by its name. */
function invalidInput(error: unknown): Refusal {
  const { type, valueError } = error as { type?: string; valueError?: { path?: string } };
  if (type === "params") return notFound();
  const field = (valueError?.path ?? "").replace(/^\//, "");
  return invalid((words) => (field === "" ? words.missing : words.field(field)));
}

/** True when a part did not answer: the store, or anything that had a deadline. */
export function isOutage(error: unknown): boolean {
  return isStoreOutage(error) || (error instanceof Error && error.name === "TimeoutError");
}
