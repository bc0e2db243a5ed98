import { and, eq, ne, sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { ADVISORY_LOCK } from "./locks.ts";
import { accounts, sessions } from "./schema/operations.ts";
import { run } from "./statement.ts";

export type AccountRow = typeof accounts.$inferSelect;
export type Role = AccountRow["role"];

export interface NewAccount {
  readonly name: string;
  readonly role: Role;
  /** As Bun.password made it. */
  readonly passwordHash: string;
}

export function listAccounts(db: Db): Promise<AccountRow[]> {
  return db.select().from(accounts).orderBy(accounts.name);
}

export async function accountByName(db: Db, name: string): Promise<AccountRow | null> {
  const [row] = await db.select().from(accounts).where(eq(accounts.name, name));
  return row ?? null;
}

/** `tokenHash`: sha256 in hex. */
export async function accountByTokenHash(
  db: Db,
  tokenHash: string,
): Promise<Pick<AccountRow, "id" | "name" | "role"> | null> {
  const { id, name, role } = accounts;
  const [row] = await db
    .select({ id, name, role })
    .from(accounts)
    .where(eq(accounts.tokenHash, tokenHash));
  return row ?? null;
}

/** Null: the name is taken. */
export async function createAccount(db: Db, account: NewAccount): Promise<AccountRow | null> {
  const [row] = await db.insert(accounts).values(account).onConflictDoNothing().returning();
  return row ?? null;
}

/** The account of a fresh installation; false when there is one already, whoever made it. */
export function createFirstAccount(db: Db, account: NewAccount): Promise<boolean> {
  return db.transaction(async (tx) => {
    await run(tx, sql`select pg_advisory_xact_lock(${ADVISORY_LOCK.firstAccount}::bigint)`);
    const [known] = await tx.select({ id: accounts.id }).from(accounts).limit(1);
    if (known !== undefined) return false;
    await tx.insert(accounts).values(account);
    return true;
  });
}

/** Ends the account's sessions: who knew the old password is out. False: no such account. */
export function setPassword(db: Db, name: string, passwordHash: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(accounts)
      .set({ passwordHash })
      .where(eq(accounts.name, name))
      .returning({ id: accounts.id });
    if (row === undefined) return false;
    await tx.delete(sessions).where(eq(sessions.accountId, row.id));
    return true;
  });
}

/** A new API token, which ends the old one; null: none. False: no such account. */
export async function setTokenHash(db: Db, name: string, tokenHash: string | null) {
  const changed = await db
    .update(accounts)
    .set({ tokenHash })
    .where(eq(accounts.name, name))
    .returning({ id: accounts.id });
  return changed.length > 0;
}

export async function setLang(db: Db, id: number, lang: string | null): Promise<void> {
  await db.update(accounts).set({ lang }).where(eq(accounts.id, id));
}

export type AccountRemoval =
  | { readonly kind: "removed" }
  | { readonly kind: "missing" }
  /** Without an admin nobody could make one. */
  | { readonly kind: "last admin" };

export function removeAccount(db: Db, name: string): Promise<AccountRemoval> {
  return db.transaction(async (tx) => {
    await run(tx, sql`select pg_advisory_xact_lock(${ADVISORY_LOCK.firstAccount}::bigint)`);
    const account = await accountByName(tx, name);
    if (account === null) return { kind: "missing" };
    const [other] = await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.role, "admin"), ne(accounts.id, account.id)))
      .limit(1);
    if (account.role === "admin" && other === undefined) return { kind: "last admin" };
    await tx.delete(sessions).where(eq(sessions.accountId, account.id));
    await tx.delete(accounts).where(eq(accounts.id, account.id));
    return { kind: "removed" };
  });
}
