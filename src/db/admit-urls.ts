import { sql } from "drizzle-orm";
import type { RegionClaim } from "../frontier/region.ts";
import { ADMITTED, type NoRoom, ROOM_FOR_ALL, type Room, Vacancy } from "./admission-room.ts";
import { changeHosts, type HostChange } from "./change-hosts.ts";
import type { Db } from "./connect.ts";
import type { Counts } from "./counters.ts";
import { ensureHosts, type HostIdentity } from "./host-ids.ts";
import { type Known, raiseUrls } from "./raise-urls.ts";
import { millis, RowList } from "./row-list.ts";
import type { urls } from "./schema/urls.ts";
import { inTransaction, keep } from "./statement.ts";

export type UrlRow = typeof urls.$inferSelect;
export type UrlState = UrlRow["state"];
export type UrlOrigin = UrlRow["via"];

/** A candidate that frontier/admit.ts has let in. */
export interface AdmitRow {
  readonly key: string;
  readonly url: string;
  readonly host: string;
  readonly domain: string;
  readonly depth: number;
  readonly hops: number;
  /** 0..255, higher first. */
  readonly priority: number;
  readonly via: UrlOrigin;
  /** Absent: due at once, in the order of the rows. */
  readonly nextCrawlAt?: Date;
  /** Seeds, submissions and operators alone may raise the priority of a known URL. */
  readonly raise: boolean;
  /** A person named it: its host is seeded. */
  readonly seeds: boolean;
  /** 0: its host goes to the first lane. */
  readonly lane?: 0 | 1;
  /** What speaks for a host that may be out of the region; absent: nothing has to. */
  readonly region?: RegionClaim;
  /** Of the URL without the neutral parameters of its host; absent: the host has none. */
  readonly pageKey?: string;
}

export type AdmitResult =
  | {
      readonly key: string;
      readonly kind: "admitted";
      readonly id: number;
      readonly state: UrlState;
    }
  /** `id` and `state` are looked up for rows with `raise` alone: the hot path never reads. */
  | {
      readonly key: string;
      readonly kind: "known";
      readonly id: number | null;
      readonly state: UrlState | null;
    }
  /** A link may have been known all the same: where there is no room nobody looks. */
  | { readonly key: string; readonly kind: "refused"; readonly reason: NoRoom };

/**
 * Admits a batch: one row a key, sorted by key so that two batches never lock in a circle. Known
 * URLs keep their rows. `alsoHosts` and `alsoCounts` join the changes of the caller's transaction
 * to those of the admission (see change-hosts.ts); without a transaction it opens one. Results in
 * order of `rows`, a key given twice twice. No host has more URLs than `room` leaves it.
 */
export async function admitUrls(
  db: Db,
  rows: readonly AdmitRow[],
  alsoHosts: readonly HostChange[] = [],
  room: Room = ROOM_FOR_ALL,
  alsoCounts: Counts = {},
): Promise<AdmitResult[]> {
  const batch = distinct(rows);
  if (batch.length === 0) {
    await changeHosts(db, alsoHosts, room.hostUrlsMax, alsoCounts);
    return [];
  }
  const results = await inTransaction(db, async (tx) => {
    const { hosts, left } = await ensureHosts(tx, batch, room);
    const vacancy = new Vacancy(tx, left);
    const open = vacancy.open(batch, hosts);
    const admitted = await insertUrls(tx, open, hosts);
    await vacancy.fitPages(open, hosts, admitted);
    await vacancy.fitFrontier(open, hosts, admitted);
    const known = open.filter(({ raise, key }) => raise && !admitted.has(key));
    const raised = await raiseUrls(
      tx,
      known.filter(({ key }) => !vacancy.refused.has(key)),
    );
    const changes = hostChanges(open, hosts, admitted, raised);
    const wanted = new Set(changes.map((change) => change.hostId)).size;
    const counts = { ...alsoCounts, accepted: admitted.size, ...byOrigin(open, admitted) };
    const found = await changeHosts(tx, [...changes, ...alsoHosts], room.hostUrlsMax, counts);
    if (found.length < wanted) throw new HostLeft();
    await vacancy.fitHosts(found, admitted);
    const refused = [...vacancy.refused].map(
      ([key, reason]) => [key, { key, kind: "refused", reason }] as const,
    );
    return new Map<string, AdmitResult>([...admitted, ...raised, ...refused]);
  });
  return rows.map(({ key }) => results.get(key) ?? { key, kind: "known", id: null, state: null });
}

/** How many were admitted from where, as names of counters. */
function byOrigin(
  rows: readonly AdmitRow[],
  admitted: ReadonlyMap<string, unknown>,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { key, via } of rows) {
    if (admitted.has(key)) counts[`${ADMITTED}${via}`] = (counts[`${ADMITTED}${via}`] ?? 0) + 1;
  }
  return counts;
}

/** A host was forgotten while its URLs were admitted; trying the transaction again is right. */
class HostLeft extends Error {
  /** serialization_failure, so that `retrying` treats it like one of the store. */
  readonly code = "40001";
  constructor() {
    super("a host was removed while its URLs were admitted");
  }
}

interface BatchRow extends AdmitRow {
  /** Place in the caller's list. */
  readonly place: number;
}

type Admitted = Extract<AdmitResult, { kind: "admitted" }>;

function distinct(rows: readonly AdmitRow[]): BatchRow[] {
  const byKey = new Map<string, BatchRow>();
  rows.forEach((row, place) => {
    const first = byKey.get(row.key);
    byKey.set(row.key, first ? union(first, row) : { ...row, place });
  });
  return [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function union(first: BatchRow, again: AdmitRow): BatchRow {
  const { region: _, ...rest } = first;
  const region = strongerClaim(first.region, again.region);
  return {
    ...rest,
    ...(region && { region }),
    depth: Math.min(first.depth, again.depth),
    hops: Math.min(first.hops, again.hops),
    priority: Math.max(first.priority, again.priority),
    raise: first.raise || again.raise,
    seeds: first.seeds || again.seeds,
    lane: first.lane === 0 || again.lane === 0 ? 0 : 1,
  };
}

/** Of two that found the same URL the one that has more to say for it. */
function strongerClaim(a: AdmitRow["region"], b: AdmitRow["region"]): AdmitRow["region"] {
  if (a === undefined || b === undefined) return undefined;
  if (a === "own" || b === "own") return "own";
  return a === "vouched" || b === "vouched" ? "vouched" : "asks";
}

async function insertUrls(
  tx: Db,
  batch: readonly BatchRow[],
  hosts: ReadonlyMap<string, HostIdentity>,
): Promise<Map<string, Admitted>> {
  if (batch.length === 0) return new Map();
  const entering = batch.map((row) => ({ row, host: hosts.get(row.host)!, of: batch.length }));
  const rows = await enterRows(tx, ENTERING.values(entering));
  return new Map(
    rows.map(({ key, id, state }) => [key, { key, kind: "admitted", id: Number(id), state }]),
  );
}

interface Entering {
  readonly row: BatchRow;
  readonly host: HostIdentity;
  /** So many stand in the batch. */
  readonly of: number;
}

const ENTERING = new RowList<Entering>("entering", {
  host_id: ["integer", ({ host }) => host.id],
  key: ["uuid", ({ row }) => row.key],
  url: ["text", ({ row }) => row.url],
  depth: ["integer", ({ row }) => row.depth],
  hops: ["integer", ({ row }) => row.hops],
  priority: ["integer", ({ row }) => row.priority],
  via: ["url_origin", ({ row }) => row.via],
  // A URL that slips in behind a block waits in the state that unblocking looks for.
  state: ["url_state", ({ host }) => (host.blocked ? "blocked" : "pending")],
  due: ["timestamptz", ({ row }) => millis(row.nextCrawlAt ?? null)],
  place: ["integer", ({ row, of }) => of - row.place],
});

/**
 * Nine in ten are known: to look for their keys first, in the index alone, costs half of what it
 * costs to make a row and find that it conflicts.
 */
const enterRows = keep<{ key: string; id: string; state: UrlState }>(
  () => sql`insert into urls
      (host_id, key, url, depth, hops, priority, via, state, reason, next_crawl_at)
    select host_id, key, url, depth, hops, priority, via, state,
      case when state = 'blocked' then 'host blocked' end,
      coalesce(due, statement_timestamp() - place * interval '1 microsecond')
    from ${ENTERING.table} i
      left join lateral (select true as there from urls u where u.key = i.key limit 1) k on true
    where k.there is null
    on conflict (key) do nothing
    returning key, id, state`,
);

function hostChanges(
  batch: readonly BatchRow[],
  hosts: ReadonlyMap<string, HostIdentity>,
  admitted: ReadonlyMap<string, Admitted>,
  raised: ReadonlyMap<string, Known>,
): HostChange[] {
  const changes: HostChange[] = [];
  for (const row of batch) {
    const hostId = hosts.get(row.host)!.id;
    const lane = row.lane ?? 1;
    if (row.seeds) changes.push({ hostId, seeds: true });
    const named = row.raise;
    if (admitted.has(row.key))
      changes.push({ hostId, urls: 1, due: row.nextCrawlAt ?? "now", lane, named });
    const due = raised.get(row.key)?.due;
    if (due && (lane === 0 || due === "now")) changes.push({ hostId, due, lane, named });
  }
  return changes;
}
