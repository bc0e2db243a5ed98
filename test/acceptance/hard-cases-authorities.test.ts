import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { forgetHostAll } from "../../src/crawl/whole-host.ts";
import { readHost } from "../../src/db/hosts.ts";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { HostJournal } from "../support/host-journal.ts";
import { page, startOrigin, status } from "../support/origin.ts";
import { pause } from "../support/pause.ts";
import { hostOf, isCrawled, urlOf } from "../support/rows.ts";
import { until } from "../support/until.ts";

const DEAD_AFTER = 2;

const origin = startOrigin();
let crawl: TestCrawl;
let journal: HostJournal;
/** A port that nobody listens on. */
let closed: number;

setDefaultTimeout(60_000);
beforeAll(async () => {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  closed = server.port;
  server.stop(true);
  crawl = await startCrawl({
    CRAWL_DELAY_MS: "100",
    RETRY_BASE_MS: "500",
    HOST_DEAD_AFTER: `${DEAD_AFTER}`,
    HOST_MAX_URLS: `${QUOTA}`,
  });
  journal = new HostJournal(crawl);
});
afterAll(async () => {
  await journal.stop();
  await crawl.stop();
  await origin.stop();
});

const QUOTA = 60;
const [WELL, DUMB, ENDLESS, SLOW] = ["127.0.5.1", "127.0.5.2", "127.0.5.3", "127.0.5.4"];

describe("robots.txt is by authority", () => {
  test("links to silent ports of a healthy host put off themselves alone", async () => {
    const silent = [
      ...Array.from({ length: 20 }, (_, n) => `http://${WELL}:${closed}/${n}`),
      // TLS to a port that speaks none.
      ...Array.from({ length: 20 }, (_, n) => `https://${WELL}:${origin.port}/${n}`),
    ];
    origin.host(WELL, { "/": () => page("front of a healthy host", ...silent, "/last") });
    const pages = Array.from({ length: 4 }, (_, n) => `/new/${n}`);
    await crawl.seed(origin.url(WELL));
    await until(() => isCrawled(crawl, origin.url(WELL)));
    // Their robots.txt is asked for at once and after 5 s: often enough to kill a host.
    const failures = async () => {
      const rows = await crawl.database.sql`select failures from robots
        where status is null and authority like ${`%${WELL}:%`}`;
      return rows.map((row) => row.failures as number);
    };
    for (const path of pages) {
      origin.host(WELL, { ...Object.fromEntries(pages.map((each) => [each, `page ${each}`])) });
      const began = Date.now();
      await crawl.seed(origin.url(WELL, path));
      await until(() => isCrawled(crawl, origin.url(WELL, path)));
      expect(Date.now() - began).toBeLessThan(4_000);
      await pause(1_500);
    }
    await until(async () => (await failures()).every((count) => count >= DEAD_AFTER), {
      timeoutMs: 40_000,
    });
    expect(await failures()).toHaveLength(2);
    const states = new Set(journal.of(WELL).map(({ state }) => state));
    expect([...states]).not.toContain("dead");
    expect((await hostOf(crawl, WELL)).failures).toBe(0);
    expect(await urlOf(crawl, silent[0]!)).toMatchObject({ visits: 0, attempts: 0 });
    // No tight loop: a turn for each page, and for each time that a robots.txt is asked for.
    const turns = new Set(journal.of(WELL).flatMap(({ turn }) => turn ?? []));
    expect(turns.size).toBeLessThan(30);
  });

  test("a host all of whose authorities are silent dies as any other", async () => {
    await crawl.seed(`http://${DUMB}:${closed}/`, `https://${DUMB}:${closed}/`);
    await until(async () => (await hostOf(crawl, DUMB)).state === "dead", { timeoutMs: 30_000 });
    const waited = journal.of(DUMB).filter(({ turn }) => turn === null);
    expect(waited.map(({ state }) => state)).toContain("waiting_robots");
    expect((await hostOf(crawl, DUMB)).failures).toBe(DEAD_AFTER);
  });
});

test("HOST_MAX_URLS is counted down at admission, and what is beyond it is counted", async () => {
  const links = (n: number) => Array.from({ length: 50 }, (_, at) => `/${n}/${at}`);
  const endless = ({ path }: { path: string }) => page(`page ${path}`, ...links(path.length));
  const paths = Array.from({ length: 60 }, (_, n) => links(n)).flat();
  origin.host(ENDLESS, {
    "/": endless,
    ...Object.fromEntries(paths.map((path) => [path, endless])),
  });
  await crawl.seed(origin.url(ENDLESS));
  await until(async () => (await hostOf(crawl, ENDLESS)).pageCount >= 5);
  const { urlCount, id } = await hostOf(crawl, ENDLESS);
  const [row] = await crawl.database.sql`select count(*)::int n from urls where host_id = ${id}`;
  expect([urlCount, row!.n]).toEqual([QUOTA, QUOTA]);
  expect(crawl.crew.turns.refusals.take()["refused.host full"]).toBeGreaterThan(0);
});

test("a host that is forgotten while a page of it is on its way is gone when that is over", async () => {
  let isAsked = false;
  const slow = async () => {
    isAsked = true;
    await pause(1_500);
    return page("a slow page", "/a", "/b");
  };
  origin.host(SLOW, { "/robots.txt": () => status(404), "/": slow });
  await crawl.seed(origin.url(SLOW), origin.url(SLOW, "/c"));
  await until(() => isAsked);
  const { id } = await hostOf(crawl, SLOW);
  expect(await forgetHostAll(crawl.operate, id, "tester")).toEqual({ kind: "done" });
  expect(await readHost(crawl.database.db, id)).toBeNull();
  const left = await crawl.database.sql`select from urls where host_id = ${id}`;
  expect(left).toHaveLength(0);
  expect([...crawl.index.documents.values()].filter(({ host }) => host === SLOW)).toEqual([]);
});
