import { closeSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { Clock } from "../clock.ts";
import { launchAs } from "./embedded-account.ts";
import { giveToAccount, quietEnvironment } from "./embedded-cluster.ts";
import { cannotRun, diskFailure, type EmbeddedFailure, readLastWords } from "./embedded-failure.ts";
import { isAlive, readPostmaster, runsOn } from "./embedded-pid.ts";
import type { Place } from "./embedded-place.ts";
import { settingArguments } from "./embedded-settings.ts";

export type Launched =
  | { readonly kind: "ready" }
  /** Another process started one on this folder first. */
  | { readonly kind: "outrun" }
  | { readonly kind: "failed"; readonly failure: EmbeddedFailure };

/** Replaying the log after a crash may take minutes on a slow disk. */
const READY_TIMEOUT_MS = 10 * 60_000;
const POLL_MS = 20;
/** A rival's server, or the last sessions of one that was killed and are about to notice. */
const OTHERS_AT_WORK =
  /lock file "postmaster.pid" already exists|shared memory block .* is still in use/;
const FAST_STOP_MS = 60_000;
const LOG_BYTES_MAX = 1_000_000;

/** Starts a server in a session of its own: neither Ctrl-C nor our death reaches it. */
export async function launchServer(place: Place, clock: Clock, port: number): Promise<Launched> {
  const log = join(dirname(place.data), "postgres.log");
  const { command, ...identity } = launchAs(place.account, [
    place.binaries.postgres,
    "-D",
    place.data,
    "-p",
    `${port}`,
    ...settingArguments(),
  ]);
  let output: number | null = null;
  try {
    output = openLog(log);
    const from = statSync(log).size;
    const child = Bun.spawn(command, {
      ...identity,
      cwd: dirname(place.data),
      env: quietEnvironment(),
      stdin: "ignore",
      stdout: output,
      stderr: output,
      detached: true,
    });
    child.unref();
    if (await becomesReady(place, clock, child)) return { kind: "ready" };
    return explainEnd(place, readFileSync(log, "utf8").slice(from));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { kind: "failed", failure: cannotRun((error as Error).message) };
    return { kind: "failed", failure: diskFailure(error, place.data) };
  } finally {
    if (output !== null) closeSync(output);
  }
}

/** False when the program ended instead. */
async function becomesReady(place: Place, clock: Clock, child: Bun.Subprocess): Promise<boolean> {
  const end = clock.now() + READY_TIMEOUT_MS;
  while (clock.now() < end) {
    if (child.exitCode !== null || child.signalCode !== null) return false;
    const postmaster = readPostmaster(place.data);
    if (postmaster?.pid === child.pid && postmaster.status === "ready") return true;
    await clock.sleep(POLL_MS);
  }
  return false;
}

function explainEnd(place: Place, words: string): Launched {
  if (OTHERS_AT_WORK.test(words)) return { kind: "outrun" };
  return { kind: "failed", failure: readLastWords(words, place.data) };
}

function openLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_BYTES_MAX) renameSync(path, `${path}.old`);
  return openSync(path, "a", 0o600);
}

/**
 * Fast shutdown: sessions are cut, the log is closed properly. Waits for the end, and cuts short
 * after a minute; what was committed is safe either way.
 */
export async function stopServer(data: string, clock: Clock): Promise<"stopped" | "stuck"> {
  const postmaster = readPostmaster(data);
  if (postmaster === null || !runsOn(postmaster.pid, data)) return "stopped";
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    send(postmaster.pid, signal);
    const end = clock.now() + FAST_STOP_MS;
    while (clock.now() < end) {
      if (!isAlive(postmaster.pid)) return "stopped";
      await clock.sleep(POLL_MS);
    }
  }
  return "stuck";
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {}
}

/** The port of the last start when it is free, so that open pools find a restarted server. */
export async function choosePort(data: string): Promise<number> {
  const last = readLastPort(data);
  return (last !== null && (await tryPort(last))) || (await tryPort(0)) || 0;
}

/** Remembers the port for the next start. */
export function keepPort(place: Place, port: number): void {
  writeFileSync(portFile(place.data), `${port}\n`, { mode: 0o600 });
  giveToAccount(place, portFile(place.data));
}

function readLastPort(data: string): number | null {
  try {
    return Number.parseInt(readFileSync(portFile(data), "utf8"), 10) || null;
  } catch {
    return null;
  }
}

function portFile(data: string): string {
  return join(data, "trawl-port");
}

/** The port that could be bound just now, null when it could not. */
function tryPort(port: number): Promise<number | null> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", () => done(null));
    probe.listen(port, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address ? address.port : null));
    });
  });
}
