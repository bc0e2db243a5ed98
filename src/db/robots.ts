import { getTableColumns, sql } from "drizzle-orm";
import { integers, texts, times } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { robots } from "./schema/hosts.ts";
import { run } from "./statement.ts";

export type RobotsRow = typeof robots.$inferSelect;

/** Rows of those authorities that have one, in no order. */
export async function readRobots(db: Db, authorities: readonly string[]): Promise<RobotsRow[]> {
  if (authorities.length === 0) return [];
  return await db
    .select(getTableColumns(robots))
    .from(robots)
    .where(sql`${robots.authority} = any(${texts(authorities)})`);
}

export async function robotsOfHost(db: Db, hostId: number): Promise<RobotsRow[]> {
  return await db
    .select(getTableColumns(robots))
    .from(robots)
    .where(sql`${robots.hostId} = ${hostId}`)
    .orderBy(robots.authority);
}

/** `scheme://name[:port]` of the URLs of a host, as they are written: a look at all of them. */
export async function originsOf(db: Db, hostId: number): Promise<string[]> {
  const rows = await run<{ origin: string }>(
    db,
    sql`select distinct substring(url from '^[a-z]+://[^/]+') as origin from urls
      where host_id = ${hostId}::integer`,
  );
  return rows.map((row) => row.origin);
}

/** Has one of these authorities ever given a robots.txt, or said that it has none? */
export async function answeredRobots(db: Db, authorities: readonly string[]): Promise<boolean> {
  if (authorities.length === 0) return false;
  const rows = await run(
    db,
    sql`select from robots where authority = any(${texts(authorities)}) and status is not null
      limit 1`,
  );
  return rows.length > 0;
}

/** One row an authority at most. */
export async function saveRobots(db: Db, rows: readonly RobotsRow[]): Promise<void> {
  if (rows.length === 0) return;
  const list = <T>(value: (row: RobotsRow) => T) => rows.map(value);
  await run(
    db,
    sql`insert into robots (${COLUMNS})
      select * from unnest(
        ${texts(list((row) => row.authority))},
        ${integers(list((row) => row.hostId))},
        ${integers(list((row) => row.status))},
        ${texts(list((row) => row.body))},
        ${texts(list((row) => row.etag))},
        ${texts(list((row) => row.lastModified))},
        ${times(list((row) => row.fetchedAt))},
        ${times(list((row) => row.expiresAt))},
        ${integers(list((row) => row.failures))},
        ${texts(list((row) => row.failure))}
      ) as saved (${COLUMNS}) order by authority
      on conflict (authority) do update set ${REPLACED}`,
  );
}

const NAMES = [
  "authority",
  "host_id",
  "status",
  "body",
  "etag",
  "last_modified",
  "fetched_at",
  "expires_at",
  "failures",
  "failure",
];
const COLUMNS = sql.raw(NAMES.join(", "));
const REPLACED = sql.raw(NAMES.map((name) => `${name} = excluded.${name}`).join(", "));
