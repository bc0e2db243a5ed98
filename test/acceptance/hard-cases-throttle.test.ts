import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { crawlHostNow } from "../../src/crawl/whole-host.ts";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { HostJournal } from "../support/host-journal.ts";
import { page, startOrigin, status } from "../support/origin.ts";
import { hostOf, isCrawled, shift, urlOf } from "../support/rows.ts";
import { until } from "../support/until.ts";

const DELAY_MS = 200;
const RETRY_BASE_MS = 500;
const DEAD_AFTER = 3;
const DAY_MS = 86_400_000;

const origin = startOrigin();
let crawl: TestCrawl;
let journal: HostJournal;

setDefaultTimeout(60_000);
beforeAll(async () => {
  crawl = await startCrawl({
    CRAWL_DELAY_MS: `${DELAY_MS}`,
    RETRY_BASE_MS: `${RETRY_BASE_MS}`,
    HOST_DEAD_AFTER: `${DEAD_AFTER}`,
  });
  journal = new HostJournal(crawl);
  const urls = ROWS.map(([, code, retryAfter], at) => {
    const host = hostAt(at);
    const wait = typeof retryAfter === "string" ? () => retryAfter : retryAfter;
    const busy = () => status(code, wait === null ? {} : { "retry-after": wait() });
    origin.host(host, {
      "/": () => page(`front of ${host}`, "/x"),
      "/x": ({ nth }) => (nth === 1 ? busy() : `page of ${host}`),
    });
    return origin.url(host);
  });
  const good = Array.from({ length: 12 }, (_, n) => `/${n}`);
  origin.host(STUBBORN, {
    "/": () => page("front of the host with a bad page", "/bad", ...good),
    "/bad": () => status(429),
    ...Object.fromEntries(good.map((path) => [path, `good page ${path}`])),
  });
  const seeded = await crawl.seed(...urls, origin.url(STUBBORN), origin.url(STUBBORN, "/bad"));
  expect(seeded.refused).toEqual([]);
});
afterAll(async () => {
  await journal.stop();
  await crawl.stop();
  await origin.stop();
});

const hostAt = (row: number) => `127.0.3.${row + 1}`;
const STUBBORN = "127.0.3.200";
const httpDate = (inMs: number) => () => new Date(Date.now() + inMs).toUTCString();

/** why, status, Retry-After, least wait in ms */
type Row = [why: string, code: number, retryAfter: string | null | (() => string), waitMs: number];
const ROWS: Row[] = [
  ["no Retry-After: the host's back-off", 429, null, RETRY_BASE_MS],
  ["0: the delay all the same", 429, "0", DELAY_MS],
  ["3 seconds", 429, "3", 3_000],
  ["503 with 3 seconds", 503, "3", 3_000],
  ["an HTTP date", 429, httpDate(4_000), 3_000],
  ["a date that is past: the delay all the same", 429, httpDate(-60_000), DELAY_MS],
  ["a word", 429, "soon", RETRY_BASE_MS],
  ["a negative number", 429, "-5", RETRY_BASE_MS],
  ["nothing", 429, "", RETRY_BASE_MS],
  ["a number of another kind", 503, "1e3", RETRY_BASE_MS],
];

describe("3: a host that says not now", () => {
  test.each(ROWS.map((row, at) => [...row, hostAt(at)] as const))(
    "%s (%i)",
    async (_why, code, _retryAfter, waitMs, host) => {
      await until(() => isCrawled(crawl, origin.url(host, "/x")), { timeoutMs: 30_000 });
      const [refused, again] = origin.asked(host, "/x");
      expect(refused!.status).toBe(code);
      expect(again!.t0 - refused!.t1).toBeGreaterThanOrEqual(waitMs);
      const asked = origin.asked(host).filter(({ t0 }) => t0 > refused!.t0);
      expect(asked[0]!.t0).toBe(again!.t0);
      const { attempts, crashes, visits } = await urlOf(crawl, origin.url(host, "/x"));
      expect({ attempts, crashes, visits }).toEqual({ attempts: 0, crashes: 0, visits: 1 });
      const between = journal.of(host, refused!.t1, again!.t0);
      const off = between.filter(({ turn, state }) => turn === null && state !== "parked");
      if (waitMs >= 3_000) expect(off.length).toBeGreaterThan(0);
      for (const { state, reason } of off) {
        expect({ state, reason }).toEqual({
          state: "backing_off",
          reason: `the host answers ${code}`,
        });
      }
      expect((await hostOf(crawl, host)).throttles).toBe(1);
    },
  );

  test("one page that always says 429 does not take its host down", async () => {
    const good = Array.from({ length: 12 }, (_, n) => origin.url(STUBBORN, `/${n}`));
    for (const url of good) await until(() => isCrawled(crawl, url), { timeoutMs: 40_000 });
    expect(origin.asked(STUBBORN, "/bad").length).toBeGreaterThan(0);
    expect(journal.of(STUBBORN).filter(({ state }) => state === "dead")).toEqual([]);
  });
});

describe("3: a day is honoured", () => {
  const DAY: [string, string][] = [
    ["86400", "127.0.3.101"],
    ["999999999999", "127.0.3.102"],
  ];

  test.each(DAY)("Retry-After: %s", async (retryAfter, host) => {
    const busy = () => status(429, { "retry-after": retryAfter });
    origin.host(host, {
      "/": ({ nth }) => (nth === 1 ? busy() : page(`front of ${host}`)),
      "/other": "other",
    });
    await crawl.seed(origin.url(host));
    await until(async () => (await hostOf(crawl, host)).state === "backing_off");
    const toldAt = origin.asked(host)[0]!.t1;
    const dueIn = async () => (await hostOf(crawl, host)).nextTurnAt!.getTime() - toldAt;
    expect(await dueIn()).toBeGreaterThanOrEqual(DAY_MS);
    expect(await dueIn()).toBeLessThan(DAY_MS + 60_000);
    // Neither a new URL nor an impatient operator brings it forward.
    await crawl.seed(origin.url(host, "/other"));
    await crawlHostNow(crawl.operate, (await hostOf(crawl, host)).id, "tester");
    expect(await dueIn()).toBeGreaterThanOrEqual(DAY_MS);
    await shift(crawl, host, DAY_MS);
    await crawl.database.sql`update urls set next_crawl_at = now() where url = ${origin.url(host)}`;
    await until(() => isCrawled(crawl, origin.url(host)));
  });
});
