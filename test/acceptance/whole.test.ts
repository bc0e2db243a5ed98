import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Program } from "../support/program.ts";
import { type Site, startSite } from "../support/site.ts";
import { expectEachPageOnce, seedEveryHost, untilOver } from "../support/whole-crawl.ts";

const SIZE = { hosts: 20, pages: 100 };
const site = await startSite({ ...SIZE, links: 10, kb: 4 });

describe.skipIf(!site)("a crawl of 20 hosts x 100 pages", () => {
  const at = site as Site;
  const program = new Program({
    env: { CRAWL_DELAY_MS: "0", FETCH_ALLOW_CIDRS: "127.0.0.0/8" },
  });

  beforeAll(async () => {
    await program.start();
    await seedEveryHost(program, at, SIZE);
    await untilOver(program, SIZE, 240_000);
  }, 300_000);

  afterAll(async () => {
    await program.stop();
    await at.stop();
  });

  test("makes each page a document, found by its word; index, store and books agree", async () => {
    await expectEachPageOnce(program, at, SIZE, 60);
    expect((await at.stats()).maxInFlightPerHost).toBe(1);
  });

  test("shows a page by its title", async () => {
    const { hits } = await program.api<{ hits: { title: { text: string }[] }[] }>(
      "/api/search?q=zq7x37",
    );
    expect(hits[0]!.title.map(({ text }) => text).join("")).toBe("Page 37 of host 7");
  });

  test("a page is searchable within a second of its fetch at p99, as /status says", async () => {
    const { time_to_searchable_ms: times } = await program.api<{
      time_to_searchable_ms: { p99: number };
    }>("/status");
    expect(times.p99).toBeGreaterThan(0);
    expect(times.p99).toBeLessThanOrEqual(1_000);
  });
});
