import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { launchAs } from "./embedded-account.ts";
import { POSTGRES_MAJOR } from "./embedded-binaries.ts";
import { cannotRun, diskFailure, type EmbeddedFailure, readLastWords } from "./embedded-failure.ts";
import { isAlive } from "./embedded-pid.ts";
import type { Place } from "./embedded-place.ts";

export const SUPERUSER = "trawl";
const INITDB_TIMEOUT_MS = 120_000;

/** What stands in the data folder before any server is started. */
export type Cluster =
  | { readonly kind: "ready"; readonly password: string }
  | { readonly kind: "none" }
  | { readonly kind: "failed"; readonly failure: EmbeddedFailure };

export function inspectCluster(data: string): Cluster {
  const version = readText(join(data, "PG_VERSION"));
  if (version === null || !existsSync(join(data, "global", "pg_control"))) return { kind: "none" };
  const major = Number(version);
  if (major !== POSTGRES_MAJOR) return { kind: "failed", failure: otherVersion(data, major) };
  const password = readText(passwordFile(data));
  if (password !== null) return { kind: "ready", password };
  const message =
    `the database in ${data} lacks its file trawl-password: it was not made by Trawl, or not ` +
    "copied whole; put the file back, or move the folder away and restore a backup";
  return { kind: "failed", failure: { kind: "damaged", message } };
}

function otherVersion(data: string, major: number): EmbeddedFailure {
  const isOlder = major < POSTGRES_MAJOR;
  const message =
    `the database in ${data} is of Postgres ${major}, and this version of Trawl carries Postgres ` +
    `${POSTGRES_MAJOR}: ${isOlder ? "with the version that wrote it" : "with the later version"} ` +
    "run `trawl backup FILE`, move the folder away, then `trawl restore FILE` with this one";
  return { kind: isOlder ? "older data" : "newer data", message };
}

/**
 * Makes the data folder: aside, then renamed, so that a kill on the way leaves nothing that looks
 * like data. Of several processes at once the first rename wins and the others use its folder.
 */
export async function createCluster(place: Place): Promise<EmbeddedFailure | null> {
  const aside = `${place.data}.new-${process.pid}`;
  try {
    clearLeftovers(place.data);
    makeFolder(place, aside);
    const failure = await initialise(place, aside);
    if (failure !== null) return failure;
    putInPlace(place.data, aside);
    writeThrough(place);
    return null;
  } catch (error) {
    return diskFailure(error, place.data);
  } finally {
    rmSync(aside, { recursive: true, force: true });
    rmSync(`${aside}.password`, { force: true });
  }
}

async function initialise(place: Place, aside: string): Promise<EmbeddedFailure | null> {
  const pwfile = `${aside}.password`;
  writeFileSync(pwfile, randomBytes(24).toString("base64url"), { mode: 0o600 });
  giveToAccount(place, pwfile);
  const words = await runInitdb(place, aside, pwfile);
  if (words !== null) return words;
  renameSync(pwfile, passwordFile(aside));
  return null;
}

async function runInitdb(
  place: Place,
  aside: string,
  pwfile: string,
): Promise<EmbeddedFailure | null> {
  const { command, ...identity } = launchAs(place.account, [
    place.binaries.initdb,
    `--pgdata=${aside}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${pwfile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // Order by code point, case by Unicode: the same on every machine and after every update.
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--set=max_connections=60",
    "--set=shared_buffers=64MB",
    "--no-instructions",
    "--no-sync",
  ]);
  try {
    const child = Bun.spawn(command, {
      ...identity,
      cwd: dirname(aside),
      env: quietEnvironment(),
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      timeout: INITDB_TIMEOUT_MS,
    });
    const words = await new Response(child.stderr).text();
    if ((await child.exited) === 0) return null;
    const end = child.signalCode === null ? "" : `FATAL: initdb was ended by ${child.signalCode}`;
    return readLastWords(`${words}\n${end}`, place.data);
  } catch (error) {
    return cannotRun((error as Error).message);
  }
}

/**
 * What initdb would have waited for, seconds on a slow disk: nothing is in the database yet that
 * a loss of power could take.
 */
function writeThrough(place: Place): void {
  const { command, ...identity } = launchAs(place.account, [
    place.binaries.initdb,
    `--pgdata=${place.data}`,
    "--sync-only",
  ]);
  const stdio = { stdin: "ignore", stdout: "ignore", stderr: "ignore" } as const;
  const env = quietEnvironment();
  const cwd = dirname(place.data);
  Bun.spawn(command, { ...identity, ...stdio, cwd, env, detached: true }).unref();
}

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Messages in English, since they are read; no PGPORT or PGDATA of the person's shell. */
export function quietEnvironment(): Record<string, string> {
  return { PATH, LC_ALL: "C", TZ: "UTC" };
}

function putInPlace(data: string, aside: string): void {
  if (existsSync(data) && inspectCluster(data).kind === "none" && readdirSync(data).length > 0) {
    const incomplete = `${data}.incomplete-${process.pid}`;
    renameSync(data, incomplete);
    // Another process was quicker, and this is its good one.
    if (inspectCluster(incomplete).kind === "ready") renameSync(incomplete, data);
  }
  try {
    renameSync(aside, data);
  } catch (error) {
    const isTaken = ["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "");
    if (!isTaken || inspectCluster(data).kind !== "ready") throw error;
  }
}

function makeFolder(place: Place, path: string): void {
  mkdirSync(path, { mode: 0o700 });
  chmodSync(path, 0o700);
  giveToAccount(place, path);
}

export function giveToAccount(place: Place, path: string): void {
  if (place.account.kind === "dropped") chownSync(path, place.account.uid, place.account.gid);
}

/** What processes killed during their initdb left behind. */
function clearLeftovers(data: string): void {
  const prefix = `${basename(data)}.new-`;
  for (const name of readdirSync(dirname(data))) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : 0;
    if (pid > 0 && (pid === process.pid || !isAlive(pid))) {
      rmSync(join(dirname(data), name), { recursive: true, force: true });
    }
  }
}

function passwordFile(data: string): string {
  return join(data, "trawl-password");
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}
