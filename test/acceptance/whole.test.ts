import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Program } from "../support/program.ts";
import { type Site, startSite } from "../support/site.ts";
import { until } from "../support/until.ts";

interface Status {
  crawled: number;
  documents: number;
  indexed: number;
  urls: Record<string, number>;
  time_to_searchable_ms: { p50: number; p95: number; p99: number };
}

interface Found {
  total: number;
  hits: { url: string; title: { text: string }[] }[];
}

const HOSTS = 20;
const PAGES = 100;
const site = await startSite({ hosts: HOSTS, pages: PAGES, links: 10, kb: 4 });

describe.skipIf(!site)("a crawl of 20 hosts x 100 pages", () => {
  const at = site as Site;
  const program = new Program({
    env: { CRAWL_DELAY_MS: "0", FETCH_ALLOW_CIDRS: "127.0.0.0/8" },
  });

  beforeAll(async () => {
    await program.start();
    const seeds = Array.from({ length: HOSTS }, (_, h) => at.page(h));
    const seeded = await program.run("seed", ...seeds, "--json");
    expect(JSON.parse(seeded.out)).toEqual({ admitted: HOSTS, known: 0, refused: [] });
    await until(async () => (await status()).crawled >= HOSTS * PAGES, { timeoutMs: 240_000 });
    await until(async () => (await status()).urls.in_progress === 0);
  }, 300_000);

  afterAll(async () => {
    await program.stop();
    await at.stop();
  });

  const status = () => program.api<Status>("/status");
  const search = (q: string) => program.api<Found>(`/api/search?q=${encodeURIComponent(q)}`);

  test("crawls every page once, and makes each a document", async () => {
    const wanted = { crawled: HOSTS * PAGES, documents: HOSTS * PAGES, indexed: HOSTS * PAGES };
    // Figures of /status are kept for a moment: the last page may not be in all of them yet.
    await until(async () => (await status()).indexed >= wanted.indexed);
    await until(async () => (await status()).documents >= wanted.documents);
    const { crawled, documents, indexed } = await status();
    expect({ crawled, documents, indexed }).toEqual(wanted);
    expect((await at.stats()).maxInFlightPerHost).toBe(1);
  });

  test("finds exactly page n of host h by its word", async () => {
    for (let sample = 0; sample < 60; sample++) {
      const h = (sample * 7) % HOSTS;
      const n = (sample * 37) % PAGES;
      const { total, hits } = await search(`zq${h}x${n}`);
      expect({ total, url: hits[0]?.url }).toEqual({ total: 1, url: at.page(h, n) });
      const title = hits[0]!.title.map((each) => each.text).join("");
      expect(title).toBe(`Page ${n} of host ${h}`);
    }
  });

  test("index and store agree, and so do the books", async () => {
    const reconciled = await program.run("reconcile", "--json");
    expect(JSON.parse(reconciled.out)).toEqual({ missing: 0, orphan: 0, stale: 0 });
    const doctor = await program.run("doctor", "--json");
    const findings: { name: string; ok: boolean }[] = JSON.parse(doctor.out);
    expect(findings.filter((finding) => !finding.ok)).toEqual([]);
  });

  test("a page is searchable within a second of its fetch at p99, as /status says", async () => {
    const { time_to_searchable_ms: times } = await status();
    expect(times.p99).toBeGreaterThan(0);
    expect(times.p99).toBeLessThanOrEqual(1_000);
  });
});
