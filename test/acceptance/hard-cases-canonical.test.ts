import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { block, crawlUrlNow, dropUrl, unblock } from "../../src/crawl/operate.ts";
import { unpackText } from "../../src/text/packed.ts";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { page, redirect, robots, type Script, startOrigin, status } from "../support/origin.ts";
import { findUrl, urlOf } from "../support/rows.ts";
import { until } from "../support/until.ts";

const origin = startOrigin();
let crawl: TestCrawl;

setDefaultTimeout(60_000);
beforeAll(async () => {
  // Without a gap the pages of a host are read and settled side by side.
  crawl = await startCrawl({ CRAWL_IP_DELAY_MS: "0" });
});
afterAll(async () => {
  await crawl.stop();
  await origin.stop();
});

/** Long enough to be compared, and like no other. */
const textOf = (word: string) => Array.from({ length: 60 }, (_, n) => `${word}${n}`).join(" ");

function says(word: string, canonical: string | null): Response {
  const link = canonical === null ? "" : `<link rel="canonical" href="${canonical}">`;
  const html = `<!doctype html><html lang="en"><head><title>${word}</title>${link}</head>
    <body><main><p>${textOf(word)}</p></main></body></html>`;
  return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
}

/** Of these paths the ones that are in the index, once nothing of the host waits any more. */
async function indexedOf(host: string, paths: readonly string[]): Promise<string[]> {
  await quiet(host);
  const rows = await Promise.all(paths.map((path) => findUrl(crawl, origin.url(host, path))));
  return paths.filter((_, at) => rows[at] && crawl.index.documents.has(rows[at].id));
}

async function quiet(host: string): Promise<void> {
  const { sql } = crawl.database;
  const isOver = async () => {
    const [row] = await sql`select count(*)::int as all, count(*) filter (where
        u.state = 'in_progress' or u.state = 'pending' and u.next_crawl_at < now() + '1 min')::int
      as waiting from urls u join hosts h on h.id = u.host_id where h.name = ${host}`;
    return row!.all > 0 && row!.waiting === 0;
  };
  await until(isOver, { timeoutMs: 20_000, what: `${host} to be quiet` });
}

interface Case {
  title: string;
  scripts: (host: string) => Record<string, Script>;
  /** One of the lists; the crawl may go either way. */
  indexed: string[][];
}

const named = (canonicals: Record<string, string | null>) => (host: string) =>
  Object.fromEntries(
    Object.entries(canonicals).map(([path, canonical]): [string, Script] => {
      const word = `c${host.replaceAll(".", "x")}${path.replaceAll(/\W/g, "")}`;
      return [path, () => says(word, canonical)];
    }),
  );

const CASES: Case[] = [
  { title: "itself", scripts: named({ "/a": "/a" }), indexed: [["/a"]] },
  { title: "relative", scripts: named({ "/d/a": "b", "/d/b": null }), indexed: [["/d/b"]] },
  {
    title: "another site",
    scripts: named({ "/a": "https://other.example/a" }),
    indexed: [["/a"]],
  },
  {
    title: "a loop of two",
    scripts: named({ "/a": "/b", "/b": "/a" }),
    indexed: [["/a"], ["/b"]],
  },
  {
    title: "a loop of three",
    scripts: named({ "/a": "/b", "/b": "/c", "/c": "/a" }),
    indexed: [["/a"], ["/b"], ["/c"]],
  },
  {
    title: "a chain",
    scripts: named({ "/a": "/b", "/b": "/c", "/c": "/d", "/d": null }),
    indexed: [["/d"]],
  },
  {
    title: "what redirects back",
    scripts: (host) => ({ ...named({ "/a": "/a/" })(host), "/a/": () => redirect("/a") }),
    indexed: [["/a"]],
  },
  {
    title: "what redirects to a page",
    scripts: (host) => ({
      ...named({ "/a": "/old", "/new": null })(host),
      "/old": () => redirect("/new"),
    }),
    indexed: [["/new"]],
  },
  {
    title: "what redirects in a circle",
    scripts: (host) => ({
      ...named({ "/a": "/x" })(host),
      "/x": () => redirect("/y"),
      "/y": () => redirect("/x"),
    }),
    indexed: [["/a"]],
  },
  { title: "what is not found", scripts: named({ "/a": "/none" }), indexed: [["/a"]] },
  {
    title: "what leads to what is gone",
    scripts: (host) => ({
      ...named({ "/a": "/b", "/b": "/gone" })(host),
      "/gone": () => status(410),
    }),
    indexed: [["/b"]],
  },
  {
    title: "what answers an error",
    scripts: (host) => ({ ...named({ "/a": "/b" })(host), "/b": () => status(403) }),
    indexed: [["/a"]],
  },
  {
    title: "what robots.txt forbids",
    scripts: (host) => ({
      ...named({ "/a": "/secret" })(host),
      "/robots.txt": () => robots("User-agent: *", "Disallow: /secret"),
    }),
    indexed: [["/a"]],
  },
  {
    title: "what is no page",
    scripts: (host) => ({
      ...named({ "/a": "/feed" })(host),
      "/feed": () =>
        new Response("<?xml version='1.0'?><rss version='2.0'><channel/></rss>", {
          headers: { "content-type": "application/rss+xml" },
        }),
    }),
    indexed: [["/a"]],
  },
  {
    title: "what admission refuses",
    scripts: named({ "/a": "/x/x/x/x/x/x/x/" }),
    indexed: [["/a"]],
  },
];

describe("24: a page names as its canonical", () => {
  /** As often at once, for what goes wrong now and then. */
  const HOSTS = 4;
  const hostsOf = (n: number) =>
    Array.from({ length: HOSTS }, (_, at) => `127.0.${100 + n}.${at + 1}`);

  beforeAll(async () => {
    const fronts: string[] = [];
    for (const [n, { scripts }] of CASES.entries()) {
      for (const host of hostsOf(n)) {
        const own = scripts(host);
        const links = Object.keys(own).filter((path) => path !== "/robots.txt");
        origin.host(host, { "/": () => page(`front of ${host}`, ...links), ...own });
        fronts.push(origin.url(host));
      }
    }
    await crawl.seed(...fronts);
  });

  test.each(CASES.map((each, n) => ({ ...each, n })))("$title", async ({ n, scripts, indexed }) => {
    for (const host of hostsOf(n)) {
      const found = await indexedOf(host, [...Object.keys(scripts(host))]);
      expect(indexed).toContainEqual(found);
    }
  });
});

test("when the page that was named is gone later, the one that named it comes back", async () => {
  const HOST = "127.0.90.1";
  let isGone = false;
  const page = () => (isGone ? status(410) : says("ninety", null));
  origin.host(HOST, { "/a": () => says("ninetya", "/b"), "/b": page });
  await crawl.seed(origin.url(HOST, "/a"));
  await until(async () => (await indexedOf(HOST, ["/a", "/b"])).join() === "/b");
  isGone = true;
  await crawlUrlNow(crawl.operate, (await urlOf(crawl, origin.url(HOST, "/b"))).id, "test");
  await until(async () => (await indexedOf(HOST, ["/a", "/b"])).join() === "/a");
});

describe("mirrors", () => {
  const [OWNER, COPY] = ["127.0.91.1", "127.0.91.2"];
  let word = "mirrored";

  beforeAll(async () => {
    origin.host(OWNER, { "/": () => says(word, null) });
    origin.host(COPY, { "/": () => says("mirrored", null) });
    await crawl.seed(origin.url(OWNER));
    await until(async () => (await indexedOf(OWNER, ["/"])).length === 1);
    await crawl.seed(origin.url(COPY));
    await quiet(COPY);
    expect(await urlOf(crawl, origin.url(COPY))).toMatchObject({ reason: "duplicate" });
  });
  const isIndexed = async (host: string) => (await indexedOf(host, ["/"])).length === 1;

  test("blocked both, and the duplicate's host unblocked: it is in the index", async () => {
    await block(crawl.operate, COPY, "test");
    await block(crawl.operate, OWNER, "test");
    await unblock(crawl.operate, COPY, "test");
    await until(() => isIndexed(COPY), { timeoutMs: 20_000 });
    await unblock(crawl.operate, OWNER, "test");
    await quiet(OWNER);
    expect(await urlOf(crawl, origin.url(OWNER))).toMatchObject({ reason: "duplicate" });
  });

  test("the text of the one in the index changes: the other has the old one at once", async () => {
    // Now the copy owns the text, so it is the one that changes.
    origin.host(COPY, { "/": () => says("novelty", null) });
    word = "mirrored";
    await crawlUrlNow(crawl.operate, (await urlOf(crawl, origin.url(COPY))).id, "test");
    await until(() => isIndexed(OWNER), { timeoutMs: 20_000 });
    const texts = [...crawl.index.documents.values()].map(({ text }) => unpackText(text));
    for (const text of ["mirrored59", "novelty59"]) {
      expect(texts.filter((each) => each.includes(text))).toHaveLength(1);
    }
  });
});

test("a URL that was dropped is admitted anew by the next page that links to it", async () => {
  const HOST = "127.0.92.1";
  origin.host(HOST, { "/": () => page("front", "/child"), "/child": "the child" });
  await crawl.seed(origin.url(HOST));
  await until(async () => (await indexedOf(HOST, ["/child"])).length === 1);
  const child = origin.url(HOST, "/child");
  await dropUrl(crawl.operate, (await urlOf(crawl, child)).id, "test");
  expect(await findUrl(crawl, child)).toBeNull();
  // Every two seconds by itself.
  await crawl.crew.turns.policy.refresh();
  await crawlUrlNow(crawl.operate, (await urlOf(crawl, origin.url(HOST))).id, "test");
  await until(async () => (await indexedOf(HOST, ["/child"])).length === 1);
});
