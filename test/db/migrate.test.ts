import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as drizzleMigrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { openDatabase } from "../../src/db/connect.ts";
import { readDocument } from "../../src/db/documents.ts";
import { knownStamps, migrate } from "../../src/db/migrate.ts";
import { unpackText } from "../../src/text/packed.ts";
import { emptyDatabaseUrl, testDatabase } from "../support/database.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

const database = await testDatabase();
afterAll(() => database.close());

test("several processes at once: one migrates, the others find it done", async () => {
  const url = await emptyDatabaseUrl();
  const results = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  const applied = results.map((result) => (result.kind === "migrated" ? result.applied : -1));
  expect(applied.sort()).toEqual([0, 0, knownStamps().length]);
});

test("a database of a later version is refused", async () => {
  const url = await emptyDatabaseUrl();
  await migrate(url);
  const sql = postgres(url, { max: 1 });
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 9e15)`;
  await sql.end();
  expect((await migrate(url)).kind).toBe("newer");
});

test("texts of before they were packed are still read", async () => {
  const url = await emptyDatabaseUrl();
  const first = mkdtempSync(join(tmpdir(), "trawl-first-"));
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const text = "é 😀 'quoted' \\n {and} \"more\"";
  try {
    await drizzleMigrate(drizzle(sql), { migrationsFolder: firstMigrationIn(first) });
    await sql`insert into documents (url_id, title, description, headings, text, link_density,
      link_count, crawled_at, indexed_at) values (7, '', '', '', ${text}, 0, 0, now(), now())`;
    expect((await migrate(url)).kind).toBe("migrated");
    const opened = await openDatabase({ url, max: 1 });
    const document = await readDocument(opened.db, 7);
    expect(unpackText(document!.text)).toBe(text);
    await opened.close();
  } finally {
    await sql.end();
    rmSync(first, { recursive: true });
  }
});

/** The migrations as they were when the first one was the only one. */
function firstMigrationIn(folder: string): string {
  cpSync(join(import.meta.dir, "../../src/db/migrations"), folder, { recursive: true });
  const path = join(folder, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, 1) }));
  return folder;
}

test("a server that is away is an error, and soon", async () => {
  expect(migrate("postgres://nobody@127.0.0.1:1/x")).rejects.toThrow("ECONNREFUSED");
});

test("stamps ascend: one out of order would be skipped without a word", () => {
  const stamps = knownStamps();
  expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
  expect(new Set(stamps).size).toBe(stamps.length);
});

test("nothing is left to generate: the migrations make what the schema says", () => {
  const root = join(import.meta.dir, "../..");
  const copy = mkdtempSync(join(tmpdir(), "trawl-migrations-"));
  try {
    cpSync(join(root, "src/db/migrations"), copy, { recursive: true });
    const what = ["--dialect", "postgresql", "--casing", "snake_case", "--schema", "src/db/schema"];
    const kit = [join(root, "node_modules/.bin/drizzle-kit"), "generate", ...what, "--out"];
    const { stdout } = Bun.spawnSync([...kit, relative(root, copy)], {
      cwd: root,
      timeout: 60_000,
    });
    expect(stdout.toString()).toContain("No schema changes");
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

describe("visits", () => {
  test("a day without a partition of its own loses no row", async () => {
    await database.sql`insert into visits (url_id, host_id, settled_at, outcome, state)
      values (1, 1, '2031-05-05', 'fetched', 'pending')`;
    const [row] = await database.sql`select tableoid::regclass::text as part from visits`;
    expect(row?.part).toBe("visits_default");
  });

  test("are partitioned by range of settled_at", async () => {
    const [row] = await database.sql`select pg_get_partkeydef('visits'::regclass) as key`;
    expect(row?.key).toBe("RANGE (settled_at)");
  });
});

describe("the pool", () => {
  test("bounds statements, locks and idle transactions", async () => {
    const pool = await openDatabase({ url: database.url, max: 1 });
    const [row] = await pool.sql`select current_setting('statement_timeout') as statement,
      current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle`;
    await pool.close(100);
    expect(row).toMatchObject({ statement: "1min", lock: "30s", idle: "4s" });
  });

  test("reads lists of texts and of numbers", async () => {
    const pool = await openDatabase({ url: database.url, max: 1 });
    const [row] = await pool.sql`select array['a,b', '"', 'null']::text[] as texts,
      array[1, 2]::integer[] as whole, array[0.5, 2]::float8[] as parts, '{}'::text[] as none`;
    await pool.close(100);
    expect(row).toEqual({ texts: ["a,b", '"', "null"], whole: [1, 2], parts: [0.5, 2], none: [] });
  });

  test("survives the end of its connections", async () => {
    const pool = await openDatabase({ url: database.url, max: 2 });
    await pool.sql`select 1`;
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    const [row] = await pool.sql`select 1 as one`.catch(() => pool.sql`select 1 as one`);
    expect(row?.one).toBe(1);
    await pool.close(100);
  });

  test("closes within its grace though a query runs", async () => {
    const pool = await openDatabase({ url: database.url, max: 1 });
    const slow = pool.sql`select pg_sleep(20)`.catch((error: Error) => error.message);
    await until(async () => {
      const running = await database.sql`select 1 from pg_stat_activity
        where query = 'select pg_sleep(20)' and state = 'active'`;
      return running.length > 0;
    });
    const startedAt = performance.now();
    await pool.close(200);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(await slow).toContain("CONNECTION");
  });
});
