import { sql } from "drizzle-orm";
import type { AdmitResult, AdmitRow, UrlState } from "./admit-urls.ts";
import { bigints, integers, uuids } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { run } from "./statement.ts";

/** A known URL that a person names, and when its host is to be woken for it. */
export type Known = Extract<AdmitResult, { kind: "known" }> & {
  readonly due: Date | "now" | null;
};

/**
 * Locks known rows in order of their keys, then raises those whose priority is lower. Those of dead
 * hosts were put off with their host, for a day: they are due now, or it would be woken in vain.
 */
export async function raiseUrls(
  tx: Db,
  known: readonly Pick<AdmitRow, "key" | "priority">[],
): Promise<Map<string, Known>> {
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
