import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { crawlHostNow } from "../../src/crawl/whole-host.ts";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { HostJournal } from "../support/host-journal.ts";
import {
  type Access,
  gapsOf,
  never,
  page,
  robots,
  type Script,
  startOrigin,
  status,
} from "../support/origin.ts";
import { pause } from "../support/pause.ts";
import { hostOf, isCrawled, shift, urlOf } from "../support/rows.ts";
import { until } from "../support/until.ts";

const DELAY_MS = 200;
const MANY = 600;

const origin = startOrigin();
let crawl: TestCrawl;
let journal: HostJournal;

setDefaultTimeout(60_000);
beforeAll(async () => {
  crawl = await startCrawl({ CRAWL_DELAY_MS: `${DELAY_MS}`, RETRY_BASE_MS: "500" });
  journal = new HostJournal(crawl);
  const urls = [...WAITING, ...HANGING].map(([host, script]) => {
    origin.host(host, {
      "/robots.txt": script,
      "/": () => page(`front of ${host}`, "/private", "/open"),
      "/open": `open of ${host}`,
      "/private": `private of ${host}`,
    });
    return origin.url(host);
  });
  const many = Array.from({ length: MANY }, (_, n) => origin.url(CROWDED, `/private/${n}`));
  for (const [host, delay] of SLOW) {
    origin.host(host, {
      "/robots.txt": () => robots("User-agent: *", `Crawl-delay: ${delay}`),
      "/": () => page(`front of ${host}`, "/a", "/b"),
      "/a": `a of ${host}`,
      "/b": `b of ${host}`,
    });
    urls.push(origin.url(host));
  }
  const pages = Array.from({ length: 8 }, (_, n) => `/${n}`);
  origin.host(HEALTHY, {
    "/": () => page("front of the healthy host", ...pages),
    ...Object.fromEntries(pages.map((path) => [path, `page ${path} of the healthy host`])),
  });
  const seeded = await crawl.seed(...urls, ...many, origin.url(HEALTHY));
  expect(seeded.refused).toEqual([]);
});
afterAll(async () => {
  await journal.stop();
  await crawl.stop();
  await origin.stop();
});

const RULES = () => robots("User-agent: *", "Disallow: /private");
const downAt = (nth: number, down: () => Response): Script => {
  return (asked) => (asked.nth <= nth ? down() : RULES());
};
let firstAskedAt = 0;
const downFor10s: Script = () => {
  firstAskedAt ||= Date.now();
  return Date.now() - firstAskedAt < 10_000 ? status(503) : RULES();
};
const CROWDED = "127.0.1.5";
const WAITING: [host: string, Script, why: string][] = [
  ["127.0.1.1", downFor10s, "503 for 10 s"],
  ["127.0.1.2", downAt(1, () => status(500)), "500 once"],
  ["127.0.1.3", downAt(1, () => status(429)), "429 once"],
  ["127.0.1.4", downAt(1, () => status(503, { "retry-after": "6" })), "told to wait"],
  [
    CROWDED,
    downAt(1, () => status(503)),
    `503 once, and ${MANY} URLs wait: more than one turn takes`,
  ],
];

describe("1: robots.txt cannot be had", () => {
  test.each(WAITING)(
    "%s: no page before it answers; the host shows that it waits",
    async (host) => {
      const ends = ["/open", "/private"].map((path) => origin.url(host, path));
      await until(() => isCrawled(crawl, ends[0]!), { timeoutMs: 40_000 });
      await until(async () => (await urlOf(crawl, ends[1]!)).state === "done");
      expect((await urlOf(crawl, ends[1]!)).reason).toBe("robots");
      expect(origin.asked(host, "/private")).toEqual([]);
      const asked = origin.asked(host, "/robots.txt");
      const answered = asked.find((access) => access.status === 200)!;
      for (const { t0 } of origin.asked(host)) expect(t0).toBeGreaterThanOrEqual(answered.t1);
      const wait = journal.of(host, asked[0]!.t1 + 500, answered.t0 - 500);
      const resting = wait.filter(({ turn }) => turn === null);
      expect(new Set(resting.map(({ state }) => state))).toEqual(new Set(["waiting_robots"]));
      expect(resting.at(-1)!.reason).toContain("robots.txt");
      const turns = new Set(wait.flatMap(({ turn }) => turn ?? []));
      expect(turns.size).toBeLessThanOrEqual(asked.length);
    },
  );
});

const HEALTHY = "127.0.2.1";
const drip: Script = () => {
  const pull = async (body: ReadableStreamDefaultController<Uint8Array>) => {
    await pause(500);
    body.enqueue(new TextEncoder().encode("#"));
  };
  return new Response(new ReadableStream({ pull }), { headers: { "content-type": "text/plain" } });
};
const HANGING: [host: string, Script, why: string][] = [
  ["127.0.2.2", never, "takes the connection and is silent"],
  ["127.0.2.3", drip, "two bytes a second, for ever"],
  ["127.0.2.4", ({ nth }) => (nth === 1 ? never() : RULES()), "silent once"],
];

describe("2: robots.txt never answers", () => {
  test("a healthy host beside it goes at its own pace", async () => {
    const asked = () => origin.asked(HEALTHY).filter(({ t1 }) => t1 > 0);
    await until(() => asked().length === 9);
    const isOver = asked().at(-1)!.t1;
    for (const [host] of HANGING) {
      expect(journal.of(host, 0, isOver).every(({ state }) => state === "active")).toBe(true);
      expect(origin.asked(host).filter(({ t0 }) => t0 < isOver)).toEqual([]);
    }
  });

  test.each(HANGING)("%s is put off within 30 s", async (host) => {
    const isPutOff = () => journal.of(host).find(({ state }) => state === "waiting_robots");
    const { at } = await until(isPutOff, { timeoutMs: 40_000 });
    expect(at - origin.asked(host, "/robots.txt")[0]!.t0).toBeLessThan(30_000);
  });

  test("when it answers at last the host is crawled", async () => {
    await until(() => isCrawled(crawl, origin.url("127.0.2.4", "/open")), { timeoutMs: 40_000 });
  });
});

const SLOW: [host: string, delayS: number][] = [
  ["127.0.4.1", 120],
  ["127.0.4.2", 6],
];

describe("4: Crawl-delay", () => {
  const [[minutes], [seconds]] = SLOW as [[string, number], [string, number]];
  const crawled = (host: string) => origin.asked(host).filter(({ t1 }) => t1 > 0);

  test("120: no worker is held, nothing brings the next request forward", async () => {
    await until(() => crawled(minutes).length === 1);
    await until(async () => (await hostOf(crawl, minutes)).turnToken === null);
    const endedAt = crawled(minutes)[0]!.t1;
    await crawl.seed(origin.url(minutes, "/c"));
    const { id } = await hostOf(crawl, minutes);
    expect(await crawlHostNow(crawl.operate, id, "tester")).toEqual({ kind: "done" });
    const host = await hostOf(crawl, minutes);
    expect(host.nextTurnAt!.getTime()).toBeGreaterThanOrEqual(endedAt + 120_000);
    expect(host.robotsDelayMs).toBe(120_000);
  });

  test("120: one page a turn, each as late as it was asked to be, until all are there", async () => {
    // The front page twice: the operator wanted all of the host at once.
    const pages = ["/", "/", "/a", "/b", "/c"];
    origin.host(minutes, { "/robots.txt": () => status(404) });
    for (let n = 2; n <= pages.length; n++) {
      await until(async () => (await hostOf(crawl, minutes)).turnToken === null);
      await shift(crawl, minutes, 119_000);
      await until(() => crawled(minutes).length === n);
    }
    for (const gap of gapsOf(crawled(minutes))) expect(gap).toBeGreaterThanOrEqual(1_000);
    expect(
      crawled(minutes)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(pages);
  });

  test("6: slow, complete, asleep between the requests", async () => {
    await until(() => crawled(seconds).length === 3, { timeoutMs: 40_000 });
    for (const gap of gapsOf(crawled(seconds))) expect(gap).toBeGreaterThanOrEqual(6_000);
    const [first, second] = crawled(seconds) as [Access, Access];
    const between = journal.of(seconds, first.t1, second.t0);
    const asleep = between.filter(({ turn, nextTurnAt }) => turn === null && nextTurnAt !== null);
    expect(asleep.length).toBeGreaterThan(0);
    expect(asleep.at(-1)!.nextTurnAt!).toBeGreaterThanOrEqual(first.t1 + 6_000);
  });
});
