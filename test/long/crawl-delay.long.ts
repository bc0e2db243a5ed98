import { expect, test } from "bun:test";
import { startCrawl } from "../support/crawl.ts";
import { gapsOf, page, robots, startOrigin } from "../support/origin.ts";
import { hostOf } from "../support/rows.ts";
import { until } from "../support/until.ts";

const DELAY_S = 120;

test("4: Crawl-delay: 120, in real time: slow, complete, no worker held", async () => {
  const origin = startOrigin();
  const crawl = await startCrawl({ CRAWL_DELAY_MS: "100" });
  const host = "127.0.4.9";
  origin.host(host, {
    "/robots.txt": () => robots("User-agent: *", `Crawl-delay: ${DELAY_S}`),
    "/": () => page("front", "/a", "/b"),
    "/a": "page a",
    "/b": "page b",
  });
  try {
    await crawl.seed(origin.url(host));
    for (let n = 1; n <= 3; n++) {
      const isThere = () => origin.asked(host).length === n;
      await until(isThere, { timeoutMs: (DELAY_S + 30) * 1_000, what: `page ${n}` });
      await until(async () => (await hostOf(crawl, host)).turnToken === null);
    }
    expect(crawl.index.documents.size).toBe(3);
    for (const gap of gapsOf(origin.asked(host)))
      expect(gap).toBeGreaterThanOrEqual(DELAY_S * 1_000);
  } finally {
    await crawl.stop();
    await origin.stop();
  }
}, 600_000);
