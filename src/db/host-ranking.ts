import { type SQL, sql } from "drizzle-orm";
import { integers, texts } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { ADVISORY_LOCK } from "./locks.ts";
import { hostRanking } from "./schema/host-links.ts";
import { run } from "./statement.ts";

/** Hosts and links of one read: some 100 KB, which the main thread takes in a millisecond. */
const HOSTS_AT_ONCE = 5_000;
const LINKS_AT_ONCE = 10_000;

const KEEP_ALIVE_MS = 1_000;

/**
 * Runs `work` while nobody else in the cluster ranks hosts; null: somebody does. The transaction
 * that holds the lock takes no part in the work, and must not idle until it is ended for that.
 */
export async function rankingAlone<T>(db: Db, work: () => Promise<T>): Promise<T | null> {
  return await db.transaction(async (tx) => {
    const [lock] = await run<{ held: boolean }>(
      tx,
      sql`select pg_try_advisory_xact_lock(${ADVISORY_LOCK.ranking}::bigint) as held`,
    );
    if (!lock!.held) return null;
    // Work whose lock is lost goes on: two that rank at once come to the same.
    const alive = setInterval(() => run(tx, sql`select 1`).catch(() => {}), KEEP_ALIVE_MS);
    try {
      return await work();
    } finally {
      clearInterval(alive);
    }
  });
}

export interface RankingState {
  /** Links have changed since hosts were ranked. */
  readonly isStale: boolean;
  /** Since then; null: never. */
  readonly ageMs: number | null;
  /** What `rankedUpTo` is told of the links as they are now. */
  readonly changes: number;
}

export async function readRanking(db: Db): Promise<RankingState> {
  const [row] = await run<{ changes: string; ranked: string; age_ms: number | null }>(
    db,
    sql`select changes, ranked,
        extract(epoch from clock_timestamp() - ranked_at)::float8 * 1000 as age_ms
      from host_ranking`,
  );
  if (!row) return { isStale: false, ageMs: null, changes: 0 };
  return {
    isStale: row.changes !== row.ranked,
    ageMs: row.age_ms,
    changes: Number(row.changes),
  };
}

export async function rankedUpTo(db: Db, changes: number): Promise<void> {
  await db.update(hostRanking).set({ ranked: changes, rankedAt: sql`clock_timestamp()` });
}

/** How much a link of host `h` counts: its score of the region, as frontier/region.ts has it. */
const regionScore = (h: SQL): SQL =>
  sql`((${h}.region_sum / 1000.0 + 5 * 0.5) / (${h}.region_count + 5))::real`;

/**
 * All hosts in order of their ids as frontier/host-graph.ts reads them, in pieces: the store packs
 * them, so that no row is touched here.
 */
export async function* packedHosts(db: Db): AsyncGenerator<Uint8Array> {
  for (let after = 0; ; ) {
    const [read] = await run<{ packed: Uint8Array | null; last: number | null; n: string }>(
      db,
      sql`select max(id) as last, count(*) as n,
          string_agg(int4send(id) || int4send(hashtext(domain)) || float4send(authority)
            || int4send(linking_hosts) || float4send(${regionScore(sql`h`)})
            || int4send((seeded_at is not null)::integer
              + 2 * (state = 'blocked')::integer), ''::bytea order by id) as packed
        from (select * from hosts where id > ${after}::integer
          order by id limit ${HOSTS_AT_ONCE}::integer) h`,
    );
    const { packed, last, n } = read!;
    if (packed === null || last === null) return;
    yield packed;
    if (Number(n) < HOSTS_AT_ONCE) return;
    after = last;
  }
}

/** The same of all links, in order of both ids. */
export async function* packedLinks(db: Db): AsyncGenerator<Uint8Array> {
  for (let [from, to] = [0, 0]; ; ) {
    const [read] = await run<{ packed: Uint8Array | null; n: string }>(
      db,
      sql`select count(*) as n, string_agg(int4send(from_host) || int4send(to_host), ''::bytea
          order by from_host, to_host) as packed
        from (select from_host, to_host from host_links
          where (from_host, to_host) > (${from}::integer, ${to}::integer)
          order by from_host, to_host limit ${LINKS_AT_ONCE}::integer) l`,
    );
    const { packed, n } = read!;
    if (packed === null) return;
    yield packed;
    if (Number(n) < LINKS_AT_ONCE) return;
    const last = new DataView(packed.buffer, packed.byteOffset + packed.length - 8, 8);
    [from, to] = [last.getInt32(0), last.getInt32(4)];
  }
}

export interface StoredRank {
  readonly id: number;
  readonly authority: number;
  readonly linkingHosts: number;
}

/** In order of their ids, as everyone locks hosts. */
export async function saveRanks(db: Db, ranks: readonly StoredRank[]): Promise<void> {
  const column = (value: (rank: StoredRank) => number) => ranks.map(value);
  await run(
    db,
    sql`with ranked as materialized (
        select * from unnest(${integers(column(({ id }) => id))},
          ${`{${column(({ authority }) => authority).join(",")}}`}::real[],
          ${integers(column(({ linkingHosts }) => linkingHosts))})
          as r (id, authority, linking_hosts)
      ), locked as materialized (
        select h.id from hosts h where h.id = any(array(select id from ranked))
        order by h.id for no key update
      )
      update hosts h set authority = r.authority, linking_hosts = r.linking_hosts
      from ranked r where h.id = r.id and (select count(*) from locked) > 0`,
  );
}

export async function namesOfHosts(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await run<{ id: number; name: string }>(
    db,
    sql`select id, name from hosts where id = any(${integers(ids)})`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface RankedHost {
  readonly id: number;
  readonly name: string;
  readonly authority: number;
}

/** All hosts, in order of their ids, after `after`. */
export async function rankedHostsAfter(
  db: Db,
  after: number,
  limit: number,
): Promise<RankedHost[]> {
  return await run<RankedHost>(
    db,
    sql`select id, name, authority from hosts where id > ${after}::integer
      order by id limit ${limit}::integer`,
  );
}

/** Of the hosts of these names that there are. */
export async function ranksOfHosts(
  db: Db,
  names: readonly string[],
): Promise<{ host: string; authority: number }[]> {
  return await run(
    db,
    sql`select name as host, authority from hosts where name = any(${texts(names)})`,
  );
}

/** Links from and to hosts that were forgotten while they were entered. */
export async function dropDanglingLinks(db: Db): Promise<void> {
  await run(
    db,
    sql`delete from host_links l where not exists (select from hosts h where h.id = l.from_host)
      or not exists (select from hosts h where h.id = l.to_host)`,
  );
}
