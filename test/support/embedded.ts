import { afterAll, afterEach, expect, setDefaultTimeout } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { type Embedded, type EmbeddedStart, startEmbedded } from "../../src/db/embedded.ts";
import { isRoot } from "../../src/db/embedded-account.ts";
import { readPostmaster, runsOn } from "../../src/db/embedded-pid.ts";
import { silentLog } from "../../src/log.ts";

const PROGRAM = join(import.meta.dir, "embedded-process.ts");

/** A process that holds the embedded Postgres of its folder. */
export interface Holder {
  readonly pid: number;
  readonly started: EmbeddedStart;
  readonly exited: Promise<number>;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Folders, servers and processes of one test file; what a test leaves is cleared after it. */
export function embeddedWorld() {
  setDefaultTimeout(60_000);
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean();
  });

  /** An empty DATA_DIR. */
  function folder(): string {
    const outer = realpathSync(mkdtempSync(join(tmpdir(), "trawl-embedded-")));
    const inner = join(outer, "data");
    cleanups.push(() => remove(outer, inner));
    if (isRoot()) chmodSync(outer, 0o755);
    mkdirSync(inner);
    return inner;
  }

  let made: Promise<string> | null = null;
  afterAll(async () => {
    if (made !== null) rmSync(await made, { recursive: true, force: true });
  });

  /** The same with data in it, copied from one made once. */
  async function filledFolder(): Promise<string> {
    made ??= makeData().catch((error) => {
      made = null;
      throw error;
    });
    const inner = folder();
    Bun.spawnSync(["cp", "-a", `${await made}/.`, inner]);
    chmodSync(inner, 0o755);
    return inner;
  }

  async function start(dataDir: string): Promise<Embedded> {
    const running = expectRunning(await startEmbedded({ dataDir, log: silentLog }));
    cleanups.push(() => running.stop());
    return running;
  }

  /** In a process of its own, and a group of its own as a terminal makes one. */
  async function hold(
    dataDir: string,
    { uid, before = [] }: { uid?: number; before?: string[] } = {},
  ): Promise<Holder> {
    const child = Bun.spawn([...before, process.execPath, PROGRAM, dataDir], {
      stdout: "pipe",
      detached: true,
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    cleanups.push(() => child.kill("SIGKILL"));
    const started = JSON.parse(await firstLine(child.stdout)) as EmbeddedStart;
    const end = async (signal: NodeJS.Signals) => {
      child.kill(signal);
      await child.exited;
    };
    return { pid: child.pid, started, exited: child.exited, end };
  }

  return {
    folder,
    filledFolder,
    start,
    hold,
    defer: (clean: () => unknown) => cleanups.push(clean),
  };
}

async function makeData(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-embedded-"));
  await expectRunning(await startEmbedded({ dataDir, log: silentLog })).stop();
  return dataDir;
}

/** A failed test may leave its server running. */
function remove(outer: string, dataDir: string): void {
  const data = join(dataDir, "postgres");
  const postmaster = readPostmaster(data);
  if (postmaster !== null && runsOn(postmaster.pid, data)) process.kill(postmaster.pid, "SIGQUIT");
  rmSync(outer, { recursive: true, force: true });
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes("\n")) break;
  }
  return text.split("\n")[0]!;
}

/** Number of the server process on `dataDir`. */
export function serverPid(dataDir: string): number {
  return readPostmaster(join(dataDir, "postgres"))!.pid;
}

export function isServed(dataDir: string, pid: number): boolean {
  return runsOn(pid, join(dataDir, "postgres"));
}

/** The column `v` of the first row. */
export async function one(url: string, query: string): Promise<unknown> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    const [row] = await sql.unsafe(query);
    return row?.v ?? null;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export function expectRunning(started: EmbeddedStart): Embedded {
  if (started.kind !== "running") throw new Error(`${started.kind}: ${started.message}`);
  return started;
}

export function expectFailure(
  started: EmbeddedStart,
  kind: EmbeddedStart["kind"],
  words: RegExp,
): void {
  expect(started.kind).toBe(kind);
  expect("message" in started ? started.message : "").toMatch(words);
}
