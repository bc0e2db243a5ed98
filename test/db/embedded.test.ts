import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { type Embedded, type EmbeddedStart, startEmbedded } from "../../src/db/embedded.ts";
import { isRoot } from "../../src/db/embedded-account.ts";
import { readPostmaster, runsOn } from "../../src/db/embedded-pid.ts";
import { silentLog } from "../../src/log.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

const PROGRAM = join(import.meta.dir, "../support/embedded-process.ts");
const NOBODY = 65_534;

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

describe("one process", () => {
  test("makes the data, serves it, keeps the secret and leaves nothing running", async () => {
    const dataDir = folder();
    const steps: string[] = [];
    const embedded = await startEmbedded({
      dataDir,
      log: silentLog,
      progress: (s) => steps.push(s),
    });
    const running = expectRunning(embedded);
    expect(steps).toEqual(["creating", "starting"]);
    expect(running.how).toBe("started");
    expect(
      await one(running.url, "select current_setting('server_version_num')::int / 10000 as v"),
    ).toBe(18);
    expect(statSync(join(dataDir, "postgres", "trawl-password")).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, "postgres")).mode & 0o777).toBe(0o700);
    const { pid } = readPostmaster(join(dataDir, "postgres"))!;
    await running.stop();
    expect(runsOn(pid, join(dataDir, "postgres"))).toBe(false);
    expect(readdirSync(dataDir).sort()).toEqual(["postgres", "postgres.log"]);
  });

  test("refuses strangers without the password", async () => {
    const running = await start(await filledFolder());
    const url = new URL(running.url);
    url.password = "guessed";
    expect(one(url.href, "select 1 as v")).rejects.toThrow("password authentication failed");
  });

  test("keeps what was committed over a kill of Postgres, and finds it on the same port", async () => {
    const dataDir = await filledFolder();
    const running = await start(dataDir);
    await one(running.url, "create table kept as select 7 as v");
    const { pid } = readPostmaster(join(dataDir, "postgres"))!;
    process.kill(pid, "SIGKILL");
    const value = await until(() => one(running.url, "select v from kept").catch(() => null));
    expect(value).toBe(7);
    expect(readPostmaster(join(dataDir, "postgres"))!.pid).not.toBe(pid);
  });

  test("sorts and folds case the same on every machine", async () => {
    const running = await start(await filledFolder());
    expect(await one(running.url, "select lower('ÉÇЖ') || ('a' < 'B')::text as v")).toBe(
      "éçжfalse",
    );
  });
});

describe("several processes", () => {
  test("that start at once share one server, and the last one out stops it", async () => {
    const dataDir = folder();
    const programs = await Promise.all([spawn(dataDir), spawn(dataDir), spawn(dataDir)]);
    const urls = programs.map((program) => expectRunning(program.started).url);
    expect(new Set(urls).size).toBe(1);
    const { pid } = readPostmaster(join(dataDir, "postgres"))!;
    for (const [index, program] of programs.entries()) {
      expect(runsOn(pid, join(dataDir, "postgres"))).toBe(true);
      await program.end("SIGTERM");
      expect(index < 2).toBe(runsOn(pid, join(dataDir, "postgres")));
    }
  });

  test("that leave at once leave nothing running", async () => {
    const dataDir = await filledFolder();
    const programs = await Promise.all([spawn(dataDir), spawn(dataDir), spawn(dataDir)]);
    const { pid } = readPostmaster(join(dataDir, "postgres"))!;
    await Promise.all(programs.map((program) => program.end("SIGTERM")));
    expect(runsOn(pid, join(dataDir, "postgres"))).toBe(false);
  });

  test("a newcomer while the last one leaves gets a server all the same", async () => {
    const dataDir = await filledFolder();
    for (let round = 0; round < 3; round++) {
      const first = await start(dataDir);
      const [, second] = await Promise.all([first.stop(), start(dataDir)]);
      expect(await one(second.url, "select 1 as v")).toBe(1);
      await second.stop();
    }
  });

  test("a killed starter leaves a server that the next one adopts and stops", async () => {
    const dataDir = await filledFolder();
    const first = await spawn(dataDir);
    const { pid } = readPostmaster(join(dataDir, "postgres"))!;
    await first.end("SIGKILL");
    expect(runsOn(pid, join(dataDir, "postgres"))).toBe(true);
    const second = await start(dataDir);
    expect(second.how).toBe("adopted");
    await second.stop();
    expect(runsOn(pid, join(dataDir, "postgres"))).toBe(false);
  });

  test("Ctrl-C reaches the program, not its Postgres", async () => {
    const dataDir = await filledFolder();
    const first = await spawn(dataDir);
    const second = await start(dataDir);
    const { pid } = readPostmaster(join(dataDir, "postgres"))!;
    process.kill(-first.pid, "SIGINT");
    await first.exited;
    expect(await one(second.url, "select 1 as v")).toBe(1);
    await second.stop();
    expect(runsOn(pid, join(dataDir, "postgres"))).toBe(false);
  });
});

describe("what a crash left", () => {
  test("a pid file whose number belongs to another program now", async () => {
    const dataDir = await filledFolder();
    const sleeper = Bun.spawn(["sleep", "600"]);
    cleanups.push(() => sleeper.kill());
    const file = join(dataDir, "postgres", "postmaster.pid");
    writeFileSync(
      file,
      `${sleeper.pid}\n${join(dataDir, "postgres")}\n1\n5432\n\n127.0.0.1\n\nready   \n`,
    );
    const running = await start(dataDir);
    expect(running.how).toBe("started");
    expect(sleeper.exitCode).toBeNull();
  });

  test("a pid file whose process is gone, after the machine went down", async () => {
    const dataDir = await filledFolder();
    const program = await spawn(dataDir);
    const data = join(dataDir, "postgres");
    const postmaster = readPostmaster(data)!;
    await program.end("SIGKILL");
    process.kill(postmaster.pid, "SIGKILL");
    await until(() => !runsOn(postmaster.pid, data));
    expect(existsSync(join(data, "postmaster.pid"))).toBe(true);
    expect((await start(dataDir)).how).toBe("started");
  });

  test("a data folder half made", async () => {
    const dataDir = folder();
    const data = join(dataDir, "postgres");
    for (const half of [data, `${data}.new-${deadPid()}`]) {
      mkdirSync(join(half, "base"), { recursive: true });
      writeFileSync(join(half, "PG_VERSION"), "18\n");
    }
    const running = await start(dataDir);
    expect(await one(running.url, "select 1 as v")).toBe(1);
    const names = readdirSync(dataDir).sort();
    expect(names).toEqual(["postgres", `postgres.incomplete-${process.pid}`, "postgres.log"]);
  });

  test("an initdb killed at any moment is done again", async () => {
    const dataDir = folder();
    const child = Bun.spawn([process.execPath, PROGRAM, dataDir], {
      stdout: "ignore",
      detached: true,
    });
    await until(() => readdirSync(dataDir).some((name) => name.includes(".new-")), { everyMs: 5 });
    process.kill(-child.pid, "SIGKILL");
    await child.exited;
    expect(existsSync(join(dataDir, "postgres"))).toBe(false);
    const running = await start(dataDir);
    expect(await one(running.url, "select 1 as v")).toBe(1);
    expect(readdirSync(dataDir).sort()).toEqual(["postgres", "postgres.log"]);
  });

  test("a port that somebody else took meanwhile", async () => {
    const dataDir = await filledFolder();
    await (await start(dataDir)).stop();
    const taken = Number(readFileSync(join(dataDir, "postgres", "trawl-port"), "utf8"));
    await listen(taken);
    const running = await start(dataDir);
    expect(new URL(running.url).port).not.toBe(`${taken}`);
  });
});

describe("what cannot work is said", () => {
  const versions: [string, EmbeddedStart["kind"], RegExp][] = [
    ["17", "older data", /of Postgres 17.*backup.*restore/],
    ["19", "newer data", /of Postgres 19.*later version/],
  ];
  for (const [version, kind, words] of versions) {
    test(`data of Postgres ${version}`, async () => {
      const dataDir = folder();
      mkdirSync(join(dataDir, "postgres", "global"), { recursive: true });
      writeFileSync(join(dataDir, "postgres", "PG_VERSION"), `${version}\n`);
      writeFileSync(join(dataDir, "postgres", "global", "pg_control"), "");
      expectFailure(await startEmbedded({ dataDir, log: silentLog }), kind, words);
    });
  }

  test("data whose password is lost", async () => {
    const dataDir = await filledFolder();
    rmSync(join(dataDir, "postgres", "trawl-password"));
    expectFailure(await startEmbedded({ dataDir, log: silentLog }), "damaged", /trawl-password/);
  });

  test("a folder that this account may not write", async () => {
    const dataDir = folder();
    chmodSync(dataDir, 0o555);
    const program = await spawn(dataDir, { uid: isRoot() ? NOBODY : undefined });
    expectFailure(program.started, "unwritable", /choose another DATA_DIR/);
  });

  test.skipIf(!isRoot())("data of another account", async () => {
    const program = await spawn(await filledFolder(), { uid: NOBODY });
    expectFailure(program.started, "unwritable", /another account/);
  });

  test.skipIf(!canMount())("a disk without room for a database", async () => {
    const dataDir = folder();
    const script = 'mount -t tmpfs -o size=12m none "$1" && exec "$2" "$3" "$1"';
    const shell = ["unshare", "--mount", "sh", "-c", script, "sh"];
    const program = await spawn(dataDir, {
      command: [...shell, dataDir, process.execPath, PROGRAM],
    });
    expectFailure(program.started, "no space", /free some/);
  });

  test.skipIf(!canMount())("a disk that may only be read", async () => {
    const dataDir = await filledFolder();
    const script = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && exec "$2" "$3" "$1"';
    const shell = ["unshare", "--mount", "sh", "-c", script, "sh"];
    const program = await spawn(dataDir, {
      command: [...shell, dataDir, process.execPath, PROGRAM],
    });
    expectFailure(program.started, "unwritable", /choose another DATA_DIR/);
  });
});

/** Mounts of a private namespace, gone with its process. */
function canMount(): boolean {
  if (!isRoot() || process.platform !== "linux") return false;
  const child = Bun.spawnSync(["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]);
  return child.exitCode === 0;
}

/** The DATA_DIR of one test. */
function folder(): string {
  const outer = mkdtempSync(join(tmpdir(), "trawl-embedded-"));
  cleanups.push(() => rmSync(outer, { recursive: true, force: true }));
  if (isRoot()) chmodSync(outer, 0o755);
  const inner = join(outer, "data");
  mkdirSync(inner);
  return inner;
}

/** The same with data in it, copied from one made once. */
async function filledFolder(): Promise<string> {
  made ??= makeOnce();
  const inner = folder();
  Bun.spawnSync(["cp", "-a", `${await made}/.`, inner]);
  chmodSync(inner, 0o755);
  return inner;
}

let made: Promise<string> | null = null;
afterAll(async () => {
  if (made !== null) rmSync(await made, { recursive: true, force: true });
});

async function makeOnce(): Promise<string> {
  const outer = mkdtempSync(join(tmpdir(), "trawl-embedded-"));
  const started = expectRunning(await startEmbedded({ dataDir: outer, log: silentLog }));
  await started.stop();
  return outer;
}

async function start(dataDir: string): Promise<Embedded> {
  const running = expectRunning(await startEmbedded({ dataDir, log: silentLog }));
  cleanups.push(() => running.stop());
  return running;
}

interface Program {
  readonly pid: number;
  readonly started: EmbeddedStart;
  readonly exited: Promise<number>;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** A process of its own, in a group of its own as a terminal makes one. */
async function spawn(
  dataDir: string,
  { uid, command }: { uid?: number | undefined; command?: string[] } = {},
): Promise<Program> {
  const child = Bun.spawn(command ?? [process.execPath, PROGRAM, dataDir], {
    stdout: "pipe",
    detached: true,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  cleanups.push(() => child.kill("SIGKILL"));
  const started = JSON.parse(await firstLine(child.stdout)) as EmbeddedStart;
  return {
    pid: child.pid,
    started,
    exited: child.exited,
    end: async (signal) => {
      child.kill(signal);
      await child.exited;
    },
  };
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

async function one(url: string, query: string): Promise<unknown> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    const [row] = await sql.unsafe(query);
    return row?.v ?? null;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

function listen(port: number): Promise<Server> {
  return new Promise((done, fail) => {
    const server = createServer();
    cleanups.push(() => void server.close());
    server.once("error", fail);
    server.listen(port, "127.0.0.1", () => done(server));
  });
}

function deadPid(): number {
  return Bun.spawnSync(["true"]).pid;
}

function expectRunning(started: EmbeddedStart): Embedded {
  if (started.kind !== "running") throw new Error(`${started.kind}: ${started.message}`);
  return started;
}

function expectFailure(started: EmbeddedStart, kind: EmbeddedStart["kind"], words: RegExp): void {
  expect(started.kind).toBe(kind);
  expect("message" in started ? started.message : "").toMatch(words);
}
