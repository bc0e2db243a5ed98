import type { Clock } from "../clock.ts";
import type { Outcome, RefusedReason } from "../fetch/outcome.ts";
import { decodeRobots, parseRobots, type RobotsRules } from "../parse/robots.ts";
import type { Authority } from "../url/host.ts";

/** robots.txt of one authority as the store keeps it; see db/robots.ts. */
export interface RobotsRow {
  authority: string;
  hostId: number;
  /** Of the last usable answer; null: there was none yet. */
  status: number | null;
  body: string | null;
  etag: string | null;
  lastModified: string | null;
  fetchedAt: Date | null;
  expiresAt: Date;
  failures: number;
  failure: string | null;
}

export interface RobotsStore {
  read(authority: string): Promise<RobotsRow | null>;
  save(row: RobotsRow): Promise<void>;
}

export type RobotsVerdict =
  | { kind: "rules"; rules: RobotsRules }
  /** Nothing may be asked of the authority before `retryAt` (epoch ms). */
  | { kind: "waiting"; why: string; retryAt: number }
  /** The guard refuses the authority itself; nothing was sent. */
  | { kind: "refused"; reason: RefusedReason; detail: string }
  /** Could not be asked just now, by no fault of the host. */
  | { kind: "not asked"; why: "no slot" | "aborted" };

/** One request for /robots.txt of an authority, redirects followed. */
export type AskRobots = (
  authority: Authority,
  validators: { etag: string | null; lastModified: string | null },
  signal: AbortSignal,
) => Promise<{ outcome: Outcome; url: string }>;

const DAY_MS = 86_400_000;
/** RFC 9309 section 2.4: no cached copy is used for longer, unless unreachable. */
const FRESH_MAX_MS = DAY_MS;
const FRESH_MIN_MS = 60_000;
/** RFC 9309 section 2.3.1.4: how long a cached copy rules while robots.txt is unreachable. */
const STALE_MAX_MS = 30 * DAY_MS;
const RETRY_FIRST_MS = 5_000;
const RETRY_MAX_MS = 6 * 3_600_000;
const CACHE_MAX = 5_000;

interface Cached {
  verdict: RobotsVerdict;
  until: number;
}

/** Rules by authority: from memory, else the row, else asked for once however many want them. */
export class RobotsGate {
  readonly #cache = new Map<string, Cached>();
  readonly #asking = new Map<string, Promise<RobotsVerdict>>();
  readonly #store: RobotsStore;
  readonly #ask: AskRobots;
  readonly #token: string;
  readonly #clock: Clock;

  constructor(deps: { store: RobotsStore; ask: AskRobots; token: string; clock: Clock }) {
    this.#store = deps.store;
    this.#ask = deps.ask;
    this.#token = deps.token;
    this.#clock = deps.clock;
  }

  async rulesOf(authority: Authority, hostId: number, signal: AbortSignal): Promise<RobotsVerdict> {
    const cached = this.#cache.get(authority);
    if (cached && cached.until > this.#clock.now()) return cached.verdict;
    let asking = this.#asking.get(authority);
    if (!asking) {
      asking = this.#find(authority, hostId, signal).finally(() => this.#asking.delete(authority));
      this.#asking.set(authority, asking);
    }
    return await asking;
  }

  /** What an operator changed is read anew. */
  forget(authority: string): void {
    this.#cache.delete(authority);
  }

  async #find(authority: Authority, hostId: number, signal: AbortSignal): Promise<RobotsVerdict> {
    const row = await this.#store.read(authority);
    if (row && row.expiresAt.getTime() > this.#clock.now()) return this.#remember(authority, row);
    const { outcome, url } = await this.#ask(
      authority,
      { etag: row?.etag ?? null, lastModified: row?.lastModified ?? null },
      signal,
    );
    if (outcome.kind === "no slot" || outcome.kind === "aborted") {
      return { kind: "not asked", why: outcome.kind };
    }
    if (outcome.kind === "refused" && url.startsWith(`${authority}/`)) return outcome;
    const next = nextRow(row, { authority, hostId }, outcome, this.#clock.now());
    await this.#store.save(next);
    return this.#remember(authority, next);
  }

  #remember(authority: Authority, row: RobotsRow): RobotsVerdict {
    const verdict = this.#verdict(authority, row);
    if (this.#cache.size >= CACHE_MAX) this.#cache.delete(this.#cache.keys().next().value!);
    this.#cache.delete(authority);
    this.#cache.set(authority, { verdict, until: row.expiresAt.getTime() });
    return verdict;
  }

  #verdict(authority: Authority, row: RobotsRow): RobotsVerdict {
    const age = row.fetchedAt ? this.#clock.now() - row.fetchedAt.getTime() : Infinity;
    if (row.status !== null && (row.failures === 0 || age <= STALE_MAX_MS)) {
      return { kind: "rules", rules: parseRobots(row.body ?? "", authority, this.#token) };
    }
    const why = row.failure ?? "robots.txt cannot be had";
    return { kind: "waiting", why, retryAt: row.expiresAt.getTime() };
  }
}

/** RFC 9309 section 2.3.1: what an answer makes of the row. Exported for its table test. */
export function nextRow(
  row: RobotsRow | null,
  { authority, hostId }: { authority: string; hostId: number },
  outcome: Outcome,
  now: number,
): RobotsRow {
  const usable = (status: number, body: string, freshMs = FRESH_MAX_MS): RobotsRow => ({
    authority,
    hostId,
    status,
    body,
    etag: outcome.kind === "fetched" ? outcome.headers.etag : null,
    lastModified: outcome.kind === "fetched" ? outcome.headers.lastModified : null,
    fetchedAt: new Date(now),
    expiresAt: new Date(now + Math.min(Math.max(freshMs, FRESH_MIN_MS), FRESH_MAX_MS)),
    failures: 0,
    failure: null,
  });
  const unreachable = (failure: string, retryAfterMs: number | null = null): RobotsRow => {
    const failures = (row?.failures ?? 0) + 1;
    const backoffMs = Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), RETRY_MAX_MS);
    const waitMs = Math.min(Math.max(backoffMs, retryAfterMs ?? 0), DAY_MS);
    const blank = { status: null, body: null, etag: null, lastModified: null, fetchedAt: null };
    const kept = row ?? { authority, hostId, ...blank };
    return { ...kept, hostId, expiresAt: new Date(now + waitMs), failures, failure };
  };
  const ageMs = (headers: { maxAgeS: number | null }) =>
    headers.maxAgeS === null ? FRESH_MAX_MS : headers.maxAgeS * 1000;
  switch (outcome.kind) {
    case "fetched":
      return usable(outcome.status, decodeRobots(outcome.body), ageMs(outcome.headers));
    case "unchanged":
      if (!row) return unreachable("304 to a request without a condition");
      return {
        ...usable(row.status ?? 200, row.body ?? "", ageMs(outcome.headers)),
        etag: row.etag,
        lastModified: row.lastModified,
      };
    case "gone":
      return usable(outcome.status, "");
    case "rejected":
      if (outcome.status >= 400 && outcome.status < 500) return usable(outcome.status, "");
      return unreachable(`robots.txt answers ${outcome.status}`);
    case "redirected":
      // More than five hops, or to nowhere: may be taken as unavailable (section 2.3.1.2).
      return usable(outcome.status, "");
    case "throttled":
      return unreachable(`robots.txt answers ${outcome.status}`, outcome.retryAfterMs);
    case "unavailable":
      // 408 and 425 are of the 4xx that mean "no robots.txt here" (section 2.3.1.3).
      if (outcome.status < 500) return usable(outcome.status, "");
      return unreachable(`robots.txt answers ${outcome.status}`);
    case "refused":
      return unreachable(`robots.txt leads to a refused place (${outcome.reason})`);
    case "unreachable":
      return unreachable(`robots.txt: ${outcome.cause} failed, ${outcome.detail}`);
    case "interrupted":
      return unreachable(`robots.txt: ${outcome.cause}`);
    case "malformed":
      return unreachable("robots.txt: the answer is no valid HTTP");
    case "too large":
      return unreachable("robots.txt: the answer is too large");
    case "unsupported":
      return usable(200, "");
    case "no slot":
    case "aborted":
      throw new Error(`no answer to make a row of: ${outcome.kind}`);
    default:
      return outcome satisfies never;
  }
}
