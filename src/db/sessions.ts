import { and, eq, gt, lte } from "drizzle-orm";
import type { AccountRow } from "./accounts.ts";
import type { Db } from "./connect.ts";
import { accounts, sessions } from "./schema/operations.ts";

/** Ids are sha256 in hex of what the cookie holds: a stolen table opens nothing. */
export interface NewSession {
  readonly idHash: string;
  readonly accountId: number;
  readonly csrf: string;
  readonly expiresAt: Date;
}

/** A session that lives, with its account as it is now. */
export interface SessionRecord {
  readonly account: Pick<AccountRow, "id" | "name" | "role">;
  readonly csrf: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function readSession(db: Db, idHash: string, now: Date) {
  const [row] = await db
    .select({
      account: { id: accounts.id, name: accounts.name, role: accounts.role },
      csrf: sessions.csrf,
      createdAt: sessions.createdAt,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(and(eq(sessions.idHash, idHash), gt(sessions.expiresAt, now)));
  return (row ?? null) satisfies SessionRecord | null;
}

export async function createSession(db: Db, session: NewSession, now: Date): Promise<void> {
  await db.insert(sessions).values({ ...session, createdAt: now });
}

/**
 * A new id for the same session. The old one stays good until `oldExpiresAt`, for requests under
 * way; of two that rotate at once both new ids are good. False: the old one is gone.
 */
export function rotateSession(
  db: Db,
  oldIdHash: string,
  next: NewSession,
  { now, oldExpiresAt }: { now: Date; oldExpiresAt: Date },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const old = await tx
      .update(sessions)
      .set({ expiresAt: oldExpiresAt })
      .where(and(eq(sessions.idHash, oldIdHash), gt(sessions.expiresAt, now)))
      .returning({ idHash: sessions.idHash });
    if (old.length === 0) return false;
    await createSession(tx, next, now);
    return true;
  });
}

export async function endSession(db: Db, idHash: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.idHash, idHash));
}

/** Removes those that are over; the count of them. */
export async function pruneSessions(db: Db, now: Date): Promise<number> {
  const gone = await db
    .delete(sessions)
    .where(lte(sessions.expiresAt, now))
    .returning({ idHash: sessions.idHash });
  return gone.length;
}
