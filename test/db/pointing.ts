import { sql } from "drizzle-orm";
import type { Db } from "../../src/db/connect.ts";
import { setHostState } from "../../src/db/hosts.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { hostNamed } from "../support/rows.ts";
import { admitPaths } from "./frontier.ts";

type Shape = { state: "done" | "failed"; reason: string; targetId?: number };

/** Makers of URLs that point at one another, as visits without a document would have left them. */
export function pointing(db: Db) {
  async function over(id: number, { state, reason, targetId }: Shape): Promise<void> {
    await db.execute(
      sql`update urls set state = ${state}, reason = ${reason}, interval_s = null,
        target_id = ${targetId ?? null}::bigint,
        next_crawl_at = clock_timestamp() + interval '30 days' where id = ${id}`,
    );
  }
  return {
    pointsAt: (id: number, targetId: number, reason = "canonical") =>
      over(id, { state: "done", reason, targetId }),

    isOver: (id: number, reason = "not found") => over(id, { state: "failed", reason }),

    async statesOf(ids: readonly number[]): Promise<string[]> {
      const rows = new Map((await readUrls(db, ids)).map((row) => [row.id, row.state]));
      return ids.map((id) => rows.get(id) ?? "removed");
    },

    /** `/1`, `/2`, … in this order; their ids are in that of their keys. */
    paths: (host: string, count: number): Promise<number[]> =>
      admitPaths(
        db,
        host,
        Array.from({ length: count }, (_, at) => `/${at + 1}`),
      ),

    async shut(host: string, state: "blocked" | "dead" | "active"): Promise<number> {
      const { id } = await hostNamed(db, host);
      const nextTurnAt = state === "active" ? ("when due" as const) : null;
      await setHostState(db, { id, state, reason: null, nextTurnAt });
      return id;
    },
  };
}

export const byId = (ids: readonly number[]): number[] => ids.toSorted((a, b) => a - b);
