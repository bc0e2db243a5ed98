import { urlOf } from "./request-url.ts";
import { isSameSecret } from "./secrets.ts";

export type RequestSite = "own" | "foreign" | "unknown";

/**
 * Where a request that changes something was sent from. Browsers say it in Sec-Fetch-Site on
 * HTTPS and localhost, and by Origin elsewhere; a client that says neither is no browser.
 */
export function siteOf(request: Request, publicUrl: string | null): RequestSite {
  const fetchSite = request.headers.get("sec-fetch-site");
  if (fetchSite !== null) return ["same-origin", "none"].includes(fetchSite) ? "own" : "foreign";
  const origin = request.headers.get("origin");
  if (origin === null) return "unknown";
  const from = URL.parse(origin)?.host;
  if (from === undefined) return "foreign";
  const own = [urlOf(request).host, publicUrl === null ? null : URL.parse(publicUrl)?.host];
  return own.includes(from) ? "own" : "foreign";
}

/** The token comes in a form's field, or in a header from scripts. */
export function hasToken(request: Request, body: unknown, expected: string): boolean {
  const given = request.headers.get("x-csrf-token") ?? fieldOf(body, "csrf");
  return given !== null && isSameSecret(given, expected);
}

export function fieldOf(body: unknown, name: string): string | null {
  if (typeof body !== "object" || body === null) return null;
  const value = (body as Record<string, unknown>)[name];
  return typeof value === "string" ? value : null;
}
