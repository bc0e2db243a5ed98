import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { type Database, openDatabase } from "../../src/db/connect.ts";
import { type Account, isRoot, launchAs } from "../../src/db/embedded-account.ts";
import { findBinaries } from "../../src/db/embedded-binaries.ts";
import { migrate } from "../../src/db/migrate.ts";
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
  const database = await openDatabase({ url, max: options.max ?? 4 });
  return { ...database, close: (graceMs = 1_000) => database.close(graceMs) };
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
  const url = Bun.env.TRAWL_TEST_DATABASE_URL ?? (await startPrivatePostgres());
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

async function startPrivatePostgres(): Promise<string> {
  const found = findBinaries();
  if (found.kind !== "found") throw new Error(found.message);
  const account: Account = isRoot() ? { kind: "mapped" } : { kind: "own" };
  const folder = mkdtempSync(join(tmpdir(), "trawl-test-postgres-"));
  const data = join(folder, "data");
  const { initdb, postgres: program } = found.binaries;
  await initialise(launchAs(account, [initdb, "-D", data, ...INITDB]).command);
  const port = await freePort();
  const settings = FAST.flatMap((setting) => ["-c", setting]);
  const command = [program, "-D", data, "-h", "127.0.0.1", "-p", `${port}`, ...settings];
  startGuarded(launchAs(account, command).command, folder);
  await until(() => isReady(data), { timeoutMs: 30_000 });
  return `postgres://trawl@127.0.0.1:${port}/postgres`;
}

const INITDB = ["-U", "trawl", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"];

async function initialise(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text());
}

/**
 * A shell holds the server and waits for the end of its stdin, a pipe from us: however this process
 * ends, by kill -9 too, the server is stopped and its folder removed.
 */
const GUARD = `
trap '' INT TERM HUP
folder=$1; shift
"$@" >"$folder/log" 2>&1 </dev/null &
pid=$!
cat >/dev/null
kill -QUIT $pid
wait $pid
rm -rf "$folder"
`;

function startGuarded(command: string[], folder: string): void {
  writeFileSync(join(folder, "guard.sh"), GUARD);
  const child = Bun.spawn(["/bin/sh", join(folder, "guard.sh"), folder, ...command], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
    detached: true,
  });
  child.unref();
  process.on("exit", () => child.stdin.end());
}

function isReady(data: string): boolean {
  try {
    const lines = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
    return lines[7]?.trim() === "ready";
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => done(port));
    });
  });
}
