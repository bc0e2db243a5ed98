import { foldText } from "../text/fold.ts";
import { type HostName, registrableDomain } from "../url/host.ts";
import type { Candidate } from "./document.ts";

/** What a page gains whose host the query names: its front page the most. */
const FRONT = 4;
const WITHIN = 2;
/** Of hosts below a name: `fr.wikipedia.org` for `wikipedia`. */
const BELOW_FRONT = 2;
const BELOW = 1.5;

const NAME_MIN = 3;
const NAME_MAX = 63;

/** A query as the name of a host has it, `hydro québec` as `hydroquebec`; null: it is none. */
export function nameOf(query: string): string | null {
  const text = query
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/$/, "");
  // Operators, phrases and paths name no host.
  if (!/^[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}\s.'’-]*$/u.test(text)) return null;
  const name = squeezed(foldText(text)).replace(/^www(?=.)/, "");
  return name.length < NAME_MIN || name.length > NAME_MAX ? null : name;
}

/** 1 and more; null: the query is not the name of the page's host. */
export function navigational(
  name: string | null | undefined,
  { host, url }: Pick<Candidate, "host" | "url">,
): number | null {
  // Nearly every page ends here.
  if (name == null || !squeezed(host).includes(name)) return null;
  const own = host.replace(/^www\./, "");
  const domain = registrableDomain(host as HostName);
  const label = domain.slice(0, domain.indexOf(".") >>> 0);
  const names = [own, domain, label, withoutSuffix(own, domain, label)].map(squeezed);
  if (!names.includes(name)) return null;
  const isWhole = own === domain || squeezed(own) === name || names[3] === name;
  if (isFront(url)) return isWhole ? FRONT : BELOW_FRONT;
  return isWhole ? WITHIN : BELOW;
}

const squeezed = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "");

/** `ville.saguenay` of `ville.saguenay.ca`. */
const withoutSuffix = (host: string, domain: string, label: string): string =>
  host.endsWith(domain) ? host.slice(0, host.length - domain.length) + label : host;

/** Nothing but the host, or a language: what a front page redirects to. */
const isFront = (url: string): boolean =>
  /^https?:\/\/[^/]+\/(?:[a-z]{2}(?:-[a-z]{2})?\/?|index\.(?:html?|php))?$/i.test(url);
