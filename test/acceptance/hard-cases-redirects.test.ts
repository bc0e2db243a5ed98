import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { explainUrl } from "../../src/crawl/explain.ts";
import { setHostSettings } from "../../src/db/hosts.ts";
import { unpackText } from "../../src/text/packed.ts";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { gapsOf, page, redirect, robots, startOrigin } from "../support/origin.ts";
import { findUrl, hostOf, isCrawled, urlOf } from "../support/rows.ts";
import { until } from "../support/until.ts";

const DELAY_MS = 100;

const origin = startOrigin();
let crawl: TestCrawl;

setDefaultTimeout(60_000);
beforeAll(async () => {
  crawl = await startCrawl({ CRAWL_DELAY_MS: `${DELAY_MS}` });
});
afterAll(async () => {
  await crawl.stop();
  await origin.stop();
});

/** A URL that is over: neither waiting for its first visit nor being visited. */
async function over(url: string) {
  return await until(async () => {
    const row = await findUrl(crawl, url);
    const isWaiting = row?.state === "pending" && row.visits === 0;
    return row !== null && row.state !== "in_progress" && !isWaiting ? row : null;
  });
}

const explained = (url: string) => explainUrl({ db: crawl.database.db, config: crawl.config }, url);

describe("8: a redirect to what robots.txt of its host disallows", () => {
  const [A, B] = ["127.0.8.1", "127.0.8.2"] as const;
  const LEADS: [path: string, location: string, target: string][] = [
    ["/other-host", origin.url(B, "/secret"), origin.url(B, "/secret")],
    ["/no-scheme", `//${B}:${origin.port}/secret/2`, origin.url(B, "/secret/2")],
    ["/escaped", origin.url(B, "/%73ecret/3"), origin.url(B, "/secret/3")],
    ["/dotted", origin.url(B, "/open/../secret/4"), origin.url(B, "/secret/4")],
    ["/fragment", origin.url(B, "/secret/5#part"), origin.url(B, "/secret/5")],
    ["/same-host", "hidden", origin.url(A, "/hidden")],
    ["/on-the-way", origin.url(B, "/hop"), origin.url(B, "/hop")],
  ];

  beforeAll(async () => {
    origin.host(A, {
      "/robots.txt": () => robots("User-agent: *", "Disallow: /hidden"),
      "/": () => page("front of a", ...LEADS.map(([path]) => path)),
      ...Object.fromEntries(LEADS.map(([path, location]) => [path, () => redirect(location)])),
    });
    origin.host(B, {
      "/robots.txt": () => robots("User-agent: *", "Disallow: /secret"),
      "/": () => page("front of b"),
      "/hop": () => redirect("/secret/6"),
    });
    await crawl.seed(origin.url(A), origin.url(B));
  });

  test.each(LEADS)(
    "%s -> %s: the source is over, the target never asked",
    async (path, _, target) => {
      const source = await over(origin.url(new URL(target).hostname === A ? A : A, path));
      expect(source).toMatchObject({ state: "done", reason: "redirected", status: 302 });
      const reached = await over(target);
      expect(source.targetId).toBe(reached.id);
      if (path !== "/on-the-way") {
        expect(reached).toMatchObject({ state: "done", reason: "robots", crawledAt: null });
      }
    },
  );

  test("neither a secret nor a hidden page was ever requested", async () => {
    expect(await over(origin.url(B, "/secret/6"))).toMatchObject({ reason: "robots" });
    expect(origin.accesses.filter(({ path }) => /secret|hidden/.test(path))).toEqual([]);
  });
});

describe("21: redirects that look like themselves", () => {
  const HOST = "127.0.21.1";
  const SLOW = "127.0.21.2";
  const BUSY = "127.0.21.3";
  const front = { "set-cookie": "seen=1; Path=/; HttpOnly" };
  const wall = (text: string, location: string) => (asked: { headers: Headers }) =>
    asked.headers.get("cookie") === "seen=1" ? page(text) : redirect(location, front);

  beforeAll(async () => {
    origin.host(HOST, {
      "/": () => page("front", "/?b=1&a=2", "/wall", "/tracked", "/bare", "/stubborn", "/leaves"),
      "/?b=1&a=2": () => redirect("/?a=2&b=1"),
      "/?a=2&b=1": "parameters in order",
      "/wall": wall("behind the wall", "/wall"),
      "/tracked": wall("behind the tracked wall", "/tracked?utm_source=self#top"),
      "/bare": () => redirect("/bare"),
      "/stubborn": ({ nth }) => redirect("/stubborn", { "set-cookie": `n=${nth}` }),
      "/leaves": ({ nth }) => redirect(nth === 1 ? "/leaves" : "/next", front),
      "/next": "where the second answer leads",
      "/two": () => redirect("/three", front),
      "/three": () => redirect("/two", front),
    });
    origin.host(SLOW, {
      "/robots.txt": () => robots("User-agent: *", "Crawl-delay: 6"),
      "/": wall("behind the slow wall", "/"),
    });
    const siblings = Array.from({ length: 80 }, (_, n) => `/sibling/${n}`);
    origin.host(BUSY, {
      "/first": () => redirect("/target"),
      "/target": "the target",
      ...Object.fromEntries(siblings.map((path) => [path, `page ${path}`])),
    });
    await crawl.seed(origin.url(HOST), origin.url(HOST, "/two"), origin.url(SLOW));
    await crawl.seed(...["/first", ...siblings].map((path) => origin.url(BUSY, path)));
  });
  const at = (path: string) => origin.url(HOST, path);
  const cookies = (path: string) => origin.asked(HOST, path).map(({ cookie }) => cookie);

  test("the same parameters in another order: the target is fetched", async () => {
    await until(() => isCrawled(crawl, at("/?a=2&b=1")));
    expect(await over(at("/?b=1&a=2"))).toMatchObject({ state: "done", reason: "redirected" });
    expect(origin.asked(HOST, "/?b=1&a=2")).toHaveLength(1);
  });

  test.each(["/wall", "/tracked"])(
    "%s sets a cookie and is asked once more, with it",
    async (path) => {
      await until(() => isCrawled(crawl, at(path)));
      expect(cookies(path)).toEqual([null, "seen=1"]);
      expect(await urlOf(crawl, at(path))).toMatchObject({
        visits: 1,
        attempts: 0,
        state: "pending",
      });
      const { id } = await urlOf(crawl, at(path));
      expect(unpackText(crawl.index.documents.get(id)!.text)).toContain("behind");
    },
  );

  test("no cookie, nothing to ask again with", async () => {
    expect(await over(at("/bare"))).toMatchObject({
      state: "failed",
      reason: "redirect to itself",
    });
    expect(cookies("/bare")).toEqual([null]);
  });

  test("a second redirect to itself is the end", async () => {
    const { state, reason } = await over(at("/stubborn"));
    expect({ state, reason }).toEqual({ state: "failed", reason: "redirect to itself" });
    expect(cookies("/stubborn")).toEqual([null, "n=1"]);
  });

  test("the second answer may lead on; its cookie stays behind", async () => {
    expect(await over(at("/leaves"))).toMatchObject({ state: "done", reason: "redirected" });
    await until(() => isCrawled(crawl, at("/next")));
    expect(cookies("/leaves")).toEqual([null, "seen=1"]);
    expect(cookies("/next")).toEqual([null]);
  });

  test("two pages that lead to each other are asked once each, without cookies", async () => {
    for (const path of ["/two", "/three"]) {
      expect(await over(at(path))).toMatchObject({ state: "done", reason: "redirected" });
      expect(cookies(path)).toEqual([null]);
    }
  });

  test("the gap lies between the two requests too", async () => {
    for (const gap of gapsOf(origin.asked(HOST))) expect(gap).toBeGreaterThanOrEqual(DELAY_MS);
  });

  test("a gap too long for one turn: the cookie is still there in the next", async () => {
    await until(() => isCrawled(crawl, origin.url(SLOW)), { timeoutMs: 20_000 });
    expect(origin.asked(SLOW).map(({ cookie }) => cookie)).toEqual([null, "seen=1"]);
    for (const gap of gapsOf(origin.asked(SLOW))) expect(gap).toBeGreaterThanOrEqual(6_000);
  });

  test("a target on the same host is next in line, behind what is claimed already", async () => {
    await until(() => origin.asked(BUSY, "/target").length > 0, { timeoutMs: 20_000 });
    const before = origin.asked(BUSY).findIndex(({ path }) => path === "/target");
    expect(before).toBeLessThan(50);
  });

  test("no cookie is kept in the store", async () => {
    const { sql } = crawl.database;
    const [row] = await sql`select count(*)::int as n from urls where urls::text like '%seen=1%'`;
    expect(row!.n).toBe(0);
  });
});

describe("22: a redirect to what is not its own to process", () => {
  const [A, BLOCKED, OUTSIDE] = ["127.0.22.1", "127.0.22.2", "127.0.22.3"] as const;
  const LEADS: [path: string, location: string, reason: string][] = [
    ["/to-visited", "/visited", "redirected"],
    ["/to-excluded", "/excluded/page", "redirected, target refused: pattern"],
    ["/to-outside", origin.url(OUTSIDE, "/page"), "redirected, target refused: scope"],
    ["/to-blocked", origin.url(BLOCKED, "/page"), "redirected, target refused: blocked"],
    ["/to-mail", "mailto:somebody@example.org", "redirect to nowhere"],
    ["/to-file", "file:///etc/passwd", "redirect to nowhere"],
    ["/to-user", `http://me:secret@${A}:${origin.port}/visited`, "redirect to nowhere"],
  ];
  const secret = "what only the target says";

  beforeAll(async () => {
    const { db } = crawl.database;
    origin.host(A, {
      "/": () => page("front", "/visited", ...LEADS.map(([path]) => path)),
      "/visited": () => page(secret, "/beyond"),
      "/beyond": "beyond",
      "/excluded/page": secret,
      ...Object.fromEntries(LEADS.map(([path, location]) => [path, () => redirect(location)])),
    });
    for (const host of [BLOCKED, OUTSIDE]) origin.host(host, { "/": secret, "/page": secret });
    await db.execute(`insert into blocks (name, kind) values ('${BLOCKED}', 'host')`);
    await crawl.seed(origin.url(A, "/visited"));
    await until(() => isCrawled(crawl, origin.url(A, "/visited")));
    await setHostSettings(db, (await hostOf(crawl, A)).id, { excludePatterns: ["/excluded/*"] });
    await crawl.crew.turns.policy.refresh();
    await crawl.seed(origin.url(A));
  });

  test.each(LEADS)("%s -> %s: over, with its reason", async (path, location, reason) => {
    const url = origin.url(A, path);
    const row = await over(url);
    const { target, why, history } = await until(async () => {
      const seen = (await explained(url))!;
      return (seen.history as unknown[]).length > 0 ? seen : null;
    });
    expect((history as { reason: string }[]).map((visit) => visit.reason)).toEqual([reason]);
    const isOver = { state: row.state, reason: row.reason, status: row.status };
    const isPlace = reason.startsWith("redirected");
    expect(isOver).toEqual({
      state: isPlace ? "done" : "failed",
      reason: isPlace ? "redirected" : reason,
      status: 302,
    });
    expect(target).toBe(reason === "redirected" ? new URL(location, url).href : null);
    expect(why).toStartWith("not in the index");
    expect(crawl.index.documents.has(row.id)).toBe(false);
    expect(row.crawledAt).toBeNull();
  });

  test("the visited page was asked once; what is outside never", async () => {
    expect(origin.asked(A, "/visited")).toHaveLength(1);
    expect(origin.asked(A, "/excluded/page")).toEqual([]);
    expect([BLOCKED, OUTSIDE].flatMap((host) => origin.asked(host))).toEqual([]);
  });
});
