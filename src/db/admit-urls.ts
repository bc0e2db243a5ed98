import { sql } from "drizzle-orm";
import { frontierLeft, type NoRoom, ROOM_FOR_ALL, type Room, Vacancy } from "./admission-room.ts";
import { bigints, enums, integers, texts, times, uuids } from "./bulk.ts";
import { changeHosts, type HostChange } from "./change-hosts.ts";
import type { Db } from "./connect.ts";
import { increment } from "./counters.ts";
import { ensureHosts, type HostIdentity } from "./host-ids.ts";
import type { urls } from "./schema/urls.ts";
import { inTransaction, run } from "./statement.ts";

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
 * URLs keep their rows. `alsoHosts` joins the host changes of the caller's transaction to those of
 * the admission (see change-hosts.ts); without a transaction it opens one. Results in order of
 * `rows`, a key given twice twice. No host has more URLs than `room` leaves it.
 */
export async function admitUrls(
  db: Db,
  rows: readonly AdmitRow[],
  alsoHosts: readonly HostChange[] = [],
  room: Room = ROOM_FOR_ALL,
): Promise<AdmitResult[]> {
  const batch = distinct(rows);
  if (batch.length === 0 && alsoHosts.length === 0) return [];
  const results = await inTransaction(db, async (tx) => {
    const [hosts, left] = await Promise.all([
      ensureHosts(tx, batch, room.hostUrlsMax),
      batch.length > 0 ? frontierLeft(tx, room) : 0,
    ]);
    const vacancy = new Vacancy(tx, left);
    const open = vacancy.open(batch, hosts);
    const admitted = await insertUrls(tx, open, hosts);
    await vacancy.fitFrontier(open, hosts, admitted);
    const known = open.filter(({ raise, key }) => raise && !admitted.has(key));
    const raised = await raiseUrls(
      tx,
      known.filter(({ key }) => !vacancy.refused.has(key)),
    );
    const changes = hostChanges(open, hosts, admitted, raised);
    const wanted = new Set(changes.map((change) => change.hostId)).size;
    const [found] = await Promise.all([
      changeHosts(tx, [...changes, ...alsoHosts], room.hostUrlsMax),
      increment(tx, { accepted: admitted.size }),
    ]);
    if (found.length < wanted) throw new HostLeft();
    await vacancy.fitHosts(found, admitted);
    const refused = [...vacancy.refused].map(
      ([key, reason]) => [key, { key, kind: "refused", reason }] as const,
    );
    return new Map<string, AdmitResult>([...admitted, ...raised, ...refused]);
  });
  return rows.map(({ key }) => results.get(key) ?? { key, kind: "known", id: null, state: null });
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
type Known = Extract<AdmitResult, { kind: "known" }> & { readonly due: Date | "now" | null };

function distinct(rows: readonly AdmitRow[]): BatchRow[] {
  const byKey = new Map<string, BatchRow>();
  rows.forEach((row, place) => {
    const first = byKey.get(row.key);
    byKey.set(row.key, first ? union(first, row) : { ...row, place });
  });
  return [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function union(first: BatchRow, again: AdmitRow): BatchRow {
  return {
    ...first,
    depth: Math.min(first.depth, again.depth),
    hops: Math.min(first.hops, again.hops),
    priority: Math.max(first.priority, again.priority),
    raise: first.raise || again.raise,
    seeds: first.seeds || again.seeds,
    lane: first.lane === 0 || again.lane === 0 ? 0 : 1,
  };
}

async function insertUrls(
  tx: Db,
  batch: readonly BatchRow[],
  hosts: ReadonlyMap<string, HostIdentity>,
): Promise<Map<string, Admitted>> {
  if (batch.length === 0) return new Map();
  const hostOf = (row: BatchRow) => hosts.get(row.host)!;
  // A URL that slips in behind a block waits in the state that unblocking looks for.
  const states = batch.map((row) => (hostOf(row).blocked ? "blocked" : "pending"));
  const rows = await run<{ key: string; id: string; state: UrlState }>(
    tx,
    sql`insert into urls
        (host_id, key, url, depth, hops, priority, via, state, reason, next_crawl_at)
      select host_id, key, url, depth, hops, priority, via, state,
        case when state = 'blocked' then 'host blocked' end,
        coalesce(due, statement_timestamp() - place * interval '1 microsecond')
      from unnest(
        ${bigints(batch.map((row) => hostOf(row).id))}, ${uuids(batch.map((row) => row.key))},
        ${texts(batch.map((row) => row.url))}, ${integers(batch.map((row) => row.depth))},
        ${integers(batch.map((row) => row.hops))}, ${integers(batch.map((row) => row.priority))},
        ${enums(
          "url_origin",
          batch.map((row) => row.via),
        )}, ${enums("url_state", states)},
        ${times(batch.map((row) => row.nextCrawlAt ?? null))},
        ${integers(batch.map((row) => batch.length - row.place))}
      ) as i (host_id, key, url, depth, hops, priority, via, state, due, place)
      on conflict (key) do nothing
      returning key, id, state`,
  );
  return new Map(
    rows.map(({ key, id, state }) => [key, { key, kind: "admitted", id: Number(id), state }]),
  );
}

/**
 * Locks known rows in order of their keys, then raises those whose priority is lower. Those of dead
 * hosts were put off with their host, for a day: they are due now, or it would be woken in vain.
 */
async function raiseUrls(tx: Db, known: readonly BatchRow[]): Promise<Map<string, Known>> {
  if (known.length === 0) return new Map();
  const rows = await run<{
    key: string;
    id: string;
    state: UrlState;
    priority: number;
    due_at: string | null;
    is_dead: boolean;
  }>(
    tx,
    sql`select u.key, u.id, u.state, u.priority, u.next_crawl_at as due_at,
        u.state = 'pending' and h.state = 'dead' as is_dead
      from urls u join hosts h on h.id = u.host_id
      where u.key = any(${uuids(known.map((row) => row.key))})
      order by u.key for no key update of u`,
  );
  const putOff = rows.filter((row) => row.is_dead).map((row) => Number(row.id));
  if (putOff.length > 0) {
    await run(
      tx,
      sql`update urls set next_crawl_at = least(next_crawl_at, statement_timestamp())
        where id = any(${bigints(putOff)})`,
    );
  }
  const priorities = new Map(known.map((row) => [row.key, row.priority]));
  const lower = rows.filter((row) => row.priority < priorities.get(row.key)!);
  if (lower.length > 0) {
    await run(
      tx,
      sql`update urls u set priority = r.priority
        from unnest(${bigints(lower.map((row) => Number(row.id)))},
          ${integers(lower.map((row) => priorities.get(row.key)!))}) as r (id, priority)
        where u.id = r.id`,
    );
  }
  return new Map(
    rows.map((row) => {
      const { key, state } = row;
      const dueAt = state === "pending" && row.due_at !== null ? new Date(row.due_at) : null;
      const due = row.is_dead ? "now" : dueAt;
      return [key, { key, kind: "known", id: Number(row.id), state, due }];
    }),
  );
}

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
