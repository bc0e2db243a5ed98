import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Program } from "../support/program.ts";
import { type Access, type Site, startSite } from "../support/site.ts";
import { until } from "../support/until.ts";
import { shortestGap } from "../support/whole-crawl.ts";

const DELAY_MS = 1_000;
const BIG = { host: 0, pages: 300 };
const SMALL = { hosts: 100, pages: 8 };
const site = await startSite({ hosts: 1 + SMALL.hosts, pages: BIG.pages, kb: 2, log: true });

describe.skipIf(!site)("300 URLs of host A, then 8 on each of 100 hosts", () => {
  const at = site as Site;
  // Links are of depth 1: what is asked for is what was seeded.
  const program = new Program({
    env: {
      CRAWL_DELAY_MS: `${DELAY_MS}`,
      CRAWL_MAX_DEPTH: "0",
      FETCH_ALLOW_CIDRS: "127.0.0.0/8",
    },
  });
  const big = new URL(at.page(BIG.host)).hostname;
  const isPage = ({ path }: Access) => path !== "/robots.txt";
  const small = () => at.accesses().filter((access) => isPage(access) && access.host !== big);

  beforeAll(async () => {
    await program.start();
    const first = Array.from({ length: BIG.pages }, (_, n) => at.page(BIG.host, n));
    const then = Array.from({ length: SMALL.hosts * SMALL.pages }, (_, i) =>
      at.page(1 + (i % SMALL.hosts), Math.floor(i / SMALL.hosts)),
    );
    const seeds = join(program.dataDir, "seeds.txt");
    await Bun.write(seeds, [...first, ...then].join("\n"));
    const { code, out, err } = await program.run("seed", seeds, "--json");
    if (code !== 0) throw new Error(err);
    expect(JSON.parse(out).admitted).toBe(first.length + then.length);
    const isDone = () => small().length >= SMALL.hosts * SMALL.pages;
    await until(isDone, { timeoutMs: 90_000, everyMs: 100, what: "the small hosts" });
  }, 150_000);
  afterAll(async () => {
    await program.stop();
    await at.stop();
  }, 30_000);

  test("10: the small hosts are done within 10 s of the first request", () => {
    const began = Math.min(...at.accesses().map(({ t0 }) => t0));
    const pages = small();
    const tookMs = Math.max(...pages.map(({ t1 }) => t1)) - began;
    console.log(`100 small hosts: ${tookMs} ms`);
    expect(new Set(pages.map(({ host, path }) => host + path)).size).toBe(pages.length);
    expect(tookMs).toBeLessThanOrEqual(10_000);
    // The big one is not starved either.
    const ofBig = at.accesses().filter((access) => isPage(access) && access.host === big);
    expect(ofBig.length).toBeGreaterThanOrEqual(Math.floor((tookMs / DELAY_MS) * 0.7));
  });

  test("11: hosts named by address: no gap at the server is shorter than a second", async () => {
    const pages = at.accesses().filter(isPage);
    expect(new Set(pages.map(({ host }) => host)).size).toBe(1 + SMALL.hosts);
    expect(shortestGap(pages)!.ms).toBeGreaterThanOrEqual(DELAY_MS);
    expect((await at.stats()).maxInFlightPerHost).toBe(1);
  });
});
