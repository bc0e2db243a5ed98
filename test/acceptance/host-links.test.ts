import { afterAll, expect, test } from "bun:test";
import { rankWhenStale } from "../../src/crawl/authority.ts";
import { silentLog } from "../../src/log.ts";
import { startCrawl } from "../support/crawl.ts";
import { startOrigin } from "../support/origin.ts";
import { hostOf, isCrawled } from "../support/rows.ts";
import { until } from "../support/until.ts";

const [HUB, FAN, OTHER, STRANGER] = ["127.0.9.1", "127.0.9.2", "127.0.9.3", "127.0.9.4"] as const;
const origin = startOrigin();
const crawl = await startCrawl({ CRAWL_SCOPE: "seeded-hosts" });
afterAll(async () => {
  await crawl.stop();
  await origin.stop();
});

const linkTo = (host: string, path = "/") => `<a href="${origin.url(host, path)}">a link</a>`;

/** Host names of all links that were noted. */
async function noted(): Promise<string[]> {
  const rows = await crawl.database.sql`select f.name || ' ' || t.name as pair from host_links l
    join hosts f on f.id = l.from_host join hosts t on t.id = l.to_host order by 1`;
  return rows.map(({ pair }) => pair);
}

test("links of crawled pages make an authority, though their targets were known before", async () => {
  // Everything that is linked to is seeded: no link leads to a URL that is new.
  origin.host(HUB, { "/": `The hub ${linkTo(HUB, "/second")}`, "/second": "second" });
  const page = `A fan ${linkTo(HUB)} ${linkTo(HUB, "/second")} ${linkTo(STRANGER)}`;
  origin.host(FAN, { "/": page, "/again": `${page} again` });
  origin.host(OTHER, { "/": `Other ${linkTo(HUB)} ${linkTo(FAN)}` });
  const seeds = [
    ...[origin.url(HUB), origin.url(HUB, "/second"), origin.url(FAN), origin.url(FAN, "/again")],
    origin.url(OTHER),
  ];
  await crawl.seed(...seeds);
  const areCrawled = async () =>
    (await Promise.all(seeds.map((url) => isCrawled(crawl, url)))).every(Boolean);
  await until(areCrawled, { timeoutMs: 30_000, what: "all pages" });
  expect(await noted()).toEqual([`${FAN} ${HUB}`, `${OTHER} ${HUB}`, `${OTHER} ${FAN}`].sort());

  const { db } = crawl.database;
  const { index } = crawl;
  const ranked = await rankWhenStale({ ...crawl.operate, db, index, log: silentLog });
  expect(ranked).toEqual({ kind: "ranked", changed: 2, hosts: 3, links: 3 });
  const [hub, fan] = [await hostOf(crawl, HUB), await hostOf(crawl, FAN)];
  expect([hub.linkingHosts, fan.linkingHosts]).toEqual([2, 1]);
  expect(hub.authority).toBeGreaterThan(fan.authority);
  expect([...index.told.keys()].sort()).toEqual([HUB, FAN]);
  expect(index.told.get(HUB)?.authority).toBeCloseTo(hub.authority, 6);
}, 60_000);
