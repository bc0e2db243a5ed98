import type { ChosenHits } from "../../templates/search-view.tsx";
import type { HostWishes } from "../search/host-wishes.ts";
import type { SearchResults } from "../search/search.ts";
import { cookieOf } from "./cookies.ts";

/** Hosts that a reader wants first or never, kept in a cookie: see host-form.ts. */
export interface HostChoice {
  raised: ReadonlySet<string>;
  blocked: ReadonlySet<string>;
}

export const HOSTS_COOKIE = "trawl_hosts";
const CHOICES_MAX = 60;

/** The cookie reads `-a.example|+b.example`; what does not fit is passed over. */
export function readHostChoice(request: Request): HostChoice {
  const raised = new Set<string>();
  const blocked = new Set<string>();
  for (const entry of (cookieOf(request.headers, HOSTS_COOKIE) ?? "")
    .split("|")
    .slice(0, CHOICES_MAX)) {
    const host = entry.slice(1);
    if (!/^[a-z0-9.:[\]-]{1,255}$/.test(host)) continue;
    if (entry.startsWith("+")) raised.add(host);
    if (entry.startsWith("-")) blocked.add(host);
  }
  return { raised, blocked };
}

/** As a search takes it; undefined: no choice was made. */
export function wishesOf({ raised, blocked }: HostChoice): HostWishes | undefined {
  if (raised.size + blocked.size === 0) return undefined;
  return { factors: new Map(), raised, blocked };
}

export const chosenHits = (
  { hits, hidden }: SearchResults,
  { raised }: HostChoice,
): ChosenHits => ({ hits, raised, hidden: hidden ?? { count: 0, hosts: [] } });
