import type { ClaimedUrl } from "../db/claim-urls.ts";
import type { HostRow } from "../db/hosts.ts";
import { releaseUrls } from "../db/settle-urls.ts";
import type { CrawlDeps } from "./deps.ts";

const CLAIM_MAX = 32;
/** What a request is taken to last when a claim is sized. */
const REQUEST_GUESS_MS = 50;

/** Budgets of a turn: a huge site never starves others. */
const TURN_URLS_MAX = 500;
const TURN_MS = 20_000;

/** The URLs that a turn has claimed and not yet asked for. */
export class TurnUrls {
  readonly #claimed: ClaimedUrl[] = [];
  /** Claimed, and to come after their siblings; `until` null: as the turn's end says. */
  readonly #behind: { id: number; until: number | null }[] = [];
  #taken = 0;
  #claiming: Promise<void> | null = null;
  readonly #startedAt: number;
  readonly #deps: CrawlDeps;
  readonly #host: HostRow;
  readonly token: string;

  constructor(deps: CrawlDeps, host: HostRow, token: string) {
    this.#deps = deps;
    this.#host = host;
    this.token = token;
    this.#startedAt = deps.clock.now();
  }

  get budgetSpent(): boolean {
    return this.#taken >= TURN_URLS_MAX || this.#leftMs <= 0;
  }

  get #leftMs(): number {
    return TURN_MS - (this.#deps.clock.now() - this.#startedAt);
  }

  /** The next claimed URL; claims no more than the turn can fetch in its seconds. */
  async next(gapMs: number): Promise<ClaimedUrl | null> {
    if (this.#claimed.length === 0) {
      this.#claiming ??= this.#claim(gapMs).finally(() => {
        this.#claiming = null;
      });
      await this.#claiming;
    }
    const url = this.#claimed.shift() ?? null;
    if (url) this.#taken++;
    return url;
  }

  async #claim(gapMs: number): Promise<void> {
    const fits = Math.ceil(this.#leftMs / (gapMs + REQUEST_GUESS_MS));
    const limit = Math.max(1, Math.min(CLAIM_MAX, fits, TURN_URLS_MAX - this.#taken));
    const request = { hostId: this.#host.id, token: this.token, limit };
    this.#claimed.push(...(await this.#deps.claims.add(request)));
  }

  /** Not asked after all. */
  putBack(url: ClaimedUrl): void {
    this.#claimed.unshift(url);
    this.#taken--;
  }

  /**
   * Met a failure of its host: it goes behind its siblings, nothing counted; `until` in epoch ms.
   */
  putBehind(url: ClaimedUrl, until: number | null = null): void {
    this.#behind.push({ id: url.id, until });
  }

  /** Ends the claims that are left: attempts unchanged. May be tried again when it failed. */
  async giveBack(behindUntil: Date | null): Promise<void> {
    const release = async (ids: number[], notBefore: Date | null) => {
      if (ids.length > 0) await releaseUrls(this.#deps.db, this.token, ids, notBefore);
    };
    await release(
      this.#claimed.map(({ id }) => id),
      null,
    );
    this.#claimed.length = 0;
    for (const [until, urls] of Map.groupBy(this.#behind, (url) => url.until)) {
      const ids = urls.map(({ id }) => id);
      await release(ids, until === null ? behindUntil : new Date(until));
    }
    this.#behind.length = 0;
  }
}
