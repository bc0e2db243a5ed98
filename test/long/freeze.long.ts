import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { freezePostgresOf } from "../support/outage.ts";
import { Program } from "../support/program.ts";
import { type Site, startSite } from "../support/site.ts";
import { until } from "../support/until.ts";
import { WatchedWeb } from "../support/watched-web.ts";
import {
  allAccesses,
  expectEachPageOnce,
  seedEveryHost,
  shortestGap,
  statusOf,
  untilAsked,
  untilAskedAgain,
  untilOver,
} from "../support/whole-crawl.ts";

const DELAY_MS = 100;
const FROZEN_MS = 20_000;
const SIZE = { hosts: 8, pages: 300 };
const env = { CRAWL_DELAY_MS: `${DELAY_MS}`, FETCH_ALLOW_CIDRS: "127.0.0.0/8" };

describe("a crawl process frozen for 20 s", () => {
  const programs: Program[] = [];
  let site: Site | null = null;

  beforeAll(async () => {
    site = await startSite({ ...SIZE, links: 8, kb: 2, latencyMs: 20, log: true });
  });

  afterEach(async () => {
    for (const program of programs.splice(0)) await program.stop();
  }, 60_000);

  afterAll(() => site?.stop());

  const program = (roles: string, dataDir?: string) => {
    const made = new Program({
      env,
      args: ["--roles", roles],
      ...(dataDir === undefined ? {} : { dataDir }),
    });
    programs.push(made);
    return made;
  };

  test("alone: it goes on when it wakes", async () => {
    if (!site) return;
    const only = program("web,crawl,schedule");
    await only.start();
    await seedEveryHost(only, site, SIZE);
    await untilAsked(site, 200);
    await only.freeze(FROZEN_MS);
    await untilOver(only, SIZE, 300_000);
    await expectEachPageOnce(only, site, SIZE, 100);
    expect(shortestGap(await allAccesses(site))!.ms).toBeGreaterThanOrEqual(DELAY_MS);
  }, 600_000);

  test("Postgres frozen instead: said, search answers on, and the crawl goes on after it", async () => {
    if (!site) return;
    const { pages } = await site.stats();
    const only = program("web,crawl,schedule");
    await only.start();
    await seedEveryHost(only, site, SIZE);
    await untilAsked(site, pages + 200);
    const seen = await freezePostgresOf(only.dataDir, () =>
      new WatchedWeb(only).watch({ untilMs: Date.now() + FROZEN_MS }),
    );
    expect(new Set(seen.map(({ search }) => search))).toEqual(new Set([200]));
    const last = seen.at(-1)!;
    expect([last.parts.postgres, last.crawl.state]).toEqual(["down", "parked"]);
    expect(await untilAskedAgain(site, Date.now())).toBeLessThan(10_000);
    await untilOver(only, SIZE, 300_000);
    await expectEachPageOnce(only, site, SIZE, 100);
    expect(shortestGap(await allAccesses(site))!.ms).toBeGreaterThanOrEqual(DELAY_MS);
  }, 600_000);

  test("one of two: the other takes its hosts, and neither asks too soon", async () => {
    if (!site) return;
    const before = await site.stats();
    const web = program("web,schedule");
    await web.start();
    const [frozen, other] = [program("crawl", web.dataDir), program("crawl", web.dataDir)];
    for (const crawler of [frozen, other]) {
      crawler.spawn();
      await until(() => crawler.output.includes("runs: crawl"), { timeoutMs: 60_000 });
    }
    await seedEveryHost(web, site, SIZE);
    await untilAsked(site, before.pages + 200);
    const stoppedAt = Date.now();
    await frozen.freeze(FROZEN_MS);
    const since = () => site!.accesses().filter(({ t0 }) => t0 > stoppedAt + 12_000);
    // Frozen in the middle of a write it keeps the lock of the index file: that parks the others.
    const isParked = (await statusOf(web)).crawl.reason === "index";
    if (!isParked) expect(new Set(since().map(({ host }) => host)).size).toBe(SIZE.hosts);
    await untilOver(web, SIZE, 300_000);
    await expectEachPageOnce(web, site, SIZE, 100);
    expect(shortestGap(await allAccesses(site))!.ms).toBeGreaterThanOrEqual(DELAY_MS);
  }, 600_000);
});
