import { urlOf } from "./request-url.ts";

/** Names and flags of our cookies, by how the browser reached us. */

export interface CookieNames {
  session: string;
  /** Ties a login form to the browser that asked for it. */
  form: string;
}

/**
 * `__Host-` binds a cookie to this very host and to Secure; browsers drop such a cookie on plain
 * HTTP elsewhere than on localhost, so there it has a plain name.
 */
export const cookieNames = (isSecure: boolean): CookieNames =>
  isSecure
    ? { session: "__Host-trawl", form: "__Host-trawl-form" }
    : { session: "trawl", form: "trawl-form" };

/** Value of a cookie of the request as sent; null when there is none. */
export function cookieOf(headers: Headers, name: string): string | null {
  for (const pair of (headers.get("cookie") ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}

/** The same for a token; null also when it is none of ours. */
export function tokenOf(headers: Headers, name: string): string | null {
  const value = cookieOf(headers, name);
  return value !== null && /^[\w-]{20,100}$/.test(value) ? value : null;
}

/** A Set-Cookie value; `maxAgeS` 0 removes the cookie. */
export function setCookie(name: string, value: string, isSecure: boolean, maxAgeS: number): string {
  const secure = isSecure ? "; Secure" : "";
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}${secure}`;
}

export interface OriginFacts {
  /** The peer is a proxy whose X-Forwarded-Proto is believed. */
  isTrustedPeer: boolean;
  publicUrl: string | null;
}

/** Whether the browser sees this server as HTTPS, or as localhost, which it trusts alike. */
export function isSecureOrigin(
  request: Request,
  { isTrustedPeer, publicUrl }: OriginFacts,
): boolean {
  const url = urlOf(request);
  if (url.protocol === "https:") return true;
  if (isTrustedPeer && request.headers.get("x-forwarded-proto")?.trim() === "https") return true;
  if (/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) return true;
  const own = publicUrl === null ? null : URL.parse(publicUrl);
  return own !== null && own.protocol === "https:" && own.host === url.host;
}
