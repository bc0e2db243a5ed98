import { hostBackoffMs } from "./backoff.ts";
import { dueAfter, nextInterval, type RecrawlConfig } from "./recrawl.ts";

/** What a look at a sitemap or feed came to. */
export type SitemapLook =
  /** It was read, or has not changed since. */
  | { kind: "read"; changed: boolean }
  /** 404, 410, refused, or not a sitemap at all: it may be one again, much later. */
  | { kind: "gone" }
  /** A passing trouble; not before `notBefore` (epoch ms), if the server said so. */
  | { kind: "failed"; notBefore?: number };

export interface SitemapTimes {
  readonly kind: "sitemap" | "feed";
  /** Seconds; null: never read. */
  readonly intervalS: number | null;
  /** Looks in a row that came to nothing, before this one. */
  readonly failures: number;
}

export interface SitemapNext {
  /** Epoch ms. */
  readonly nextFetchAt: number;
  readonly intervalS: number | null;
  readonly failures: number;
}

export interface RefreshConfig extends RecrawlConfig {
  readonly retryBaseMs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Feeds change often or never: from once an hour to once a day. */
const FEED_MIN_MS = HOUR_MS;
const FEED_MAX_MS = DAY_MS;
const GONE_MS = 7 * DAY_MS;
const GONE_MAX_MS = 90 * DAY_MS;

/** When a sitemap or feed is asked for again; `random` is 0..1. */
export function nextLook(
  times: SitemapTimes,
  look: SitemapLook,
  { now, random, config }: { now: number; random: number; config: RefreshConfig },
): SitemapNext {
  switch (look.kind) {
    case "read": {
      const bounds = times.kind === "feed" ? feedBounds(config) : config;
      const intervalS = readInterval(times, look.changed, bounds);
      return { nextFetchAt: dueAfter(now, intervalS, random, bounds), intervalS, failures: 0 };
    }
    case "gone": {
      const waitMs = Math.min(GONE_MAX_MS, GONE_MS * 2 ** Math.min(times.failures, 10));
      return after(times, now + waitMs);
    }
    case "failed": {
      const backoff = { baseMs: config.retryBaseMs, random };
      const at = now + hostBackoffMs(times.failures + 1, backoff);
      return after(times, Math.max(at, look.notBefore ?? 0));
    }
    default:
      return look satisfies never;
  }
}

function after({ intervalS, failures }: SitemapTimes, nextFetchAt: number): SitemapNext {
  return { nextFetchAt, intervalS, failures: failures + 1 };
}

/** A feed starts with the shortest, so that one that is alive is known as such within hours. */
function readInterval(
  { kind, intervalS }: SitemapTimes,
  changed: boolean,
  bounds: RecrawlConfig,
): number {
  const first = kind === "feed" ? Math.ceil(bounds.recrawlMinMs / 1000) : null;
  if (intervalS === null && first !== null) return first;
  return nextInterval(intervalS, changed, bounds);
}

function feedBounds({ recrawlMinMs, recrawlMaxMs }: RecrawlConfig): RecrawlConfig {
  const minMs = Math.max(FEED_MIN_MS, recrawlMinMs);
  return {
    recrawlMinMs: minMs,
    recrawlMaxMs: Math.max(minMs, Math.min(FEED_MAX_MS, recrawlMaxMs)),
  };
}
