import { eq } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { blocks } from "./schema/hosts.ts";

export type BlockRow = typeof blocks.$inferSelect;

export function listBlocks(db: Db): Promise<BlockRow[]> {
  return db.select().from(blocks).orderBy(blocks.name);
}

/** Named again, the later reason stands. */
export async function addBlock(
  db: Db,
  block: { name: string; kind: BlockRow["kind"]; reason: string | null },
): Promise<void> {
  const { kind, reason } = block;
  await db
    .insert(blocks)
    .values(block)
    .onConflictDoUpdate({ target: blocks.name, set: { kind, reason } });
}

/** False: it was not blocked. */
export async function removeBlock(db: Db, name: string): Promise<boolean> {
  const gone = await db.delete(blocks).where(eq(blocks.name, name)).returning();
  return gone.length > 0;
}
