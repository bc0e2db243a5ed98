import { readFileSync } from "node:fs";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyFiles } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { ADVISORY_LOCK } from "./locks.ts";

export type Migration =
  | { readonly kind: "migrated"; readonly applied: number }
  /** The database was made by a later version of the program. */
  | { readonly kind: "newer"; readonly message: string }
  | { readonly kind: "server too old"; readonly message: string };

const FOLDER = join(import.meta.dir, "migrations");
const LOCK_WAIT_MS = 120_000;
const SERVER_VERSION_MIN = 150_000;

/**
 * Brings the database at `url` to the newest schema; safe from several processes at once.
 * On a connection of its own, since the lock belongs to a session. Throws when the server is away.
 */
export async function migrate(url: string): Promise<Migration> {
  const sql = postgres(url, {
    max: 1,
    max_lifetime: null,
    connect_timeout: 10,
    // As in connect.ts: nobody awaits what it asks for them.
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: "trawl migrate", lock_timeout: LOCK_WAIT_MS },
  });
  try {
    const version = await serverVersion(sql);
    if (version < SERVER_VERSION_MIN) {
      const message = `Postgres ${Math.floor(version / 10_000)} is too old: 15 or later is needed`;
      return { kind: "server too old", message };
    }
    await sql`select pg_advisory_lock(${ADVISORY_LOCK.migration})`;
    return await applyPending(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function applyPending(sql: postgres.Sql): Promise<Migration> {
  const known = knownStamps();
  const before = await appliedStamps(sql);
  const latest = before.at(-1) ?? 0;
  if (latest > (known.at(-1) ?? 0)) {
    const message =
      "the database was written by a later version of Trawl: " +
      "run that version, or restore a backup made by this one";
    return { kind: "newer", message };
  }
  if (latest < (known.at(-1) ?? 0)) {
    await applyFiles(drizzle(sql), { migrationsFolder: FOLDER });
  }
  return { kind: "migrated", applied: (await appliedStamps(sql)).length - before.length };
}

async function serverVersion(sql: postgres.Sql): Promise<number> {
  const [row] = await sql`select current_setting('server_version_num')::int as version`;
  return Number(row?.version);
}

/** Stamps of the migrations in this checkout, ascending. */
export function knownStamps(): number[] {
  const journal: { entries: { when: number }[] } = JSON.parse(
    readFileSync(join(FOLDER, "meta", "_journal.json"), "utf8"),
  );
  return journal.entries.map((entry) => entry.when);
}

async function appliedStamps(sql: postgres.Sql): Promise<number[]> {
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') as name`;
  if (table?.name === null) return [];
  const rows = await sql`select created_at from drizzle.__drizzle_migrations order by created_at`;
  return rows.map((row) => Number(row.created_at));
}
