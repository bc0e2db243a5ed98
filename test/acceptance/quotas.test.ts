import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { setHostQuota } from "../../src/crawl/operate.ts";
import { crawlHostNow } from "../../src/crawl/whole-host.ts";
import { readCounters } from "../../src/db/counters.ts";
import { conservation } from "../../src/db/counts.ts";
import { BYTES_USED_UP } from "../../src/db/turns.ts";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { startOrigin } from "../support/origin.ts";
import { hostOf } from "../support/rows.ts";
import { treeOf } from "../support/tree.ts";
import { until } from "../support/until.ts";

const PAGES = 60;
const QUOTA = 12;

const origin = startOrigin();
let crawl: TestCrawl;

setDefaultTimeout(60_000);
beforeAll(async () => {
  crawl = await startCrawl({ HOST_MAX_URLS: `${QUOTA}` });
});
afterAll(async () => {
  await crawl.stop();
  await origin.stop();
});

async function quietAt(host: string, isSo: (pages: number) => boolean): Promise<void> {
  await until(async () => isSo((await hostOf(crawl, host)).pageCount), {
    timeoutMs: 30_000,
    what: `the pages of ${host}`,
  });
  await until(async () => {
    const rows = await crawl.database.sql`select from urls where state = 'in_progress'
      or state = 'pending' and next_crawl_at < now() + interval '1 minute'`;
    return rows.length === 0;
  });
}

async function expectNothingLost(): Promise<void> {
  const { accepted, present, removed } = await conservation(crawl.database.db);
  expect(accepted).toBe(present + removed);
}

test("HOST_MAX_URLS: reached, counted, and over when the operator raises the host's own", async () => {
  const host = "127.0.5.1";
  treeOf(origin, host, PAGES);
  await crawl.seed(origin.url(host));
  await quietAt(host, (pages) => pages === QUOTA);
  const full = await hostOf(crawl, host);
  expect([full.urlCount, full.pageCount]).toEqual([QUOTA, QUOTA]);
  expect(origin.asked(host)).toHaveLength(QUOTA);
  await until(async () => (await readCounters(crawl.database.db)).get("refused.host full"));

  const some = { urlsMax: 30, bytesMax: null };
  expect(await setHostQuota(crawl.operate, full.id, some, "tester")).toEqual({ kind: "done" });
  await quietAt(host, (pages) => pages === 30);
  expect((await hostOf(crawl, host)).urlCount).toBe(30);

  await setHostQuota(crawl.operate, full.id, { urlsMax: 1_000, bytesMax: null }, "tester");
  await quietAt(host, (pages) => pages === PAGES);
  expect(await crawl.database.sql`select from refused_links`).toHaveLength(0);
  await expectNothingLost();
});

test("the bytes of a host: used up, counted, and over when the operator raises them", async () => {
  const host = "127.0.5.2";
  treeOf(origin, host, PAGES, "filler ".repeat(500));
  await crawl.seed(origin.url(host, "/59"));
  await quietAt(host, (pages) => pages === 1);
  const { id, byteCount } = await hostOf(crawl, host);
  await setHostQuota(crawl.operate, id, { urlsMax: 1_000, bytesMax: byteCount * 4 }, "tester");
  const before = (await readCounters(crawl.database.db)).get("refused.host full") ?? 0;

  await crawl.seed(origin.url(host));
  // What was taken before waits, what comes after is not taken.
  await until(async () => (await hostOf(crawl, host)).reason === BYTES_USED_UP, {
    timeoutMs: 30_000,
    what: "the word that its bytes are used up",
  });
  const full = await hostOf(crawl, host);
  expect(full.byteCount).toBeGreaterThanOrEqual(full.bytesMax!);
  expect(full.urlCount).toBeLessThan(PAGES);
  expect([full.state, full.turnToken]).toEqual(["active", null]);
  expect(full.nextTurnAt!.getTime()).toBeGreaterThan(Date.now() + 3_600_000);
  const asked = origin.asked(host).length;
  expect(asked).toBeLessThan(8);
  const waiting = await crawl.database.sql`select from urls where host_id = ${id}
    and state = 'pending' and next_crawl_at <= now()`;
  expect(waiting.length).toBeGreaterThan(3);
  // Named once more it still waits.
  await crawlHostNow(crawl.operate, id, "tester");
  await until(async () => {
    const { lane, reason, nextTurnAt } = await hostOf(crawl, host);
    return lane === 1 && reason === BYTES_USED_UP && nextTurnAt!.getTime() > Date.now() + 60_000;
  });
  expect(origin.asked(host)).toHaveLength(asked);
  await until(
    async () => ((await readCounters(crawl.database.db)).get("refused.host full") ?? 0) > before,
  );

  await setHostQuota(crawl.operate, id, { urlsMax: 1_000, bytesMax: null }, "tester");
  await quietAt(host, (pages) => pages === PAGES);
  expect((await hostOf(crawl, host)).urlCount).toBe(PAGES);
  await expectNothingLost();
});
