import { sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { RowList } from "./row-list.ts";
import { keep, run } from "./statement.ts";

interface NewLink {
  readonly hostId: number;
  readonly name: string;
}

export const pairOf = (hostId: number, name: string): string => `${hostId} ${name}`;

/**
 * Notes which hosts link to which. Links within one registrable domain are none, nor are those to
 * hosts that the store does not know. Gives the pairs of which it knows the target. Comes last in a
 * transaction: what it locks, it locks in order.
 */
export async function linkHosts(
  tx: Db,
  items: readonly { readonly hostId: number; readonly linkedHosts: readonly string[] }[],
): Promise<Set<string>> {
  const links = new Map<string, NewLink>();
  for (const { hostId, linkedHosts } of items) {
    for (const name of linkedHosts) links.set(pairOf(hostId, name), { hostId, name });
  }
  if (links.size === 0) return new Set();
  const found = await enterLinks(tx, LINKING.values([...links.values()]));
  return new Set(found.map(({ from_host, name }) => pairOf(from_host, name)));
}

const LINKING = new RowList<NewLink>("linking", {
  from_host: ["integer", (link) => link.hostId],
  name: ["text", (link) => link.name],
});

/** All pairs are entered before the one row is locked that all transactions with new links want. */
const enterLinks = keep<{ from_host: number; name: string }>(
  () => sql`with found as materialized (
      select i.from_host, i.name, t.id as to_host, t.domain <> f.domain as is_link
      from ${LINKING.table} i
        join hosts f on f.id = i.from_host join hosts t on t.name = i.name
    ), entered as (
      insert into host_links (from_host, to_host)
      select from_host, to_host from found where is_link order by from_host, to_host
      on conflict do nothing returning from_host
    ), noted as (
      insert into host_ranking as r (id, changes)
      select 1, 1 where (select count(*) from entered) > 0
      on conflict (id) do update set changes = r.changes + 1
    )
    select from_host, name from found`,
);

/** Forgets the links from and to a host. */
export async function unlinkHost(tx: Db, hostId: number): Promise<void> {
  await run(
    tx,
    sql`with gone as (
        delete from host_links where from_host = ${hostId}::integer returning 1
      ), gone_to as (
        delete from host_links where to_host = ${hostId}::integer returning 1
      )
      insert into host_ranking as r (id, changes)
      select 1, 1 where (select count(*) from gone) + (select count(*) from gone_to) > 0
      on conflict (id) do update set changes = r.changes + 1`,
  );
}
