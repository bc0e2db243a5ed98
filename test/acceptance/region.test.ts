import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { reindex } from "../../src/crawl/reindex.ts";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { type Names, startNames } from "../support/names.ts";
import { startOrigin } from "../support/origin.ts";
import { hostNamed } from "../support/rows.ts";
import { until } from "../support/until.ts";

const PAGES = 12;
/** Three clusters, of Quebec, of France, of Ontario; and a host that its name puts there. */
const HOSTS = ["r0.test", "r1.test", "r2.test", "f0.test", "f1.test", "o0.test", "o1.test"];
const NAMED = "ville.qc.ca";
const ADDRESS = "127.0.6.9";
const names = await startNames({
  names: Object.fromEntries([...HOSTS, NAMED].map((name) => [name, ADDRESS])),
});
const origin = startOrigin();

setDefaultTimeout(60_000);
afterAll(async () => {
  await origin.stop();
  await names?.close();
});

const QUEBEC = ["fr-CA", "Chicoutimi, Saguenay (Québec) G7H 5B5, 418 555-0190. Hydro-Québec."];
const FRANCE = ["fr-FR", "Mairie de Rennes, 35000 Rennes, 02 99 55 01 27. République française."];
const ONTARIO = ["en-CA", "City of Toronto, Ontario M5X 1A9, 416 555-0101."];
const NOWHERE = ["fr", "Horaire de la bibliothèque."];

/** A site of twelve pages, each of which leads to the next and to `links`. */
function site(host: string, [lang, text]: string[], links: string[] = []): void {
  const script = (n: number) => () => {
    const to = [`/${(n + 1) % PAGES}`, ...links.map((link) => origin.url(link, "/0"))];
    const anchors = to.map((href) => `<a href="${href}">${href}</a>`).join(" ");
    const body = `<h1>Page ${n} of ${host}</h1><p>${text}</p><nav>${anchors}</nav>`;
    const html = `<html lang="${lang}"><title>${n}</title><body>${body}</body></html>`;
    return new Response(html, { headers: { "content-type": "text/html" } });
  };
  origin.host(
    host,
    Object.fromEntries(Array.from({ length: PAGES }, (_, n) => [`/${n}`, script(n)])),
  );
}

const pagesOf = (host: string) => new Set(origin.asked(host).map(({ path }) => path)).size;

describe.skipIf(!names)("the scope region, on three clusters", () => {
  let crawl: TestCrawl;
  const stateOf = async (host: string) => (await hostNamed(crawl.database.db, host))?.state;
  const inIndex = (host: string) =>
    [...crawl.index.documents.values()].filter((document) => document.host === host).length;

  beforeAll(async () => {
    site("r0.test", QUEBEC, ["r1.test", "f0.test", "o0.test"]);
    site("r1.test", QUEBEC, ["r0.test", "r2.test"]);
    site("r2.test", QUEBEC);
    site("f0.test", FRANCE, ["f1.test", NAMED]);
    site("f1.test", FRANCE, ["r0.test"]);
    site("o0.test", ONTARIO, ["o1.test"]);
    site("o1.test", ONTARIO);
    site(NAMED, NOWHERE);
    crawl = await startCrawl({
      CRAWL_SCOPE: "region",
      REGION: "quebec",
      CRAWL_IP_DELAY_MS: "0",
      CRAWL_IP_CONCURRENCY: "100",
      DNS_SERVERS: `127.0.0.1:${(names as Names).port}`,
    });
    await crawl.seed(origin.url("r0.test", "/0"));
  });
  afterAll(() => crawl?.stop());

  test("crawls the region, and what its name puts there", async () => {
    for (const host of ["r0.test", "r1.test", "r2.test", NAMED]) {
      await until(() => inIndex(host) === PAGES, { timeoutMs: 20_000, what: `all of ${host}` });
    }
  });

  test("documents carry what the page says of the region; reindex gives the same", async () => {
    const before = [...crawl.index.documents.values()].filter(({ host }) => host === "r0.test");
    for (const { regionScore, locations, category } of before) {
      expect(regionScore).toBeGreaterThan(0.9);
      expect(locations).toEqual(expect.arrayContaining(["Chicoutimi", "Saguenay"]));
      expect(category).toBeNull();
    }
    await until(() => (crawl.index.told.get("r0.test")?.region ?? 0) > 0.7, {
      timeoutMs: 30_000,
      what: "the index to be told of the host",
    });
    const crawled = new Map(before.map((document) => [document.id, document]));
    await reindex(crawl.operate);
    for (const [id, document] of crawled) {
      expect(crawl.index.documents.get(id)).toEqual({ ...document, summary: null });
    }
  });

  test("leaves the rest after a probation of five pages; their documents leave the index", async () => {
    for (const host of ["f0.test", "o0.test"]) {
      await until(async () => (await stateOf(host)) === "out_of_region", { what: host });
      await until(() => inIndex(host) === 0, { what: `${host} to leave the index` });
      expect(pagesOf(host)).toBe(5);
    }
    const { reason, nextTurnAt } = (await hostNamed(crawl.database.db, "f0.test"))!;
    expect(reason).toMatch(/^scores 0\.\d\d after 5 pages$/);
    const days = (nextTurnAt!.getTime() - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
  });

  test("what only the rest leads to is never asked for", () => {
    expect(["f1.test", "o1.test"].map(pagesOf)).toEqual([0, 0]);
  });

  test("a host that failed is asked again later, and may have become of the region", async () => {
    site("o0.test", QUEBEC);
    await crawl.database
      .sql`update hosts set next_turn_at = now() where name in ('o0.test', 'f0.test')`;
    await until(() => inIndex("o0.test") === PAGES, { timeoutMs: 20_000, what: "all of o0" });
    await until(async () => (await stateOf("f0.test")) === "out_of_region", { what: "f0" });
    await until(() => inIndex("f0.test") === 0, { what: "f0 to leave the index again" });
    expect(await stateOf("o0.test")).not.toBe("out_of_region");
  });
});
