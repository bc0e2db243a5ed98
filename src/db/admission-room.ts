import { sql } from "drizzle-orm";
import type { RegionClaim } from "../frontier/region.ts";
import { bigints, integers } from "./bulk.ts";
import type { ChangedHost } from "./change-hosts.ts";
import type { Db } from "./connect.ts";
import { increment } from "./counters.ts";
import type { HostIdentity } from "./host-ids.ts";
import { takePages } from "./page-keys.ts";
import { run } from "./statement.ts";

/**
 * How much may be known: counted down in the transaction of each admission. Those at once may pass
 * the whole by theirs.
 */
export interface Room {
  /** `HOST_MAX_URLS`, for hosts without a quota of their own. */
  readonly hostUrlsMax: number;
  /** `FRONTIER_MAX_URLS`. */
  readonly frontierUrlsMax: number;
}

export const ROOM_FOR_ALL: Room = {
  hostUrlsMax: 2 ** 31 - 1,
  frontierUrlsMax: Number.MAX_SAFE_INTEGER,
};

/** What counters of URLs that were admitted begin with; their origin follows. */
export const ADMITTED = "admitted.";

/** `scope`: its host is not of the region; `same page`: page-keys.ts. */
export type NoRoom = "host full" | "frontier full" | "scope" | "same page";

interface Candidate {
  readonly key: string;
  readonly host: string;
  readonly priority: number;
  readonly via: string;
  readonly place: number;
  readonly raise: boolean;
  readonly region?: RegionClaim;
  readonly pageKey?: string;
}

type Hosts = ReadonlyMap<string, HostIdentity>;

interface Entered {
  readonly key: string;
  readonly id: number;
  readonly hostId: number;
  readonly via: string;
}

/** A site may follow its own links until it has failed; an unknown one needs somebody to vouch. */
function isOfRegion({ region }: Candidate, host: HostIdentity | undefined): boolean {
  if (region === undefined) return true;
  const standing = host?.standing;
  if (standing === undefined || standing === "out") return false;
  if (region === "own" || standing === "in") return true;
  return region === "vouched" && standing === "open";
}

/**
 * The room that one admission finds. What is new is known only once it has been entered: rows that
 * turn out to be beyond the room are taken back, before anybody has seen them.
 */
export class Vacancy {
  readonly refused = new Map<string, NoRoom>();
  /** Those that matter least first: of equal priority the last ones. */
  #entered: Entered[] = [];
  readonly #tx: Db;
  readonly #left: number;

  constructor(tx: Db, left: number) {
    this.#tx = tx;
    this.#left = left;
  }

  /** Rows that there may be room for; a person's URL may be known, and is looked for. */
  open<Row extends Candidate>(batch: readonly Row[], hosts: Hosts): Row[] {
    const reason = this.#left > 0 ? "host full" : "frontier full";
    return batch.filter((row) => {
      const { key, host, raise } = row;
      const isInScope = isOfRegion(row, hosts.get(host));
      const isOpen = isInScope && (raise || (this.#left > 0 && !hosts.get(host)!.full));
      if (!isOpen) this.refused.set(key, isInScope ? reason : "scope");
      return isOpen;
    });
  }

  /** New rows whose page another URL has: their hosts have parameters that change no page. */
  async fitPages(
    rows: readonly Candidate[],
    hosts: Hosts,
    admitted: Map<string, { readonly id: number }>,
  ): Promise<void> {
    const wanted = rows.flatMap(({ key, host, via, pageKey }) => {
      const own = pageKey === undefined ? undefined : admitted.get(key);
      const hostId = hosts.get(host)!.id;
      return own === undefined ? [] : [{ hostId, key: pageKey!, urlId: own.id, row: { key, via } }];
    });
    if (wanted.length === 0) return;
    const taken = await takePages(this.#tx, wanted);
    const beyond = wanted.filter(({ urlId }) => !taken.has(urlId));
    const entered = beyond.map(({ row, urlId: id, hostId }) => ({ ...row, id, hostId }));
    await this.#takeBack(entered, "same page", admitted);
  }

  async fitFrontier(
    rows: readonly Candidate[],
    hosts: Hosts,
    admitted: Map<string, { readonly id: number }>,
  ): Promise<void> {
    this.#entered = rows
      .filter(({ key }) => admitted.has(key))
      .sort((a, b) => a.priority - b.priority || b.place - a.place)
      .map(({ key, host, via }) => ({
        key,
        via,
        id: admitted.get(key)!.id,
        hostId: hosts.get(host)!.id,
      }));
    const beyond = Math.max(0, this.#entered.length - this.#left);
    await this.#takeBack(this.#entered.slice(0, beyond), "frontier full", admitted);
  }

  /** By now the hosts are locked, with these rows counted: what they have too many is ours. */
  async fitHosts(hosts: readonly ChangedHost[], admitted: Map<string, unknown>): Promise<void> {
    const full = new Map(hosts.filter(({ over }) => over > 0).map(({ id, over }) => [id, over]));
    if (full.size === 0) return;
    const byHost = Map.groupBy(
      this.#entered.filter(({ key, hostId }) => full.has(hostId) && admitted.has(key)),
      ({ hostId }) => hostId,
    );
    const beyond = [...byHost].flatMap(([id, rows]) => rows.slice(0, full.get(id)));
    if (beyond.length === 0) return;
    await this.#takeBack(beyond, "host full", admitted);
    await this.#uncount(beyond);
  }

  async #takeBack(
    rows: readonly Entered[],
    reason: NoRoom,
    admitted: Map<string, unknown>,
  ): Promise<void> {
    if (rows.length === 0) return;
    for (const { key } of rows) {
      admitted.delete(key);
      this.refused.set(key, reason);
    }
    const ids = bigints(rows.map(({ id }) => id));
    await run(this.#tx, sql`delete from urls where id = any(${ids})`);
  }

  async #uncount(rows: readonly Entered[]): Promise<void> {
    const counts = [...Map.groupBy(rows, ({ hostId }) => hostId)];
    await run(
      this.#tx,
      sql`update hosts h set url_count = h.url_count - c.urls
        from unnest(${integers(counts.map(([id]) => id))},
          ${integers(counts.map(([, each]) => each.length))}) as c (id, urls)
        where h.id = c.id`,
    );
    const origins = [...Map.groupBy(rows, ({ via }) => `${ADMITTED}${via}`)];
    const less = origins.map(([name, each]) => [name, -each.length] as const);
    await increment(this.#tx, { accepted: -rows.length, ...Object.fromEntries(less) });
  }
}
