import { sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { RowList } from "./row-list.ts";
import { keep } from "./statement.ts";

export interface PageKey {
  readonly hostId: number;
  /** Of the URL without the neutral parameters of its host. */
  readonly key: string;
  readonly urlId: number;
}

/**
 * Who has a page first keeps it, and so does who has its very URL. Gives the ids of those that have
 * theirs; the others are the same pages as URLs that are known. In one transaction with the
 * admission of these, or of URLs that are known.
 */
export async function takePages(db: Db, wanted: readonly PageKey[]): Promise<Set<number>> {
  if (wanted.length === 0) return new Set();
  const byKey = [...wanted].sort((a, b) =>
    a.key === b.key ? a.urlId - b.urlId : a.key < b.key ? -1 : 1,
  );
  const rows = await takeRows(db, WANTED.values(byKey));
  return new Set(rows.map(({ url_id }) => Number(url_id)));
}

/** Some of a host that is being forgotten. */
export async function forgetPages(db: Db, hostId: number, limit: number): Promise<void> {
  await forgetRows(db, { hostId, limit });
}

const forgetRows = keep(
  () => sql`delete from page_keys p where p.host_id = ${sql.placeholder("hostId")}::integer
    and p.key = any(array(
      select key from page_keys where host_id = ${sql.placeholder("hostId")}::integer
      order by key limit ${sql.placeholder("limit")}::integer))`,
);

const WANTED = new RowList<PageKey>("wanted", {
  host_id: ["integer", (row) => row.hostId],
  key: ["uuid", (row) => row.key],
  url_id: ["bigint", (row) => row.urlId],
});

/** A page whose URL was removed is free. */
const takeRows = keep<{ url_id: string }>(
  () => sql`insert into page_keys as p (host_id, key, url_id)
    select distinct on (w.key) w.host_id, w.key, w.url_id from ${WANTED.table} w
    where not exists (select from urls u where u.key = w.key and u.id <> w.url_id)
    order by w.key, w.url_id
    on conflict (host_id, key) do update set url_id = excluded.url_id
      where p.url_id = excluded.url_id
        or not exists (select from urls u where u.id = p.url_id)
    returning url_id`,
);
