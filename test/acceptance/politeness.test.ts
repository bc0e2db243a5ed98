import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startNames } from "../support/names.ts";
import { Program } from "../support/program.ts";
import { type Site, startSite } from "../support/site.ts";
import { allAccesses, seedEveryHost, untilOver } from "../support/whole-crawl.ts";

describe("100 hosts x 8 pages at one second a host", async () => {
  const size = { hosts: 100, pages: 8 };
  const site = await startSite({ ...size, links: 8, kb: 2 });
  const program = new Program({ env: { FETCH_ALLOW_CIDRS: "127.0.0.0/8" } });

  beforeAll(async () => {
    if (!site) return;
    await program.start();
    await seedEveryHost(program, site, size);
    await untilOver(program, size, 60_000);
  });

  afterAll(async () => {
    await program.stop();
    await site?.stop();
  });

  test.skipIf(!site)("no request of a host within a second of its last answer", async () => {
    const stats = await (site as Site).stats();
    expect(stats.maxInFlightPerHost).toBe(1);
    expect(stats.minGapMsPerHost).toBeGreaterThanOrEqual(1_000);
    expect(stats.robots).toBe(size.hosts);
  });
});

describe("20 names x 5 pages on one address, starts 200 ms apart", async () => {
  const size = { hosts: 20, pages: 5 };
  const names = await startNames({ ttl: 60, names: { "h#.test": "127.0.0.1" } });
  const site = names && (await startSite({ ...size, links: 5, kb: 2, names: true, log: true }));
  const program = new Program({
    env: {
      FETCH_ALLOW_CIDRS: "127.0.0.0/8",
      DNS_SERVERS: `127.0.0.1:${names?.port}`,
      CRAWL_IP_DELAY_MS: "200",
      CRAWL_SCOPE: "any",
    },
  });

  beforeAll(async () => {
    if (!site) return;
    await program.start();
    await seedEveryHost(program, site, size);
    await untilOver(program, size, 90_000);
  });

  afterAll(async () => {
    await program.stop();
    await site?.stop();
    await names?.close();
  });

  test.skipIf(!site)("every start counts, robots.txt too, and it ends within 28 s", async () => {
    const accesses = await allAccesses(site as Site);
    expect(accesses).toHaveLength(size.hosts * (size.pages + 1));
    const starts = accesses.map(({ t0 }) => t0).sort((a, b) => a - b);
    const gaps = starts.slice(1).map((start, index) => start - starts[index]!);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(200);
    expect(starts.at(-1)! - starts[0]!).toBeLessThanOrEqual(28_000);
  });
});
