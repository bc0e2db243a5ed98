import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { crawlUrlNow } from "../../src/crawl/operate.ts";
import type { Settlement } from "../../src/crawl/settle.ts";
import { runTurn } from "../../src/crawl/turn.ts";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { page, startOrigin, status } from "../support/origin.ts";
import { findUrl, hostOf, isCrawled, urlOf } from "../support/rows.ts";
import { until } from "../support/until.ts";

const origin = startOrigin();
let crawl: TestCrawl;

setDefaultTimeout(60_000);
beforeAll(async () => {
  crawl = await startCrawl({ RETRY_BASE_MS: "100" });
});
afterAll(async () => {
  await crawl.stop();
  await origin.stop();
});

/** The next settle of a URL fails as if the store were away; `meanwhile`: before it fails. */
function failNextSettle(url: string, meanwhile: () => void): Promise<void> {
  const { settler } = crawl.crew.turns;
  const settle = settler.settle.bind(settler);
  return new Promise((done) => {
    settler.settle = async (settlement: Settlement) => {
      if (settlement.row.id !== (await urlOf(crawl, url)).id) return await settle(settlement);
      settler.settle = settle;
      meanwhile();
      done();
      return "unavailable";
    };
  });
}

const isIndexed = async (url: string) => crawl.index.documents.has((await urlOf(crawl, url)).id);

test("put, not settled, then refused: it is not found", async () => {
  const host = "127.0.8.21";
  const url = origin.url(host);
  let answer = () => page("a ghost of a page");
  origin.host(host, { "/": () => answer() });
  const failed = failNextSettle(url, () => {
    answer = () => status(404);
  });
  await crawl.seed(url);
  await failed;
  expect(await isIndexed(url)).toBe(true);
  await until(async () => (await findUrl(crawl, url))?.state === "failed");
  await until(async () => !(await isIndexed(url)));
});

test("gone, not settled, then broken: it is still found", async () => {
  const host = "127.0.8.22";
  const url = origin.url(host);
  let answer = () => page("a page that will stay");
  origin.host(host, { "/": () => answer() });
  await crawl.seed(url);
  await until(() => isCrawled(crawl, url));
  const { id } = await urlOf(crawl, url);
  answer = () => status(410);
  const failed = failNextSettle(url, () => {
    answer = () => status(500);
  });
  await crawlUrlNow(crawl.operate, id, "test");
  await failed;
  await until(async () => ((await findUrl(crawl, url))?.attempts ?? 0) > 0);
  expect(await isIndexed(url)).toBe(true);
});

test("a page that is gone leaves the index by itself", async () => {
  const host = "127.0.8.23";
  const url = origin.url(host);
  let answer = () => page("a page that goes");
  origin.host(host, { "/": () => answer() });
  await crawl.seed(url);
  await until(() => isIndexed(url).catch(() => false));
  await until(() => isCrawled(crawl, url));
  answer = () => status(410);
  await crawlUrlNow(crawl.operate, (await urlOf(crawl, url)).id, "test");
  await until(async () => (await findUrl(crawl, url))?.state === "failed");
  await until(async () => !(await isIndexed(url)), { timeoutMs: 3_000 });
});

test("an older version that comes late: what was settled since is found", async () => {
  const host = "127.0.8.24";
  const url = origin.url(host);
  origin.host(host, { "/": ({ nth }) => page(`version ${nth} of a page`) });
  const { index } = crawl;
  const put = index.put.bind(index);
  const late = Promise.withResolvers<void>();
  const frozen = Promise.withResolvers<void>();
  index.put = async (document, options) => {
    if (document.url === url && document.title.startsWith("version 1")) {
      index.put = put;
      frozen.resolve();
      await late.promise;
    }
    return await put(document, options);
  };
  await crawl.seed(url);
  await frozen.promise;
  const { id } = await urlOf(crawl, url);
  // As if the worker had been given up meanwhile.
  await crawl.database.sql`update urls set state = 'pending', lease_token = null,
    claimed_at = null, fetching_at = null where id = ${id}`;
  await crawl.database.sql`update hosts set turn_token = null, turn_worker = null,
    next_turn_at = now(), next_fetch_at = null where name = ${host}`;
  const { id: hostId } = await hostOf(crawl, host);
  await runTurn(crawl.crew.turns, hostId, new AbortController().signal);
  await until(() => isCrawled(crawl, url));
  late.resolve();
  const isNewest = () => index.documents.get(id)?.title.startsWith("version 2") === true;
  await until(isNewest);
  await until(
    async () =>
      (
        await crawl.database.sql`select from index_repairs
    where wanted_at < now() + interval '10 s'`
      ).length === 0,
  );
  expect(isNewest()).toBe(true);
});
