import type { ClaimedUrl } from "../db/claim-urls.ts";
import type { HostRow } from "../db/hosts.ts";
import { doubtIndex } from "../db/index-repairs.ts";
import { putOffUrls } from "../db/put-off.ts";
import { releaseUnsettled, releaseUrls } from "../db/settle-urls.ts";
import type { Authority } from "../url/host.ts";
import type { CrawlDeps } from "./deps.ts";

const CLAIM_MAX = 32;
/** Rows of one statement that puts the URLs of an authority off. */
const PUT_OFF_MAX = 1_000;
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
  /** Perhaps in the index, and not settled. */
  readonly #unsettled: number[] = [];
  #taken = 0;
  #claiming: Promise<void> | null = null;
  readonly #startedAt: number;
  readonly #urlsMax: number;
  readonly #deps: CrawlDeps;
  readonly #host: HostRow;
  readonly token: string;

  constructor(deps: CrawlDeps, host: HostRow, token: string, urlsMax = TURN_URLS_MAX) {
    this.#deps = deps;
    this.#host = host;
    this.token = token;
    this.#startedAt = deps.clock.now();
    this.#urlsMax = Math.min(urlsMax, TURN_URLS_MAX);
  }

  get budgetSpent(): boolean {
    return this.#taken >= this.#urlsMax || this.#leftMs <= 0;
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
    const limit = Math.max(1, Math.min(CLAIM_MAX, fits, this.#urlsMax - this.#taken));
    const request = { hostId: this.#host.id, token: this.token, limit };
    this.#claimed.push(...(await this.#deps.claims.add(request)));
  }

  /** Is anything left to be claimed? */
  async isMore(gapMs: number): Promise<boolean> {
    const url = await this.next(gapMs);
    if (url) this.putBack(url);
    return url !== null;
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

  /**
   * Its authority waits until then, and all its URLs with it, claimed or not: those of the host's
   * other authorities are next.
   */
  async putAuthorityOff(url: ClaimedUrl, where: Authority, until: number): Promise<void> {
    // As URLs are written, whose default port is not.
    const prefix = new URL(`${where}/`).href;
    this.putBehind(url, until);
    const kept = this.#claimed.filter((each) => !each.url.startsWith(prefix));
    for (const each of this.#claimed) {
      if (each.url.startsWith(prefix)) this.putBehind(each, until);
    }
    this.#claimed.splice(0, this.#claimed.length, ...kept);
    const putOff = { hostId: this.#host.id, prefix, until: new Date(until) };
    while ((await putOffUrls(this.#deps.db, putOff, PUT_OFF_MAX)) > 0);
  }

  /**
   * Its visit came as far as the index and could not be settled: it comes again in another turn,
   * and until then the index is made to say what the store says.
   */
  leaveUnsettled(url: ClaimedUrl): void {
    this.#unsettled.push(url.id);
  }

  /** The lease is lost, and with it what was claimed: what is in the index must still be mended. */
  async mendIndex(): Promise<void> {
    const ids = [...this.#unsettled];
    await doubtIndex(this.#deps.db, ids);
    this.#unsettled.splice(0, ids.length);
  }

  /** Ends the claims that are left: attempts unchanged. May be tried again when it failed. */
  async giveBack(behindUntil: Date | null): Promise<void> {
    const unsettled = [...this.#unsettled];
    if (unsettled.length > 0) await releaseUnsettled(this.#deps.db, this.token, unsettled);
    this.#unsettled.splice(0, unsettled.length);
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
