import { cookieOf, setCookie } from "../cookies.ts";
import { seeOther } from "../page.ts";
import type { Client } from "../visitor.ts";

/** Holds what was just done, until the page that the form leads to has said it. */
const COOKIE = "trawl-done";
const KEPT_S = 60;

/** Leads to a page that says what was done. */
export const leadTo = (path: string, done: string, client: Client): Response =>
  seeOther(path, { "set-cookie": setCookie(COOKIE, done, client.isSecure, KEPT_S) });

export const doneBefore = (request: Request): string => cookieOf(request.headers, COOKIE) ?? "";

/**
 * Said once: at a reload or from a bookmark it may be true no more. `set`: takes the cookie away
 * along with the page.
 */
export function sayNoMore(client: Client, set: { headers: Record<string, unknown> }): void {
  const over = setCookie(COOKIE, "", client.isSecure, 0);
  // A new session id may go along with it.
  set.headers["set-cookie"] = [set.headers["set-cookie"] ?? [], over].flat();
}
