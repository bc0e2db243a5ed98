/** @jsxRuntime automatic @jsxImportSource preact */
import { Elysia } from "elysia";
import { ErrorBody, ErrorPage } from "../../templates/error.tsx";
import type { Chrome } from "../../templates/layout.tsx";
import { isOutage as isStoreOutage } from "../db/store-errors.ts";
import type { Log } from "../log.ts";
import { wantsFragment } from "./htmx.ts";
import { fragment, page } from "./page.ts";
import { invalid, notFound, Refusal, unavailable } from "./refusal.ts";

interface ErrorDeps {
  log: Log;
  /** Frame of a page for somebody unknown. */
  chrome(path: string): Chrome;
}

/** Must be used before any route: it does not cover those registered earlier. */
export const errors = ({ log, chrome }: ErrorDeps) =>
  new Elysia({ name: "errors" }).onError({ as: "global" }, (context) => {
    const { code, error, request, path } = context;
    const refusal = asRefusal(String(code), error);
    if (refusal.status === 500) log.error("request.failed", { path, error });
    if (refusal.code === "unavailable" && error !== refusal) {
      log.warn("request.unavailable", { path, error: String(error) });
    }
    // The access check may have got far enough to know who asks.
    const { chrome: known } = context as { chrome?: Chrome };
    return answer(refusal, request, path, known ?? chrome(path));
  });

function answer(refusal: Refusal, request: Request, path: string, chrome: Chrome): Response {
  const { status, code, title, message, headers } = refusal;
  if (isMachine(path)) {
    return Response.json(
      { error: { code, message } },
      { status, headers: { "cache-control": "no-store", ...headers } },
    );
  }
  const options = { status, headers: { "cache-control": "no-store", ...headers } };
  return wantsFragment(request)
    ? fragment(<ErrorBody status={status} title={title} message={message} />, options)
    : page(<ErrorPage chrome={chrome} status={status} title={title} message={message} />, options);
}

/** Addresses that machines read; errors there are JSON. */
export const isMachine = (path: string): boolean =>
  path.startsWith("/api/") || ["/metrics", "/status", "/healthz"].includes(path);

function asRefusal(code: string, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  switch (code) {
    case "NOT_FOUND":
      return notFound();
    case "VALIDATION":
      return invalidInput(error);
    case "PARSE":
    case "INVALID_COOKIE_SIGNATURE":
    case "INVALID_FILE_TYPE":
      return invalid("The body of the request is not in the form that its type promises.");
    default:
      return isOutage(error)
        ? unavailable("The store does not answer. This page comes back by itself.")
        : new Refusal(500, "internal", "Something broke", "The mistake is ours and was recorded.");
  }
}

/** An id that is no id is an address that does not exist; other input is told by its name. */
function invalidInput(error: unknown): Refusal {
  const { type, valueError } = error as { type?: string; valueError?: { path?: string } };
  if (type === "params") return notFound();
  const field = (valueError?.path ?? "").replace(/^\//, "");
  return invalid(field === "" ? "A part is missing." : `The value of "${field}" is not allowed.`);
}

/** True when a part did not answer: the store, or anything that had a deadline. */
export function isOutage(error: unknown): boolean {
  return isStoreOutage(error) || (error instanceof Error && error.name === "TimeoutError");
}
