import type { ChosenHits } from "../../templates/search-view.tsx";
import type { HostWishes } from "../search/host-wishes.ts";
import type { SearchResults } from "../search/search.ts";
import { cookieOf } from "./cookies.ts";

/** Hosts that a reader wants first or never, kept in a cookie. */
export interface HostChoice {
  raised: ReadonlySet<string>;
  blocked: ReadonlySet<string>;
}

export const HOSTS_COOKIE = "trawl_hosts";
/** Above them the earliest is given up: a cookie holds 4,096 bytes with its attributes. */
const CHOICES_MAX = 60;
const VALUE_MAX = 3_800;
const SIGNS = { block: "-", raise: "+", none: null } as const;
const HOST = "[a-z0-9.:[\\]-]{1,255}";
const ENTRY = new RegExp(`^([-+])(${HOST})$`);
const CHOICE = new RegExp(`^(block|raise|none) (${HOST})$`);

export function readHostChoice(request: Request): HostChoice {
  const entries = [...readEntries(request)];
  const having = (sign: string) =>
    new Set(entries.filter(([, own]) => own === sign).map(([host]) => host));
  return { raised: having("+"), blocked: having("-") };
}

/**
 * The cookie with one choice more or less, `block a.example`; null: nothing that could be chosen.
 */
export function withChoice(request: Request, choice: string): string | null {
  const [, what, host] = CHOICE.exec(choice) ?? [];
  if (what === undefined || host === undefined) return null;
  const entries = readEntries(request);
  entries.delete(host);
  const sign = SIGNS[what as keyof typeof SIGNS];
  if (sign !== null) entries.set(host, sign);
  const written = [...entries].map(([name, own]) => own + name).slice(-CHOICES_MAX);
  while (written.join("|").length > VALUE_MAX) written.shift();
  return written.join("|");
}

/** `-a.example|+b.example`: signs by host, the earliest first. What does not fit is passed over. */
function readEntries(request: Request): Map<string, string> {
  const entries = new Map<string, string>();
  const value = cookieOf(request.headers, HOSTS_COOKIE) ?? "";
  for (const entry of value.split("|").slice(0, CHOICES_MAX)) {
    const [, sign, host] = ENTRY.exec(entry) ?? [];
    if (sign !== undefined && host !== undefined) entries.set(host, sign);
  }
  return entries;
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
