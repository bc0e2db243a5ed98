import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { startCrawl } from "../support/crawl.ts";
import { crawlAll } from "../support/crawl-all.ts";
import { LEGAL, ownWords, pageOf, serve } from "../support/mazes.ts";
import { startOrigin } from "../support/origin.ts";

const origin = startOrigin();
let nextHost = 1;
const newHost = () => `127.0.21.${nextHost++}`;

setDefaultTimeout(120_000);
const crawl = await startCrawl({ CRAWL_IP_DELAY_MS: "0", CRAWL_MAX_DEPTH: "100" });
afterAll(async () => {
  await crawl.stop();
  await origin.stop();
});

const pathsOf = (host: string) => origin.asked(host).map(({ path }) => path);

describe("a site that is no trap is crawled whole:", () => {
  const range = (count: number) => Array.from({ length: count }, (_, n) => n);

  test("articles that share most of their text", async () => {
    const host = newHost();
    serve(origin, host, (path) => {
      const number = Number(/^\/article\/(\d+)$/.exec(path)?.[1] ?? -1);
      if (number < 0)
        return pageOf(
          "Articles",
          [LEGAL],
          range(40).map((n) => `/article/${n}`),
        );
      return pageOf(`Article ${number}`, [ownWords(number, 80), LEGAL], ["/"]);
    });
    await crawlAll(crawl, origin, host, "/");
    expect(pathsOf(host)).toHaveLength(41);
  });

  test("a catalogue of products with a title and 60 words each", async () => {
    const host = newHost();
    serve(origin, host, (path, query) => {
      const id = Number(new URLSearchParams(query).get("id") ?? -1);
      if (id < 0)
        return pageOf(
          "All",
          ["Products."],
          range(60).map((n) => `${path}item?id=${n}`),
        );
      return pageOf(ownWords(id, 3), [ownWords(1_000 + id, 60), LEGAL], ["/"]);
    });
    await crawlAll(crawl, origin, host, "/");
    expect(pathsOf(host)).toHaveLength(61);
  });

  test("a list of 40 pages without a word of its own leads to what is new", async () => {
    const host = newHost();
    serve(origin, host, (path, query) => {
      const at = Number(new URLSearchParams(query).get("page") ?? 0);
      if (path !== "/") return pageOf(path, [ownWords(at + path.length * 77, 50)], []);
      const to = at < 39 ? [`/?page=${at + 1}`] : [];
      return pageOf("List", ["More of it."], [`/about-${"abcdefghij"[at % 10]}${at}`, ...to]);
    });
    await crawlAll(crawl, origin, host, "/");
    expect(pathsOf(host)).toHaveLength(80);
  });

  test("pages that differ in a parameter, each under many sessions", async () => {
    const host = newHost();
    let session = 0;
    serve(origin, host, (_, query) => {
      const id = Number(new URLSearchParams(query).get("id") ?? 0);
      const next = (id + 1) % 40;
      return pageOf(
        `Page ${id}`,
        [ownWords(id, 60)],
        [`/?id=${next}&sid=x${++session}`, `/?id=${next}&sid=x${++session}`],
      );
    });
    await crawlAll(crawl, origin, host, "/?id=0");
    const ids = new Set(pathsOf(host).map((path) => /id=(\d+)/.exec(path)![1]));
    expect(ids.size).toBe(40);
    expect(pathsOf(host).length).toBeLessThan(60);
  });
});
