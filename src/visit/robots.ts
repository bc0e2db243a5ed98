import type { Clock } from "../clock.ts";
import type { Outcome, RefusedReason } from "../fetch/outcome.ts";
import { parseRobots, type RobotsRules } from "../parse/robots.ts";
import type { Authority } from "../url/host.ts";
import { nextRow, type RobotsRow } from "./robots-row.ts";

export interface RobotsStore {
  read(authority: string): Promise<RobotsRow | null>;
  save(row: RobotsRow): Promise<void>;
}

export type RobotsVerdict =
  | { kind: "rules"; rules: RobotsRules }
  /**
   * Nothing may be asked of the authority before `retryAt` (epoch ms). `asked`: it was asked for
   * just now, and failed; else that is known from before.
   */
  | { kind: "waiting"; why: string; retryAt: number; asked: boolean }
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

/** RFC 9309 section 2.3.1.4: how long a cached copy rules while robots.txt is unreachable. */
const STALE_MAX_MS = 30 * 86_400_000;
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
    const verdict = this.#remember(authority, next);
    return verdict.kind === "waiting" ? { ...verdict, asked: true } : verdict;
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
    return { kind: "waiting", why, retryAt: row.expiresAt.getTime(), asked: false };
  }
}
