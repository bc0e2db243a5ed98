import { eq, sql } from "drizzle-orm";
import type { Ranking } from "../ranking.ts";
import { recordAudit } from "./audit.ts";
import type { Db } from "./connect.ts";
import { ADVISORY_LOCK } from "./locks.ts";
import { hostFactors, rankingSignals } from "./schema/ranking.ts";
import { inTransaction, run } from "./statement.ts";

export type RankingRow = typeof rankingSignals.$inferSelect;
export type HostFactorRow = typeof hostFactors.$inferSelect;

/** Hosts raised or lowered at most: all of them go along with every search. */
export const HOST_FACTORS_MAX = 200;

/** All that an admin saved, by signal and by host. Both tables are a screen long at most. */
export async function readSavedRanking(
  db: Db,
): Promise<{ signals: RankingRow[]; hosts: HostFactorRow[] }> {
  const [signals, hosts] = await Promise.all([
    db.select().from(rankingSignals).limit(100),
    db.select().from(hostFactors).orderBy(hostFactors.host).limit(HOST_FACTORS_MAX),
  ]);
  return { signals, hosts };
}

/** In the place of what was saved before; an empty ranking leaves the configured one. */
export function saveRanking(db: Db, ranking: Ranking, by: string, at: Date): Promise<void> {
  const rows = Object.entries(ranking).map(([signal, own]) => ({
    ...own,
    signal,
    changedBy: by,
    changedAt: at,
  }));
  return inTransaction(db, async (tx) => {
    // Two that save at once wait for each other: what stands is one of them, not a mixture.
    await run(tx, sql`lock table ranking_signals in exclusive mode`);
    await tx.delete(rankingSignals);
    if (rows.length > 0) await tx.insert(rankingSignals).values(rows);
    await recordAudit(tx, {
      actor: by,
      action: rows.length > 0 ? "ranking.saved" : "ranking.reset",
      subject: "weights",
      detail: { ...ranking },
    });
  });
}

/** False: there are as many as there may be. */
export function saveHostFactor(
  db: Db,
  { host, factor }: Pick<HostFactorRow, "host" | "factor">,
  by: string,
  at: Date,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await run(tx, sql`select pg_advisory_xact_lock(${ADVISORY_LOCK.hostFactors}::bigint)`);
    const known = await tx.select({ host: hostFactors.host }).from(hostFactors);
    const isNew = !known.some((row) => row.host === host);
    if (isNew && known.length >= HOST_FACTORS_MAX) return false;
    const change = { factor, changedBy: by, changedAt: at };
    await tx
      .insert(hostFactors)
      .values({ host, ...change })
      .onConflictDoUpdate({ target: hostFactors.host, set: change });
    await recordAudit(tx, { actor: by, action: "ranking.host", subject: host, detail: { factor } });
    return true;
  });
}

/** False: it is not among them. */
export function removeHostFactor(db: Db, host: string, by: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const gone = await tx
      .delete(hostFactors)
      .where(eq(hostFactors.host, host))
      .returning({ host: hostFactors.host });
    if (gone.length === 0) return false;
    await recordAudit(tx, { actor: by, action: "ranking.host_removed", subject: host });
    return true;
  });
}
