import { getTableColumns, sql } from "drizzle-orm";
import { texts } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { robots } from "./schema/hosts.ts";

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

export async function saveRobots(db: Db, row: RobotsRow): Promise<void> {
  await db
    .insert(robots)
    .values(row)
    .onConflictDoUpdate({ target: robots.authority, set: row })
    .prepare("save_robots")
    .execute();
}
