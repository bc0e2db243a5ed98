import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { ownWords } from "../support/mazes.ts";
import { type Names, startNames } from "../support/names.ts";
import { redirect, robots, type Scripts, startOrigin } from "../support/origin.ts";
import { findUrl, hostNamed, isCrawled } from "../support/rows.ts";
import { urlset } from "../support/sitemaps.ts";
import { until } from "../support/until.ts";

const HOSTS = ["mapped.test", "www.mapped.test", "mute.test", "turned.test", "ville.qc.ca"];
const names = await startNames({
  names: Object.fromEntries(HOSTS.map((name) => [name, "127.0.6.11"])),
});
const origin = startOrigin();

setDefaultTimeout(60_000);
afterAll(async () => {
  await origin.stop();
  await names?.close();
});

const QUEBEC = "Chicoutimi, Saguenay (Québec) G7H 5B5, 418 555-0190. Hydro-Québec.";
const FRANCE = "Mairie de Rennes, 35000 Rennes, 02 99 55 01 27. République française.";

function html(text: string, links: readonly string[], head = ""): Response {
  const lang = text === QUEBEC ? "fr-CA" : "fr-FR";
  const anchors = links.map((link) => `<a href="${link}">${link}</a>`).join(" ");
  const body = `<h1>Page</h1><p>${text}</p><nav>${anchors}</nav>`;
  return new Response(`<html lang="${lang}"><title>t</title>${head}<body>${body}</body></html>`, {
    headers: { "content-type": "text/html" },
  });
}

describe.skipIf(!names)("a host on probation", () => {
  let crawl: TestCrawl;
  const at = (host: string, path: string) => origin.url(host, path);
  const host = (name: string) => hostNamed(crawl.database.db, name);

  beforeAll(async () => {
    crawl = await startCrawl({
      CRAWL_SCOPE: "region",
      REGION: "quebec",
      CRAWL_IP_DELAY_MS: "0",
      CRAWL_IP_CONCURRENCY: "100",
      DNS_SERVERS: `127.0.0.1:${(names as Names).port}`,
    });
  });
  afterAll(() => crawl?.stop());

  test("may name its own pages in a sitemap, also in one of its other names", async () => {
    const pages: Scripts = Object.fromEntries(
      [1, 2, 3, 4].map((n) => [`/${n}`, () => html(`${QUEBEC} ${n}`, [])]),
    );
    origin.host("www.mapped.test", {
      ...pages,
      "/": () => html(QUEBEC, []),
      "/robots.txt": () => robots(`Sitemap: ${at("mapped.test", "/map.xml")}`),
    });
    origin.host("mapped.test", {
      "/map.xml": () => urlset(...[1, 2, 3, 4].map((n) => at("www.mapped.test", `/${n}`))),
    });
    await crawl.seed(at("www.mapped.test", "/"));
    for (const n of [1, 2, 3, 4]) {
      await until(() => isCrawled(crawl, at("www.mapped.test", `/${n}`)), { what: `/${n}` });
    }
  });

  test("whose pages never become documents ends", async () => {
    const next = (path: string) => Number(path.slice(1)) + 1;
    const noindex = '<meta name="robots" content="noindex">';
    origin.host(
      "mute.test",
      Object.fromEntries(
        Array.from({ length: 400 }, (_, n) => [
          `/${n}`,
          ({ path }: { path: string }) =>
            n % 2 === 0
              ? html(
                  `${FRANCE} ${ownWords(n, 20)}`,
                  [`/${next(path)}`, `/${(n * 7) % 400}`],
                  noindex,
                )
              : redirect(`/${next(path)}`),
        ]),
      ),
    );
    await crawl.seed(at("mute.test", "/0"));
    const isOut = async () => (await host("mute.test")).state === "out_of_region";
    await until(isOut, { timeoutMs: 40_000, what: "mute.test out of the region" });
    expect((await host("mute.test")).reason).toBe("50 URLs are no document");
    expect(origin.asked("mute.test").length).toBeLessThan(70);
  });

  test("is not asked over and over because it links to what is out of scope", async () => {
    const out = ["away.test", "unknown.test"].map((name) => at(name, "/"));
    origin.host("ville.qc.ca", { "/": () => html(FRANCE, out), "/robots.txt": () => robots() });
    await crawl.database.sql`insert into hosts (name, domain, state)
      values ('away.test', 'away.test', 'out_of_region')`;
    await crawl.seed(at("ville.qc.ca", "/"));
    await until(() => isCrawled(crawl, at("ville.qc.ca", "/")));
    // Whose links are noted there is read again as soon as there is room.
    expect(await crawl.database.sql`select host from refused_links`).toHaveLength(0);
  });

  test("that is asked again follows its own new links", async () => {
    const old = Array.from({ length: 6 }, (_, n) => `/${n}`);
    const site = (text: string, links: readonly string[]) =>
      Object.fromEntries(
        old.map((path) => [path, () => html(`${text} ${path}`, path === "/5" ? [] : links)]),
      );
    origin.host("turned.test", site(FRANCE, old));
    await crawl.seed(at("turned.test", "/0"));
    const hasLeft = async () => {
      const { state, regionCount } = await host("turned.test");
      return state === "out_of_region" && regionCount === 0;
    };
    await until(hasLeft, { what: "turned.test out of the region" });
    origin.host("turned.test", { ...site(QUEBEC, ["/new"]), "/new": () => html(QUEBEC, []) });
    await crawl.database.sql`update hosts set next_turn_at = now() where name = 'turned.test'`;
    await until(() => isCrawled(crawl, at("turned.test", "/new")), { what: "/new" });
    await until(() => isCrawled(crawl, at("turned.test", "/5")), { what: "/5" });
    expect((await findUrl(crawl, at("turned.test", "/5")))!.state).toBe("pending");
  });
});
