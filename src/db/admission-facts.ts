import { type SQL, sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { readCounters } from "./counters.ts";
import { run } from "./statement.ts";
import { TRAP_CHANGES } from "./traps.ts";

/** What admission must know of the store, apart from who is seeded (seeded-hosts.ts). */
export interface AdmissionFacts {
  /** Host names and registrable domains that an operator blocked. */
  blocks: Set<string>;
  /** By host name; hosts without patterns are not in it. */
  patterns: Map<string, { include: readonly string[]; exclude: readonly string[] }>;
  /** Hosts that have reached their quota of URLs or bytes. */
  fullHosts: Set<string>;
  /** URLs known in all. */
  urlCount: number;
  /** URLs removed so far; each of them may be admitted anew. */
  removedCount: number;
  /** Counts changes of what traps.ts keeps. */
  trapChanges: number;
}

interface HostFacts {
  name: string;
  full: boolean;
  include: string[] | null;
  exclude: string[] | null;
}

const isFull = (hostUrlsMax: number): SQL =>
  sql`(url_count >= coalesce(urls_max, ${hostUrlsMax}::integer) or byte_count >= bytes_max)`;

/** A look at every host: callers keep the answer for a while. */
export async function countFullHosts(db: Db, hostUrlsMax: number): Promise<number> {
  const rows = await run<{ n: number }>(
    db,
    sql`select count(*)::float8 as n from hosts where ${isFull(hostUrlsMax)}`,
  );
  return rows[0]!.n;
}

/** Reads only hosts that something is to be said of; `hostUrlsMax` is HOST_MAX_URLS. */
export async function readAdmissionFacts(db: Db, hostUrlsMax: number): Promise<AdmissionFacts> {
  const full = isFull(hostUrlsMax);
  const [hosts, blocks, counters] = await Promise.all([
    run<HostFacts>(
      db,
      sql`select name, coalesce(${full}, false) as full,
          include_patterns as include, exclude_patterns as exclude
        from hosts
        where ${full} or include_patterns is not null or exclude_patterns is not null`,
    ),
    run<{ name: string }>(db, sql`select name from blocks`),
    readCounters(db),
  ]);
  const removedCount = counters.get("removed") ?? 0;
  return {
    blocks: new Set(blocks.map((block) => block.name)),
    patterns: new Map(
      hosts
        .filter((host) => host.include || host.exclude)
        .map((host) => [host.name, { include: host.include ?? [], exclude: host.exclude ?? [] }]),
    ),
    fullHosts: new Set(hosts.filter((host) => host.full).map((host) => host.name)),
    urlCount: (counters.get("accepted") ?? 0) - removedCount,
    removedCount,
    trapChanges: counters.get(TRAP_CHANGES) ?? 0,
  };
}
