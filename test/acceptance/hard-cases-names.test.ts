import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { HostJournal } from "../support/host-journal.ts";
import { type Names, startNames } from "../support/names.ts";
import { page, startOrigin } from "../support/origin.ts";
import { hostOf, isCrawled, urlOf } from "../support/rows.ts";
import { until } from "../support/until.ts";

/** The name is unknown for so long, in seconds. */
const UNKNOWN_S = 5;
/** As the default, a minute, to a name that resolves a minute later. */
const RETRY_BASE_MS = 5_000;
const ADDRESS = "127.0.6.1";
const late = (answer: string, name: string) => {
  const ttl = name.includes("day") ? 86_400 : 1;
  // biome-ignore lint/suspicious/noThenProperty: the word of the DNS double, never awaited
  return Object.fromEntries([["then", [{ is: answer, for_s: UNKNOWN_S, ttl }, ADDRESS]]]);
};

/** name, what the name server says for a while */
const LATE: [name: string, answer: string][] = [
  ["missing.test", "NXDOMAIN"],
  ["empty.test", "NODATA"],
  ["negative-for-a-day.test", "NXDOMAIN"],
  ["failing.test", "SERVFAIL"],
  ["refusing.test", "REFUSED"],
  ["silent.test", "DROP"],
];
const names = await startNames({
  ttl: 1,
  names: {
    ...Object.fromEntries(LATE.map(([name, answer]) => [name, late(answer, name)])),
    "known.test": ADDRESS,
  },
});
const origin = startOrigin();

setDefaultTimeout(60_000);
afterAll(async () => {
  await origin.stop();
  await names?.close();
});

describe.skipIf(!names)("19: a name that does not resolve, and does a while later", () => {
  const { port, queries } = names as Names;
  let crawl: TestCrawl;
  let journal: HostJournal;

  beforeAll(async () => {
    crawl = await startCrawl({
      CRAWL_DELAY_MS: "50",
      RETRY_BASE_MS: `${RETRY_BASE_MS}`,
      DNS_SERVERS: `127.0.0.1:${port}`,
    });
    journal = new HostJournal(crawl);
    for (const [name] of LATE) origin.host(name, { "/": () => page(`front of ${name}`) });
    origin.host("known.test", {
      "/": () => page("front of a known host", "/1", "/2"),
      "/1": "first page",
      "/2": "second page",
    });
    await crawl.seed(...LATE.map(([name]) => origin.url(name)), origin.url("known.test"));
  });
  afterAll(async () => {
    await journal.stop();
    await crawl.stop();
  });

  test("a host beside it is crawled meanwhile", async () => {
    for (const path of ["/", "/1", "/2"]) {
      await until(() => isCrawled(crawl, origin.url("known.test", path)));
    }
  });

  test.each(LATE)("%s (%s) is put off, its URL is not to blame", async (name) => {
    await until(() => journal.of(name).some(({ state }) => state === "backing_off"), {
      timeoutMs: 20_000,
    });
    const { failures, reason, nextTurnAt } = journal
      .of(name)
      .findLast(({ state }) => state === "backing_off")!;
    expect(reason).toMatch(/^DNS: /);
    expect(failures).toBe(1);
    expect(nextTurnAt! - Date.now()).toBeLessThan(RETRY_BASE_MS * 1.25 + 1_000);
    const { attempts, state } = await urlOf(crawl, origin.url(name));
    expect({ attempts, state }).toEqual({ attempts: 0, state: "pending" });
  });

  test.each(LATE)("%s (%s) is fetched by the second try or the third", async (name) => {
    await until(() => isCrawled(crawl, origin.url(name)), { timeoutMs: 50_000 });
    const turns = new Set(journal.of(name).flatMap(({ turn }) => turn ?? []));
    expect(turns.size).toBeLessThanOrEqual(3);
    expect(origin.asked(name)).toHaveLength(1);
    await until(async () => (await hostOf(crawl, name)).failures === 0);
    // Asked again and again, one answer would do: three tries, A and AAAA, and a few turns.
    expect(queries.filter((query) => query.name === name).length).toBeLessThanOrEqual(20);
  });
});
