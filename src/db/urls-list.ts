import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { UrlRow, UrlState } from "./admit-urls.ts";
import type { Db } from "./connect.ts";
import {
  afterCursor,
  limitOf,
  type Order,
  orderBy,
  type Page,
  type Position,
  pageOf,
  storable,
} from "./paging.ts";
import { hosts } from "./schema/hosts.ts";
import { urlState, urls } from "./schema/urls.ts";

export type UrlSort = "newest" | "oldest" | "priority" | "next" | "visited";

export interface UrlFilter {
  readonly state?: UrlState | null;
  /** Exact host name. */
  readonly host?: string | null;
  /** Exact reason. */
  readonly reason?: string | null;
  /** Exact status of the last answer. */
  readonly status?: number | null;
  readonly admittedBefore?: Date | null;
}

export interface UrlQuery extends UrlFilter, Position {
  readonly sort: UrlSort;
}

export type ListedUrl = UrlRow & { readonly host: string };

/**
 * URLs as the console lists them. By a state or a host and newest or oldest first, it reads along
 * an index; the other sorts read all that match.
 */
export async function listUrls(db: Db, query: UrlQuery): Promise<Page<ListedUrl>> {
  const order = ORDERS[query.sort];
  const rows = await db
    .select({
      row: { ...getTableColumns(urls), host: hosts.name },
      key: sql<string>`(${order.key})::text`,
      id: urls.id,
    })
    .from(urls)
    .innerJoin(hosts, eq(hosts.id, urls.hostId))
    .where(sql`${conditionOf(query)} and ${afterCursor(order, query.after)}`)
    .orderBy(sql`${orderBy(order)} ${limitOf(query)}`);
  return pageOf(rows, query);
}

/** Ids that match, ascending: what a bulk action goes through batch by batch. */
export async function urlIdsAfter(
  db: Db,
  filter: UrlFilter,
  afterId: number,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .select({ id: urls.id })
    .from(urls)
    .where(sql`${conditionOf(filter)} and ${urls.id} > ${afterId}`)
    .orderBy(urls.id)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** One URL with the name of its host. */
export async function readListedUrl(db: Db, id: number): Promise<ListedUrl | null> {
  const [row] = await db
    .select({ ...getTableColumns(urls), host: hosts.name })
    .from(urls)
    .innerJoin(hosts, eq(hosts.id, urls.hostId))
    .where(eq(urls.id, id));
  return row ?? null;
}

/** The state stands in the text: only then can the planner see which partial index holds it. */
function conditionOf({ state, host, reason, status, admittedBefore }: UrlFilter): SQL {
  const conditions = [sql`true`];
  if (state && urlState.enumValues.includes(state)) {
    conditions.push(sql`${urls.state} = ${sql.raw(`'${state}'`)}`);
  }
  if (host)
    conditions.push(sql`${urls.hostId} = (select id from hosts where name = ${storable(host)})`);
  if (reason) conditions.push(sql`${urls.reason} = ${storable(reason)}`);
  if (status) conditions.push(sql`${urls.status} = ${status}`);
  if (admittedBefore) {
    conditions.push(sql`${urls.admittedAt} < ${admittedBefore.toISOString()}::timestamptz`);
  }
  return sql.join(conditions, sql` and `);
}

const ID = sql`${urls.id}`;
const never = sql`'-infinity'`;

const ORDERS: Record<UrlSort, Order> = {
  newest: { key: ID, type: "bigint", id: ID, descending: true },
  oldest: { key: ID, type: "bigint", id: ID, descending: false },
  priority: { key: sql`${urls.priority}::bigint`, type: "bigint", id: ID, descending: true },
  next: {
    key: sql`coalesce(${urls.nextCrawlAt}, 'infinity')`,
    type: "timestamptz",
    id: ID,
    descending: false,
  },
  visited: {
    key: sql`coalesce(${urls.visitedAt}, ${never})`,
    type: "timestamptz",
    id: ID,
    descending: true,
  },
};
