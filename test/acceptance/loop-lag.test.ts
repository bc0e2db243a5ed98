import { afterAll, describe, expect, test } from "bun:test";
import { type LoopLag, LoopLagMeter } from "../../src/loop-lag.ts";
import { loopLagOf } from "../support/loop-lag.ts";
import { Program } from "../support/program.ts";
import { type Site, startSite } from "../support/site.ts";
import { until } from "../support/until.ts";
import { seedEveryHost, statusOf } from "../support/whole-crawl.ts";

const SIZE = { hosts: 20, pages: 100 };
const PAGES = SIZE.hosts * SIZE.pages;
const SEARCH_EVERY_MS = 500;
const P99_MS = 50;
/** A process that does nothing waits longer than this only where others take the machine. */
const QUIET_P99_MS = P99_MS / 2;
const TRIES = 3;
const site = await startSite({ ...SIZE, links: 30, kb: 12, warm: true });

describe.skipIf(!site)("the event loop during a crawl from a cold start", () => {
  afterAll(() => site!.stop());

  test(`is late by less than ${P99_MS} ms at p99, searches beside it`, async () => {
    const told: number[] = [];
    for (let nth = 0; nth < TRIES; nth += 1) {
      const { program, bystander } = await lagsOfCrawl(site as Site);
      console.info(`event loop: ${JSON.stringify({ program, bystander })}`);
      // A loop that was never late at all was not measured.
      expect(program.maxMs).toBeGreaterThan(0);
      const isQuiet = bystander.p99Ms < QUIET_P99_MS;
      if (isQuiet || program.p99Ms < P99_MS) told.push(program.p99Ms);
      if (program.p99Ms < P99_MS) break;
    }
    if (told.length === 0) console.warn("skipped: others take this machine, it tells nothing");
    else expect(Math.min(...told)).toBeLessThan(P99_MS);
  }, 360_000);
});

/** Of a program of its own, since the window of one before holds the crawl before. */
async function lagsOfCrawl(at: Site): Promise<{ program: LoopLag; bystander: LoopLag }> {
  const bystander = new LoopLagMeter();
  const program = new Program({
    env: { CRAWL_DELAY_MS: "0", FETCH_ALLOW_CIDRS: "127.0.0.0/8" },
  });
  try {
    await program.start();
    await seedEveryHost(program, at, SIZE);
    bystander.start();
    let searches = 0;
    const isOver = async () => {
      searches += 1;
      await program.api(`/api/search?q=page+${searches}`);
      return ((await statusOf(program)).crawled ?? 0) >= PAGES;
    };
    await until(isOver, { timeoutMs: 90_000, everyMs: SEARCH_EVERY_MS, what: `${PAGES} pages` });
    return { program: await loopLagOf(program), bystander: bystander.read()! };
  } finally {
    bystander.stop();
    await program.stop();
  }
}
