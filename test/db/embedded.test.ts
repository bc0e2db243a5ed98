import { describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { startEmbedded } from "../../src/db/embedded.ts";
import { silentLog } from "../../src/log.ts";
import { embeddedWorld, expectRunning, isServed, one, serverPid } from "../support/embedded.ts";
import { until } from "../support/until.ts";

const world = embeddedWorld();

describe("one process", () => {
  test("makes the data, serves it, keeps the secret and leaves nothing running", async () => {
    const dataDir = world.folder();
    const steps: string[] = [];
    const progress = (step: string) => steps.push(step);
    const running = expectRunning(await startEmbedded({ dataDir, log: silentLog, progress }));
    expect(steps).toEqual(["creating", "starting"]);
    expect(running.how).toBe("started");
    const major = "select current_setting('server_version_num')::int / 10000 as v";
    expect(await one(running.url, major)).toBe(18);
    expect(statSync(join(dataDir, "postgres", "trawl-password")).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, "postgres")).mode & 0o777).toBe(0o700);
    const pid = serverPid(dataDir);
    await running.stop();
    await running.stop();
    expect(isServed(dataDir, pid)).toBe(false);
    expect(readdirSync(dataDir).sort()).toEqual(["postgres", "postgres.log"]);
  });

  test("refuses strangers without the password", async () => {
    const running = await world.start(await world.filledFolder());
    const url = new URL(running.url);
    url.password = "guessed";
    const guess = await one(url.href, "select 1 as v").catch((error: Error) => error.message);
    expect(guess).toContain("password authentication failed");
  });

  test("keeps what was committed over a kill of Postgres, on the same port", async () => {
    const dataDir = await world.filledFolder();
    const running = await world.start(dataDir);
    await one(running.url, "create table kept as select 7 as v");
    const pid = serverPid(dataDir);
    process.kill(pid, "SIGKILL");
    const value = await until(() => one(running.url, "select v from kept").catch(() => null), {
      timeoutMs: 30_000,
      what: "the restarted Postgres",
    });
    expect(value).toBe(7);
    expect(serverPid(dataDir)).not.toBe(pid);
  });

  test("sorts and folds case the same on every machine", async () => {
    const running = await world.start(await world.filledFolder());
    const query = "select lower('ÉÇЖ') || ('a' < 'B')::text as v";
    expect(await one(running.url, query)).toBe("éçжfalse");
  });
});

describe("several processes", () => {
  test("that start at once share one server, and the last one out stops it", async () => {
    const dataDir = world.folder();
    const holders = await Promise.all([1, 2, 3].map(() => world.hold(dataDir)));
    const urls = holders.map((holder) => expectRunning(holder.started).url);
    expect(new Set(urls).size).toBe(1);
    const pid = serverPid(dataDir);
    for (const [index, holder] of holders.entries()) {
      expect(isServed(dataDir, pid)).toBe(true);
      await holder.end("SIGTERM");
      expect(isServed(dataDir, pid)).toBe(index < 2);
    }
  });

  test("that leave at once leave nothing running", async () => {
    const dataDir = await world.filledFolder();
    const holders = await Promise.all([1, 2, 3].map(() => world.hold(dataDir)));
    const pid = serverPid(dataDir);
    await Promise.all(holders.map((holder) => holder.end("SIGTERM")));
    expect(isServed(dataDir, pid)).toBe(false);
  });

  test("a newcomer while the last one leaves gets a server all the same", async () => {
    const dataDir = await world.filledFolder();
    for (let round = 0; round < 3; round++) {
      const first = await world.start(dataDir);
      const [, second] = await Promise.all([first.stop(), world.start(dataDir)]);
      expect(await one(second.url, "select 1 as v")).toBe(1);
      await second.stop();
    }
  });

  test("a killed starter leaves a server that the next one adopts and stops", async () => {
    const dataDir = await world.filledFolder();
    const first = await world.hold(dataDir);
    const pid = serverPid(dataDir);
    await first.end("SIGKILL");
    expect(isServed(dataDir, pid)).toBe(true);
    const second = await world.start(dataDir);
    expect(second.how).toBe("adopted");
    await second.stop();
    expect(isServed(dataDir, pid)).toBe(false);
  });

  test("Ctrl-C reaches the program, not its Postgres", async () => {
    const dataDir = await world.filledFolder();
    const first = await world.hold(dataDir);
    const second = await world.start(dataDir);
    const pid = serverPid(dataDir);
    process.kill(-first.pid, "SIGINT");
    await first.exited;
    expect(await one(second.url, "select 1 as v")).toBe(1);
    await second.stop();
    expect(isServed(dataDir, pid)).toBe(false);
  });
});
