import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lockIndex } from "../support/outage.ts";
import { Program, processesOf, runCommand } from "../support/program.ts";
import { type Site, startSite } from "../support/site.ts";
import { until } from "../support/until.ts";
import {
  allAccesses,
  expectEachPageOnce,
  type Status,
  seedEveryHost,
  shortestGap,
  statusOf,
  untilAsked,
  untilOver,
} from "../support/whole-crawl.ts";

const DELAY_MS = 60;
const SIZE = { hosts: 6, pages: 60 };
const site = await startSite({ ...SIZE, links: 8, kb: 2, latencyMs: 30, log: true });

describe.skipIf(!site)("one crawl that is stopped, frozen and let go on", () => {
  const at = site as Site;
  const program = new Program({
    env: { CRAWL_DELAY_MS: `${DELAY_MS}`, FETCH_ALLOW_CIDRS: "127.0.0.0/8" },
  });

  beforeAll(async () => {
    await program.start();
    await seedEveryHost(program, at, SIZE);
  }, 60_000);

  afterAll(async () => {
    await program.stop();
    await at.stop();
  }, 30_000);

  test("SIGTERM in mid-crawl: over within 10 s, exit 0, no claim and no Postgres left", async () => {
    await untilAsked(at, 30);
    const began = performance.now();
    expect(await program.stop({ keep: true })).toBe(0);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(processesOf(program.dataDir)).toEqual([]);
    const status = await runCommand(["status", "--json"], program.env);
    const { urls, crawl } = JSON.parse(status.out) as Status;
    expect(urls!.in_progress).toBe(0);
    expect(urls!.pending).toBeGreaterThan(30);
    expect(crawl.state).toBe("off");
    expect(processesOf(program.dataDir)).toEqual([]);
  }, 60_000);

  test("SIGTERM while the index is locked: the same, and what waited for it comes again", async () => {
    await program.start();
    await untilAsked(at, 60);
    const lock = await lockIndex(program.dataDir);
    const isFelt = async () => (await statusOf(program)).parts.index !== "up";
    await until(isFelt, { timeoutMs: 15_000, what: "the lock to be felt" });
    const began = performance.now();
    expect(await program.stop({ keep: true })).toBe(0);
    expect(performance.now() - began).toBeLessThan(10_000);
    await lock.end();
    expect(processesOf(program.dataDir)).toEqual([]);
    const status = await runCommand(["status", "--json"], program.env);
    expect((JSON.parse(status.out) as Status).urls!.in_progress).toBe(0);
  }, 60_000);

  test("frozen for longer than its lease: it goes on, and asks nobody too soon", async () => {
    await program.start();
    await untilAsked(at, 150);
    await program.freeze(8_000);
    await untilOver(program, SIZE);
    expect(program.output).toContain("lease.lost");
    await expectEachPageOnce(program, at, SIZE);
  }, 120_000);

  test("no gap of the whole crawl is shorter than the delay", async () => {
    expect(shortestGap(await allAccesses(at))!.ms).toBeGreaterThanOrEqual(DELAY_MS);
  }, 60_000);
});
