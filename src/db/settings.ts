import { eq } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { settings } from "./schema/operations.ts";

/** A fact of this installation; undefined: never written. Its shape is for the reader to check. */
export async function readSetting(db: Db, name: string): Promise<unknown> {
  const [row] = await db
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.name, name));
  return row?.value;
}

export async function writeSetting(db: Db, name: string, value: unknown): Promise<void> {
  await db
    .insert(settings)
    .values({ name, value })
    .onConflictDoUpdate({ target: settings.name, set: { value } });
}

/** The value that stands, or `value` when none does; of two at once both get the same. */
export async function ensureSetting(db: Db, name: string, value: unknown): Promise<unknown> {
  await db.insert(settings).values({ name, value }).onConflictDoNothing();
  return readSetting(db, name);
}
