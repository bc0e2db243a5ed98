import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { type Database, openDatabase } from "../../src/db/connect.ts";
import { type Launch, launchAs } from "../../src/db/embedded-account.ts";
import { findBinaries } from "../../src/db/embedded-binaries.ts";
import { findPlace } from "../../src/db/embedded-place.ts";
import { migrate } from "../../src/db/migrate.ts";
import { startGuarded } from "./guarded.ts";
import { freePort } from "./ports.ts";
import { until } from "./until.ts";

/**
 * Real Postgres for tests: one private server a `bun test` process, started at the first call, and
 * a fresh database cloned from a migrated template at each. TRAWL_TEST_DATABASE_URL names another
 * server (its user must be allowed to create databases), such as Postgres 15.
 *
 *     const database = await testDatabase({ max: 4 });
 *     afterAll(() => database.close());
 */
export async function testDatabase(options: { max?: number } = {}): Promise<Database> {
  const url = await testDatabaseUrl();
  return await openForTests(url, options.max ?? 4);
}

/** With a client of its own for looks at the store, which knows arrays of every type. */
async function openForTests(url: string, max: number): Promise<Database> {
  const database = await openDatabase({ url, max });
  const sql = postgres(url, { max: 2, onnotice: () => {} });
  drizzle(sql);
  return {
    db: database.db,
    ...{ sql, url },
    close: async (graceMs = 1_000) => {
      await Promise.all([database.close(graceMs), sql.end({ timeout: graceMs / 1_000 })]);
    },
  };
}

/** The URL of a fresh migrated database, for code that opens its own connections. */
export async function testDatabaseUrl(): Promise<string> {
  const server = await sharedServer();
  const name = `test_${process.pid}_${server.databases.length + 1}`;
  server.databases.push(name);
  await server.admin.unsafe(`create database ${name} template ${server.template}`);
  return urlOf(server, name);
}

/** The URL of a fresh database without any table. */
export async function emptyDatabaseUrl(): Promise<string> {
  const server = await sharedServer();
  const name = `empty_${process.pid}_${server.databases.length + 1}`;
  server.databases.push(name);
  await server.admin.unsafe(`create database ${name} template template0`);
  return urlOf(server, name);
}

/**
 * A migrated database on the oldest Postgres that is supported, on a private server that is started
 * for it; null, and a visible line, when its programs are not on this machine.
 */
export async function oldestDatabase(options: { max?: number } = {}): Promise<Database | null> {
  const folder = Bun.env.TRAWL_TEST_POSTGRES_15 ?? "/usr/lib/postgresql/15/bin";
  if (!existsSync(join(folder, "initdb"))) {
    console.warn(`skipped: ${folder} has no Postgres 15 (see test/README.md)`);
    return null;
  }
  const programs = { initdb: join(folder, "initdb"), postgres: join(folder, "postgres") };
  const url = await startPrivatePostgres(programs, FAST.filter(isKnownTo15));
  await migrate(url);
  return await openForTests(url, options.max ?? 4);
}

const isKnownTo15 = (setting: string) => !setting.startsWith("io_method");

interface Server {
  readonly url: string;
  readonly admin: postgres.Sql;
  readonly template: string;
  readonly databases: string[];
}

/** On the global object: a runner may give each test file its own modules. */
const SHARED = Symbol.for("trawl.test.postgres");
const shared = globalThis as { [SHARED]?: Promise<Server> };

function sharedServer(): Promise<Server> {
  shared[SHARED] ??= startServer();
  return shared[SHARED];
}

async function startServer(): Promise<Server> {
  const url = Bun.env.TRAWL_TEST_DATABASE_URL ?? (await startPrivatePostgres(ownPrograms(), FAST));
  const admin = postgres(url, { max: 1, onnotice: () => {}, max_lifetime: null });
  const template = `template_${process.pid}`;
  await admin.unsafe(`drop database if exists ${template}`);
  await admin.unsafe(`create database ${template} template template0`);
  const server = { url, admin, template, databases: [template] };
  await migrate(urlOf(server, template));
  return server;
}

function urlOf(server: { url: string }, database: string): string {
  const url = new URL(server.url);
  url.pathname = `/${database}`;
  return url.href;
}

/** Durability off: the data lives as long as the test run. */
const FAST = [
  "fsync=off",
  "full_page_writes=off",
  "synchronous_commit=off",
  "shared_buffers=32MB",
  "max_connections=100",
  "autovacuum=off",
  "jit=off",
  "io_method=sync",
  "unix_socket_directories=",
];

interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

function ownPrograms(): Programs {
  const found = findBinaries();
  if (found.kind !== "found") throw new Error(found.message);
  return found.binaries;
}

async function startPrivatePostgres(
  programs: Programs,
  options: readonly string[],
): Promise<string> {
  const { folder, binaries, account } = await makeFolder(programs);
  const data = join(folder, "postgres");
  await initialise(launchAs(account, [binaries.initdb, "-D", data, ...INITDB]));
  const port = await freePort();
  const settings = options.flatMap((setting) => ["-c", setting]);
  const server = [binaries.postgres, "-D", data, "-h", "127.0.0.1", "-p", `${port}`, ...settings];
  const { command, ...identity } = launchAs(account, server);
  await startGuarded(command, folder, { signal: "QUIT", ...identity });
  await until(() => isReady(data), { timeoutMs: 30_000, what: "the test's Postgres" });
  return `postgres://trawl@127.0.0.1:${port}/postgres`;
}

/** A folder of the account that may run Postgres: not root's, as the program itself has it. */
async function makeFolder(programs: Programs) {
  const folder = mkdtempSync(join(tmpdir(), "trawl-test-postgres-"));
  chmodSync(folder, 0o755);
  const given = { folder: dirname(dirname(programs.postgres)), ...programs };
  const found = await findPlace({ dataDir: folder, binaries: given });
  if (found.kind === "failed") throw new Error(found.failure.message);
  const { account, binaries } = found.place;
  if (account.kind === "dropped") chownSync(folder, account.uid, account.gid);
  return { folder, binaries, account };
}

const INITDB = ["-U", "trawl", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"];

async function initialise({ command, ...identity }: Launch): Promise<void> {
  const child = Bun.spawn(command, {
    ...identity,
    cwd: "/",
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text());
}

function isReady(data: string): boolean {
  try {
    const lines = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
    return lines[7]?.trim() === "ready";
  } catch {
    return false;
  }
}
