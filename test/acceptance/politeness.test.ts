import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Program } from "../support/program.ts";
import { type Site, startSite } from "../support/site.ts";
import { tool } from "../support/suites.ts";
import { until } from "../support/until.ts";

describe("100 hosts x 8 pages at one second a host", async () => {
  const HOSTS = 100;
  const PAGES = 8;
  const site = await startSite({ hosts: HOSTS, pages: PAGES, links: 8, kb: 2, log: true });
  const program = new Program({ env: { FETCH_ALLOW_CIDRS: "127.0.0.0/8" } });

  beforeAll(async () => {
    if (!site) return;
    await program.start();
    await program.run("seed", ...Array.from({ length: HOSTS }, (_, h) => site.page(h)));
    const done = async () =>
      (await program.api<{ crawled: number }>("/status")).crawled === HOSTS * PAGES;
    await until(done, { timeoutMs: 60_000, what: "all pages" });
  });

  afterAll(async () => {
    await program.stop();
    await site?.stop();
  });

  test.skipIf(!site)("no request of a host within a second of its last answer", async () => {
    const stats = await (site as Site).stats();
    expect(stats.maxInFlightPerHost).toBe(1);
    expect(stats.minGapMsPerHost).toBeGreaterThanOrEqual(1_000);
    expect(stats.robots).toBe(HOSTS);
  });
});

describe("20 names x 5 pages on one address, starts 200 ms apart", async () => {
  const NAMES = 20;
  const PAGES = 5;
  const double = tool("dns-double.ts");
  const site = double
    ? await startSite({ hosts: NAMES, pages: PAGES, links: 5, kb: 2, names: true, log: true })
    : null;
  const dns = double
    ? await (await import(double)).start({ ttl: 60, names: { "h#.test": "127.0.0.1" } })
    : null;
  const program = new Program({
    env: {
      FETCH_ALLOW_CIDRS: "127.0.0.0/8",
      DNS_SERVERS: `127.0.0.1:${dns?.port}`,
      CRAWL_IP_DELAY_MS: "200",
      CRAWL_SCOPE: "any",
    },
  });

  beforeAll(async () => {
    if (!site) return;
    await program.start();
    await program.run("seed", ...Array.from({ length: NAMES }, (_, h) => site.page(h)));
    const done = async () =>
      (await program.api<{ crawled: number }>("/status")).crawled === NAMES * PAGES;
    await until(done, { timeoutMs: 90_000, what: "all pages" });
  });

  afterAll(async () => {
    await program.stop();
    await site?.stop();
    await dns?.close();
  });

  test.skipIf(!site)("every start counts, robots.txt too, and it ends within 28 s", async () => {
    const at = site as Site;
    const all = NAMES * (PAGES + 1);
    const seen = await until(() => {
      const accesses = at.accesses();
      return accesses.length >= all && accesses;
    });
    const starts = seen.map(({ t0 }) => t0).sort((a, b) => a - b);
    const gaps = starts.slice(1).map((start, index) => start - starts[index]!);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(200);
    expect(starts.at(-1)! - starts[0]!).toBeLessThanOrEqual(28_000);
  });
});
