import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import type { HostRow, HostState } from "./hosts.ts";
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

export type HostSort =
  | "name"
  | "state"
  | "next"
  | "pages"
  | "urls"
  | "authority"
  | "links"
  | "throttles";

export interface HostQuery extends Position {
  /** Part of the name. */
  readonly text?: string | null;
  readonly state?: HostState | null;
  readonly sort: HostSort;
  readonly order: "asc" | "desc";
}

/** Hosts as the console lists them, with their number. */
export async function listHosts(
  db: Db,
  query: HostQuery,
): Promise<Page<HostRow> & { total: number }> {
  const order = orderOf(query);
  const where = conditionOf(query);
  const [rows, counted] = await Promise.all([
    db
      .select({ row: getTableColumns(hosts), key: sql<string>`(${order.key})::text`, id: hosts.id })
      .from(hosts)
      .where(sql`${where} and ${afterCursor(order, query.after)}`)
      .orderBy(sql`${orderBy(order)} ${limitOf(query)}`),
    db.select({ n: sql<number>`count(*)::float8` }).from(hosts).where(where),
  ]);
  return { ...pageOf(rows, query), total: counted[0]!.n };
}

function conditionOf({ text, state }: HostQuery): SQL {
  const named = text ? sql`strpos(${hosts.name}, ${storable(text).toLowerCase()}) > 0` : sql`true`;
  return state ? sql`${named} and ${hosts.state} = ${state}` : named;
}

const KEYS: Record<HostSort, { key: SQL; type: Order["type"] }> = {
  name: { key: sql`${hosts.name}`, type: "text" },
  state: { key: sql`${hosts.state}::text`, type: "text" },
  next: { key: sql`coalesce(${hosts.nextTurnAt}, 'infinity')`, type: "timestamptz" },
  pages: { key: sql`${hosts.pageCount}::bigint`, type: "bigint" },
  urls: { key: sql`${hosts.urlCount}::bigint`, type: "bigint" },
  authority: { key: sql`${hosts.authority}`, type: "real" },
  links: { key: sql`${hosts.linkingHosts}::bigint`, type: "bigint" },
  throttles: { key: sql`${hosts.throttles}::bigint`, type: "bigint" },
};

function orderOf({ sort, order }: HostQuery): Order {
  return { ...KEYS[sort], id: sql`${hosts.id}`, descending: order === "desc" };
}
