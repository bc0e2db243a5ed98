import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { page, redirect, robots, type Script, startOrigin, status } from "../support/origin.ts";
import { urlOf } from "../support/rows.ts";
import { crawlDue, forgetRobots, letPass } from "../support/time-lapse.ts";

const DAY_MS = 86_400_000;
const DAY_S = 86_400;
/** The jitter of an interval may lengthen it by so much. */
const LATE = 1.11;

const origin = startOrigin();
let crawl: TestCrawl;
let hosts = 0;

setDefaultTimeout(60_000);
beforeAll(async () => {
  crawl = await startCrawl({ RETRY_BASE_MS: "1000" }, { schedules: false, works: false });
  crawl.crew.turns.random = () => 0.5;
});
afterAll(async () => {
  await crawl.stop();
  await origin.stop();
});

/** A host of its own, whose pages answer what the test says at the moment. */
async function siteOf(answers: Record<string, Script>) {
  const host = `127.0.7.${++hosts}`;
  const now: Record<string, Script> = { "/robots.txt": () => robots(""), ...answers };
  const relay = (path: string): [string, Script] => [path, (asked) => now[path]!(asked)];
  origin.host(host, Object.fromEntries(Object.keys(now).map(relay)));
  await crawl.seed(...Object.keys(answers).map((path) => origin.url(host, path)));
  await crawlDue(crawl);
  return {
    says: (path: string, script: Script) => {
      now[path] = script;
    },
    row: (path: string) => urlOf(crawl, origin.url(host, path)),
    asked: (path: string) => origin.asked(host, path).length,
    title: async (path: string) => {
      const { id } = await urlOf(crawl, origin.url(host, path));
      return crawl.index.documents.get(id)?.title ?? null;
    },
  };
}

async function pass(days: number): Promise<void> {
  await letPass(crawl.database.sql, days * DAY_MS);
  forgetRobots(crawl);
  await crawlDue(crawl);
}

const LONG = Array.from({ length: 60 }, (_, n) => `word${n}`).join(" ");
const long = (title: string) => page(`${title} ${LONG}`);
const titled = (title: string, head: string, text = LONG) =>
  new Response(`<html lang="en"><head><title>${title}</title>${head}</head><p>${text}`, {
    headers: { "content-type": "text/html" },
  });

describe("a page that stays", () => {
  test("304: it is kept, and asked less and less often", async () => {
    const site = await siteOf({
      "/": ({ headers }) => {
        const etag = '"1"';
        if (headers.get("if-none-match") === etag) return status(304, { etag });
        const response = page("kept");
        response.headers.set("etag", etag);
        return response;
      },
    });
    const intervals = [(await site.row("/")).intervalS! / DAY_S];
    for (let visit = 2; visit <= 5; visit++) {
      await pass(intervals.at(-1)! * LATE);
      const row = await site.row("/");
      expect([row.status, row.visits, row.changes]).toEqual([304, visit, 0]);
      expect(await site.title("/")).toBe("kept");
      intervals.push(row.intervalS! / DAY_S);
    }
    expect(intervals).toEqual([1, 1.5, 2.25, 3.375, 5.0625]);
  });

  test("before its time nobody asks", async () => {
    const site = await siteOf({ "/": () => page("early") });
    await pass(0.85);
    expect(site.asked("/")).toBe(1);
  });

  test("the same text again, without validators: as 304", async () => {
    const site = await siteOf({ "/": () => long("same") });
    await pass(LATE);
    const row = await site.row("/");
    expect([row.status, row.visits, row.changes, row.intervalS]).toEqual([200, 2, 0, 1.5 * DAY_S]);
  });
});

test.each([
  ["long", long],
  ["short", page],
])("a %s text that changes is in the index, and asked sooner, down to an hour", async (_, says) => {
  let version = 1;
  const site = await siteOf({ "/": () => says(`text ${version}`) });
  const days: number[] = [];
  for (version = 2; version <= 8; version++) {
    await pass(((await site.row("/")).intervalS! / DAY_S) * LATE);
    expect(await site.title("/")).toStartWith(`text ${version}`);
    const row = await site.row("/");
    expect([row.visits, row.changes]).toEqual([version, version - 1]);
    days.push(row.intervalS! / DAY_S);
  }
  expect(days).toEqual([1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 24, 1 / 24, 1 / 24]);
});

describe("a page that goes", () => {
  test("410: at once; it comes back when it is there again", async () => {
    const site = await siteOf({ "/": () => page("gone") });
    site.says("/", () => status(410));
    await pass(LATE);
    expect(await site.title("/")).toBeNull();
    expect(await site.row("/")).toMatchObject({ state: "failed", reason: "gone", intervalS: null });
    await pass(6.9);
    expect(site.asked("/")).toBe(2);
    await pass(0.2);
    expect(site.asked("/")).toBe(3);
    await pass(6.9);
    site.says("/", () => page("again"));
    await pass(0.2);
    expect(await site.title("/")).toBe("again");
    expect(await site.row("/")).toMatchObject({ state: "pending", misses: 0, intervalS: DAY_S });
  });

  test("404: at the second visit, a day later; it comes back when it is there again", async () => {
    const site = await siteOf({ "/": () => page("lost") });
    site.says("/", () => status(404));
    await pass(LATE);
    expect(await site.title("/")).toBe("lost");
    expect(await site.row("/")).toMatchObject({ state: "pending", misses: 1 });
    await pass(0.9);
    expect(site.asked("/")).toBe(2);
    await pass(0.2);
    expect(await site.title("/")).toBeNull();
    expect(await site.row("/")).toMatchObject({ state: "failed", misses: 2 });
    for (const days of [7, 14, 28, 56, 90, 90]) {
      const before = site.asked("/");
      await pass(days - 0.1);
      expect(site.asked("/")).toBe(before);
      await pass(0.2);
      expect(site.asked("/")).toBe(before + 1);
    }
    site.says("/", () => page("found"));
    await pass(91);
    expect(await site.title("/")).toBe("found");
  });

  test("404 once: nothing has happened", async () => {
    const site = await siteOf({ "/": () => page("slip") });
    site.says("/", () => status(404));
    await pass(LATE);
    site.says("/", () => page("slip"));
    await pass(1.1);
    expect(await site.title("/")).toBe("slip");
    expect(await site.row("/")).toMatchObject({ state: "pending", misses: 0 });
  });

  test("one that never was a page is not asked for again", async () => {
    const site = await siteOf({ "/": () => status(404), "/b": () => status(410) });
    await pass(400);
    expect([site.asked("/"), site.asked("/b")]).toEqual([1, 1]);
  });

  test("noindex: at once; a month later it may be indexed again", async () => {
    const site = await siteOf({ "/": () => page("hidden") });
    site.says("/", () => titled("hidden", '<meta name="robots" content="noindex">'));
    await pass(LATE);
    expect(await site.title("/")).toBeNull();
    expect(await site.row("/")).toMatchObject({ state: "done", reason: "noindex" });
    site.says("/", () => page("shown"));
    await pass(29.9);
    expect(site.asked("/")).toBe(2);
    await pass(0.2);
    expect(await site.title("/")).toBe("shown");
  });

  test("robots.txt: at once, and nothing is asked; a month later it may be again", async () => {
    const site = await siteOf({ "/": () => page("shut") });
    site.says("/robots.txt", () => robots("User-agent: *", "Disallow: /"));
    await pass(LATE);
    expect([await site.title("/"), site.asked("/")]).toEqual([null, 1]);
    site.says("/robots.txt", () => robots(""));
    await pass(30.1);
    expect(await site.title("/")).toBe("shut");
  });
});

test("errors that pass keep the document: four tries, then after 7, 14, … days", async () => {
  const site = await siteOf({ "/": () => page("patient") });
  site.says("/", () => status(500));
  await pass(LATE);
  for (let tries = 2; tries <= 4; tries++) await pass(0.01);
  expect(await site.row("/")).toMatchObject({ state: "failed", attempts: 4 });
  for (const days of [7, 14, 28, 56, 90]) {
    expect(await site.title("/")).toBe("patient");
    expect((await site.row("/")).intervalS).toBe(-days * DAY_S);
    const before = site.asked("/");
    await pass(days - 0.1);
    expect(site.asked("/")).toBe(before);
    await pass(0.2);
    for (let tries = 2; tries <= 4; tries++) await pass(0.01);
    expect(site.asked("/")).toBe(before + 4);
  }
  site.says("/", () => page("well"));
  await pass(90.1);
  expect(await site.title("/")).toBe("well");
  expect(await site.row("/")).toMatchObject({ state: "pending", intervalS: DAY_S });
});

describe("what is done for another page's sake", () => {
  test("a redirect is looked at again after a month: it may be a page", async () => {
    const site = await siteOf({ "/old": () => redirect("/new"), "/new": () => page("new") });
    expect(await site.row("/old")).toMatchObject({ state: "done", reason: "redirected" });
    site.says("/old", () => page("old"));
    await pass(30.1);
    expect([await site.title("/old"), await site.title("/new")]).toEqual(["old", "new"]);
  });

  test("a duplicate is due when its page goes", async () => {
    const text = `${LONG} of two pages`;
    const site = await siteOf({ "/a": () => titled("a", "", text) });
    const copy = await siteOf({ "/b": () => titled("b", "", text) });
    expect(await copy.row("/b")).toMatchObject({ state: "done", reason: "duplicate" });
    site.says("/a", () => status(410));
    await pass(LATE);
    expect([await site.title("/a"), await copy.title("/b")]).toEqual([null, "b"]);
    expect(copy.asked("/b")).toBe(2);
  });

  test("one that names another as canonical is due when that goes, noindex or 404", async () => {
    const canonical = '<link rel="canonical" href="/a">';
    const site = await siteOf({
      "/a": () => titled("a", "", `${LONG} of a`),
      "/b": () => titled("b", canonical, `${LONG} of b`),
    });
    expect(await site.row("/b")).toMatchObject({ state: "done", reason: "canonical" });
    site.says("/a", () => status(404));
    await pass(LATE);
    expect([await site.title("/a"), await site.title("/b")]).toEqual(["a", null]);
    await pass(1.1);
    expect([await site.title("/a"), await site.title("/b")]).toEqual([null, "b"]);
  });
});
