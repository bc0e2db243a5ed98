import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type EmbeddedStart, startEmbedded } from "../../src/db/embedded.ts";
import { isRoot } from "../../src/db/embedded-account.ts";
import { readPostmaster } from "../../src/db/embedded-pid.ts";
import { silentLog } from "../../src/log.ts";
import { embeddedWorld, expectFailure, isServed, one, serverPid } from "../support/embedded.ts";
import { until } from "../support/until.ts";

const PROGRAM = join(import.meta.dir, "../support/embedded-process.ts");
const NOBODY = 65_534;

const world = embeddedWorld();

describe("what a crash left", () => {
  test("a pid file whose number belongs to another program now", async () => {
    const dataDir = await world.filledFolder();
    const sleeper = Bun.spawn(["sleep", "600"]);
    world.defer(() => sleeper.kill());
    const data = join(dataDir, "postgres");
    const lines = [sleeper.pid, data, 1, 5432, "", "127.0.0.1", "", "ready   ", ""];
    writeFileSync(join(data, "postmaster.pid"), lines.join("\n"));
    const running = await world.start(dataDir);
    expect(running.how).toBe("started");
    expect(sleeper.exitCode).toBeNull();
  });

  test("a pid file whose process is gone, after the machine went down", async () => {
    const dataDir = await world.filledFolder();
    const holder = await world.hold(dataDir);
    const pid = serverPid(dataDir);
    await holder.end("SIGKILL");
    process.kill(pid, "SIGKILL");
    await until(() => !isServed(dataDir, pid));
    expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(true);
    expect((await world.start(dataDir)).how).toBe("started");
  });

  test("a data folder half made", async () => {
    const dataDir = world.folder();
    const data = join(dataDir, "postgres");
    for (const half of [data, `${data}.new-${deadPid()}`]) {
      mkdirSync(join(half, "base"), { recursive: true });
      writeFileSync(join(half, "PG_VERSION"), "18\n");
    }
    const running = await world.start(dataDir);
    expect(await one(running.url, "select 1 as v")).toBe(1);
    const names = readdirSync(dataDir).sort();
    expect(names).toEqual(["postgres", `postgres.incomplete-${process.pid}`, "postgres.log"]);
  });

  test("an initdb killed on its way is done again", async () => {
    const dataDir = world.folder();
    const command = [process.execPath, PROGRAM, dataDir];
    const child = Bun.spawn(command, { stdout: "ignore", detached: true });
    await until(() => readdirSync(dataDir).some((name) => name.includes(".new-")), { everyMs: 5 });
    process.kill(-child.pid, "SIGKILL");
    await child.exited;
    expect(existsSync(join(dataDir, "postgres"))).toBe(false);
    const running = await world.start(dataDir);
    expect(await one(running.url, "select 1 as v")).toBe(1);
    expect(readdirSync(dataDir).sort()).toEqual(["postgres", "postgres.log"]);
  });

  test("a port that somebody else took meanwhile", async () => {
    const dataDir = await world.filledFolder();
    const taken = readFileSync(join(dataDir, "postgres", "trawl-port"), "utf8").trim();
    await listen(Number(taken));
    const running = await world.start(dataDir);
    expect(new URL(running.url).port).not.toBe(taken);
  });
});

describe("what cannot work is said", () => {
  const versions: [string, EmbeddedStart["kind"], RegExp][] = [
    ["17", "older data", /of Postgres 17.*backup.*restore/],
    ["19", "newer data", /of Postgres 19.*later version/],
  ];
  for (const [version, kind, words] of versions) {
    test(`data of Postgres ${version}`, async () => {
      const dataDir = world.folder();
      mkdirSync(join(dataDir, "postgres", "global"), { recursive: true });
      writeFileSync(join(dataDir, "postgres", "PG_VERSION"), `${version}\n`);
      writeFileSync(join(dataDir, "postgres", "global", "pg_control"), "");
      expectFailure(await startEmbedded({ dataDir, log: silentLog }), kind, words);
    });
  }

  test("data whose password is lost", async () => {
    const dataDir = await world.filledFolder();
    rmSync(join(dataDir, "postgres", "trawl-password"));
    expectFailure(await startEmbedded({ dataDir, log: silentLog }), "damaged", /trawl-password/);
  });

  test("data whose password is another's", async () => {
    const dataDir = await world.filledFolder();
    writeFileSync(join(dataDir, "postgres", "trawl-password"), "another");
    expectFailure(await startEmbedded({ dataDir, log: silentLog }), "damaged", /right file/);
    expect(readPostmaster(join(dataDir, "postgres"))).toBeNull();
  });

  test("a folder that this account may not write", async () => {
    const dataDir = world.folder();
    chmodSync(dataDir, 0o555);
    const holder = await world.hold(dataDir, isRoot() ? { uid: NOBODY } : {});
    expectFailure(holder.started, "unwritable", /choose another DATA_DIR/);
  });

  test.skipIf(!isRoot())("data of another account", async () => {
    const holder = await world.hold(await world.filledFolder(), { uid: NOBODY });
    expectFailure(holder.started, "unwritable", /another account/);
  });

  test.skipIf(!canMount())("a disk without room for a database", async () => {
    const dataDir = world.folder();
    const before = mounted('mount -t tmpfs -o size=12m none "$1"', dataDir);
    const holder = await world.hold(dataDir, { before });
    expectFailure(holder.started, "no space", /free some/);
  });

  test.skipIf(!canMount())("a disk that may only be read", async () => {
    const dataDir = await world.filledFolder();
    const script = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"';
    const holder = await world.hold(dataDir, { before: mounted(script, dataDir) });
    expectFailure(holder.started, "unwritable", /choose another DATA_DIR/);
  });
});

/** Mounts of a private namespace, gone with its process. */
function canMount(): boolean {
  if (!isRoot() || process.platform !== "linux") return false;
  const child = Bun.spawnSync(["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]);
  return child.exitCode === 0;
}

/** What stands before a command so that it sees `folder` mounted as `script` does it. */
function mounted(script: string, folder: string): string[] {
  return ["unshare", "--mount", "sh", "-c", `${script} && shift && exec "$@"`, "sh", folder];
}

function listen(port: number): Promise<void> {
  return new Promise((done, fail) => {
    const server = createServer();
    world.defer(() => server.close());
    server.once("error", fail);
    server.listen(port, "127.0.0.1", done);
  });
}

function deadPid(): number {
  return Bun.spawnSync(["true"]).pid;
}
