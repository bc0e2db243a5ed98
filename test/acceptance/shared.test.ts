import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { postmasterOf } from "../support/outage.ts";
import { Program, processesOf } from "../support/program.ts";
import { type Site, startSite } from "../support/site.ts";
import {
  allAccesses,
  expectEachPageOnce,
  type Status,
  seedEveryHost,
  shortestGap,
  statusOf,
  untilAsked,
  untilAskedAgain,
  untilOver,
} from "../support/whole-crawl.ts";

const DELAY_MS = 100;
const SIZE = { hosts: 6, pages: 60 };
/** P3: on another worker. */
const TAKEOVER_MS = 10_000;
/** Longer than the delay: a request that is cut off ends later at the site than here. */
const LATENCY_MS = 150;
const site = await startSite({ ...SIZE, links: 8, kb: 2, latencyMs: LATENCY_MS, log: true });

describe.skipIf(!site)("several processes on one DATA_DIR", () => {
  const at = site as Site;
  const env = { CRAWL_DELAY_MS: `${DELAY_MS}`, FETCH_ALLOW_CIDRS: "127.0.0.0/8" };
  const first = new Program({ env, group: true });
  const second = new Program({ env, dataDir: first.dataDir });

  beforeAll(async () => {
    await first.start();
  }, 60_000);

  afterAll(async () => {
    await second.stop({ keep: true });
    await first.stop();
    await at.stop();
  }, 30_000);

  test("crawl --until-idle ended by SIGINT: 130, one JSON value, no claim left", async () => {
    await first.stop({ keep: true });
    await seedEveryHost(first, at, SIZE);
    const child = Bun.spawn(
      [process.execPath, join("src", "main.ts"), "crawl", "--until-idle", "--json"],
      { env: first.env, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    );
    await untilAsked(at, 20);
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    expect(JSON.parse(await new Response(child.stdout).text())).toMatchObject({
      stopped: "signal",
    });
    const { out } = await first.run("status", "--json");
    const { urls, crawl } = JSON.parse(out) as Status;
    expect([urls!.in_progress, crawl.state]).toEqual([0, "off"]);
    expect(processesOf(first.dataDir)).toEqual([]);
  }, 60_000);

  test("two starts share it: each answers, both keep to one gap", async () => {
    await first.start();
    await second.start();
    expect(second.output).toContain('"how":"adopted"');
    await untilAsked(at, 60);
    for (const program of [first, second]) {
      expect((await statusOf(program)).crawl.state).toBe("running");
    }
  }, 60_000);

  test("kill -9 of the one that started Postgres: the other goes on with what it held", async () => {
    const { pid } = postmasterOf(first.dataDir);
    first.kill("SIGKILL");
    await first.exited;
    const killedAt = Date.now();
    const hosts = () =>
      new Set(at.accesses().flatMap(({ t0, host }) => (t0 > killedAt ? host : [])));
    await untilAskedAgain(at, killedAt);
    while (hosts().size < SIZE.hosts) await untilAskedAgain(at, Date.now(), TAKEOVER_MS);
    expect(Date.now() - killedAt).toBeLessThan(TAKEOVER_MS);
    expect(postmasterOf(first.dataDir).pid).toBe(pid);
  }, 60_000);

  test("SIGTERM of one: its requests land, and the other takes its hosts without a gap too short", async () => {
    const { pages } = await at.stats();
    await first.start();
    await untilAsked(at, pages + 20);
    expect(await first.stop({ keep: true })).toBe(0);
    await untilAskedAgain(at, Date.now());
    expect(shortestGap(at.accesses())!.ms).toBeGreaterThanOrEqual(DELAY_MS);
  }, 60_000);

  test("in the end every page is there, once, and nobody was asked too soon", async () => {
    await first.start();
    await untilOver(second, SIZE);
    await expectEachPageOnce(second, at, SIZE);
    expect(shortestGap(await allAccesses(at))!.ms).toBeGreaterThanOrEqual(DELAY_MS);
  }, 120_000);

  test("the last one out stops Postgres; Ctrl-C in a terminal leaves nothing running", async () => {
    expect(await second.stop({ keep: true })).toBe(0);
    expect(processesOf(first.dataDir).length).toBeGreaterThan(0);
    expect((await statusOf(first)).parts.postgres).toBe("up");
    first.interruptGroup();
    expect(await first.exited).toBe(0);
    expect(processesOf(first.dataDir)).toEqual([]);
  }, 60_000);
});
