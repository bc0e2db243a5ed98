import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { runTurn } from "../../src/crawl/turn.ts";
import { readCounters } from "../../src/db/counters.ts";
import { countUrlsByState } from "../../src/db/counts.ts";
import { releaseStale } from "../../src/db/due.ts";
import { countWaiting } from "../../src/queue/enqueue.ts";
import { LOCK_MS, STALLED_CHECK_MS, STALLED_COUNT_MAX } from "../../src/queue/queues.ts";
import { hasRedis, startRedis } from "../queue/carriers.ts";
import { type CrawlOptions, startCrawl, type TestCrawl } from "../support/crawl.ts";
import { mostAtOnce, page, type Scripts, startOrigin } from "../support/origin.ts";
import { pause } from "../support/pause.ts";
import { hostOf, urlOf } from "../support/rows.ts";
import { until } from "../support/until.ts";

const origin = startOrigin();
const redis = hasRedis ? await startRedis() : null;

setDefaultTimeout(90_000);
afterAll(async () => {
  await origin.stop();
  await redis?.stop();
});

/** A host whose front leads to `pages` others, each of which takes its time. */
function slowHost(host: string, { pages, tookMs }: { pages: number; tookMs: number }): string[] {
  const paths = Array.from({ length: pages }, (_, n) => `/${n}`);
  const slowly = async (answer: Response) => {
    await pause(tookMs);
    return answer;
  };
  const scripts: Scripts = {
    "/": () => slowly(page(`front of ${host}`, ...paths)),
    ...Object.fromEntries(paths.map((path) => [path, () => slowly(page(`${path} of ${host}`))])),
  };
  origin.host(host, scripts);
  return ["/", ...paths].map((path) => origin.url(host, path));
}

async function expectEachOnce(crawl: TestCrawl, host: string, urls: readonly string[]) {
  await until(async () => (await crawl.index.count()) >= urls.length, { timeoutMs: 60_000 });
  await until(async () => (await hostOf(crawl, host)).turnToken === null);
  for (const url of urls) {
    expect(await urlOf(crawl, url)).toMatchObject({ visits: 1, crashes: 0, attempts: 0 });
  }
  expect(origin.asked(host)).toHaveLength(urls.length);
  expect(mostAtOnce(origin.asked(host))).toBe(1);
}

const CARRIERS: [name: string, CrawlOptions][] = [["postgres", {}]];
if (redis) CARRIERS.push(["redis", { redisUrl: redis.url }]);

describe("12: 50 turns asked at once on one host", () => {
  const NEVER = new AbortController().signal;

  test.concurrent("of one worker: one turn", async () => {
    const crawl = await startCrawl({}, { schedules: false });
    try {
      const host = "127.0.12.1";
      const urls = slowHost(host, { pages: 3, tookMs: 100 });
      await crawl.seed(urls[0]!);
      const { id } = await hostOf(crawl, host);
      const turns = Array.from({ length: 50 }, () => runTurn(crawl.crew.turns, id, NEVER));
      const ends = (await Promise.all(turns)).filter((end) => end !== null);
      expect(ends).toEqual([{ kind: "exhausted" }]);
      await expectEachOnce(crawl, host, urls);
    } finally {
      await crawl.stop();
    }
  });

  test.concurrent.each(CARRIERS)(
    "of as many jobs, carried by %s: one turn",
    async (name, options) => {
      const crawl = await startCrawl({}, { ...options, schedules: false });
      try {
        const host = name === "redis" ? "127.0.12.2" : "127.0.12.3";
        const urls = slowHost(host, { pages: 3, tookMs: 100 });
        await crawl.seed(urls[0]!);
        const hostId = (await hostOf(crawl, host)).id;
        // Without the deduplication that a scheduler gives them.
        const jobs = Array.from({ length: 50 }, () => ({ name: "turn", data: { hostId } }));
        await crawl.backend.queue("turns").addBulk(jobs);
        await expectEachOnce(crawl, host, urls);
        await until(async () => (await countWaiting(crawl.backend, "turns")) === 0);
      } finally {
        await crawl.stop();
      }
    },
  );
});

describe("13: a URL waits longer in the carrier than any of its timeouts", () => {
  const LEASE_MS = 10_000;
  const SLOW = "127.0.13.1";
  const QUICK = Array.from({ length: 4 }, (_, n) => `127.0.13.${n + 10}`);

  test.concurrent("nothing vanishes, the states add up all the time, each page is asked once", async () => {
    const crawl = await startCrawl({ CRAWL_TURNS: "1", LEASE_MS: `${LEASE_MS}` });
    try {
      const slow = slowHost(SLOW, { pages: 6, tookMs: 1_700 });
      const quick = QUICK.map((host) => slowHost(host, { pages: 1, tookMs: 0 }));
      await crawl.seed(slow[0]!);
      await until(() => origin.asked(SLOW).length > 0);
      const admittedAt = Date.now();
      await crawl.seed(...quick.map((urls) => urls[0]!));
      await until(async () => (await countWaiting(crawl.backend, "turns"))! > 0);
      const all = slow.length + quick.flat().length;
      let stood = 0;
      await until(
        async () => {
          await expectBooks(crawl);
          // What the scheduler does once a minute: no claim of a living turn is stale.
          expect(await releaseStale(crawl.database.db, LEASE_MS)).toEqual([]);
          stood = Math.max(stood, (await countWaiting(crawl.backend, "turns")) ?? 0);
          return crawl.index.documents.size === all;
        },
        { timeoutMs: 60_000, everyMs: 100 },
      );
      expect(stood).toBeGreaterThan(0);
      const waited = Math.min(...QUICK.map((host) => origin.asked(host)[0]!.t0)) - admittedAt;
      expect(waited).toBeGreaterThan(LEASE_MS);
      await expectEachOnce(crawl, SLOW, slow);
      for (const [at, host] of QUICK.entries()) await expectEachOnce(crawl, host, quick[at]!);
    } finally {
      await crawl.stop();
    }
  });

  test.concurrent("a carrier that forgets its jobs loses no URL", async () => {
    const crawl = await startCrawl({ CRAWL_TURNS: "1" });
    try {
      const slow = slowHost("127.0.13.2", { pages: 2, tookMs: 1_000 });
      const quick = slowHost("127.0.13.3", { pages: 2, tookMs: 0 });
      await crawl.seed(slow[0]!);
      await until(() => origin.asked("127.0.13.2").length > 0);
      await crawl.seed(quick[0]!);
      await until(async () => (await countWaiting(crawl.backend, "turns"))! > 0);
      await crawl.backend.queue("turns").obliterate({ force: true });
      await until(() => crawl.index.documents.size === slow.length + quick.length);
      await expectBooks(crawl);
    } finally {
      await crawl.stop();
    }
  });
});

async function expectBooks({ database: { db } }: TestCrawl): Promise<void> {
  const [before, { due: _, ...states }, after] = [
    await readCounters(db),
    await countUrlsByState(db),
    await readCounters(db),
  ];
  const sum = Object.values(states).reduce((total, count) => total + count, 0);
  expect(sum).toBeGreaterThanOrEqual(before.get("accepted")!);
  expect(sum).toBeLessThanOrEqual(after.get("accepted")!);
}

describe("15: a handler outlives the lock that the carrier gave it", () => {
  const DELAY_MS = 50;

  test.concurrent.each(CARRIERS)(
    "%s: its job runs again, its turn does not",
    async (name, options) => {
      const crawl = await startCrawl(
        { CRAWL_DELAY_MS: `${DELAY_MS}` },
        { ...options, works: false },
      );
      const host = name === "redis" ? "127.0.15.1" : "127.0.15.2";
      const started: number[] = [];
      const ends: unknown[] = [];
      const stop = new AbortController();
      const worker = crawl.backend.worker(
        "turns",
        async (job) => {
          started.push(job.data.hostId);
          ends.push(await runTurn(crawl.crew.turns, job.data.hostId, stop.signal));
        },
        {
          concurrency: 8,
          lockDuration: LOCK_MS,
          stalledInterval: STALLED_CHECK_MS.turns,
          maxStalledCount: STALLED_COUNT_MAX,
          skipLockRenewal: true,
        },
      );
      worker.on("error", () => {});
      try {
        const urls = slowHost(host, { pages: 7, tookMs: 1_000 });
        await crawl.seed(urls[0]!);
        await expectEachOnce(crawl, host, urls);
        // The job was given out again while its first run went on, and that run found the turn
        // taken.
        expect(started.length).toBeGreaterThan(1);
        expect(ends).toContain(null);
      } finally {
        stop.abort();
        await worker.close(true);
        await crawl.stop();
      }
    },
  );
});

describe("15: a turn ends while its request is on its way", () => {
  test.concurrent("a part of ours goes down and comes back: the host is not asked beside it", async () => {
    const crawl = await startCrawl({ CRAWL_DELAY_MS: "50" });
    const host = "127.0.15.3";
    const urls = slowHost(host, { pages: 2, tookMs: 1_800 });
    try {
      await crawl.seed(urls[0]!);
      for (let page = 1; page <= urls.length; page++) {
        await until(() => origin.asked(host).length === page);
        crawl.breaker.trip("index", "a test says so");
        await until(() => crawl.breaker.open === null);
      }
      await expectEachOnce(crawl, host, urls);
    } finally {
      await crawl.stop();
    }
  });
});
