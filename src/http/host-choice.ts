import type { ChosenHits } from "../../templates/search-view.tsx";
import type { Hit } from "../search/search.ts";
import { cookieOf } from "./cookies.ts";

/** Hosts that a reader wants first or never, kept in a cookie of the browser by search.js. */
export interface HostChoice {
  raised: ReadonlySet<string>;
  blocked: ReadonlySet<string>;
}

const COOKIE = "trawl_hosts";
const CHOICES_MAX = 60;

/** The cookie reads `-a.example|+b.example`; what does not fit is passed over. */
export function readHostChoice(request: Request): HostChoice {
  const raised = new Set<string>();
  const blocked = new Set<string>();
  for (const entry of (cookieOf(request.headers, COOKIE) ?? "").split("|").slice(0, CHOICES_MAX)) {
    const host = entry.slice(1);
    if (!/^[a-z0-9.:[\]-]{1,255}$/.test(host)) continue;
    if (entry.startsWith("+")) raised.add(host);
    if (entry.startsWith("-")) blocked.add(host);
  }
  return { raised, blocked };
}

/** Raised hosts first and blocked ones away, within one page; the host `asked` for stays. */
export function chooseHits(
  hits: readonly Hit[],
  choice: HostChoice,
  asked: string | null,
): ChosenHits {
  const isHidden = ({ host }: Hit) => choice.blocked.has(host) && host !== asked;
  const hidden = hits.filter(isHidden);
  const shown = hits.filter((hit) => !isHidden(hit));
  const [first, rest] = [true, false].map((isFirst) =>
    shown.filter(({ host }) => choice.raised.has(host) === isFirst),
  );
  return {
    hits: [...first!, ...rest!],
    raised: choice.raised,
    hidden: { count: hidden.length, hosts: [...new Set(hidden.map(({ host }) => host))] },
  };
}
