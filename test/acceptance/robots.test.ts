import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { robots, startOrigin, status } from "../support/origin.ts";
import { Program } from "../support/program.ts";
import { jsonOf } from "../support/shell.ts";
import { startSite } from "../support/site.ts";
import { until } from "../support/until.ts";
import { allAccesses, type Size, seedEveryHost, statusOf } from "../support/whole-crawl.ts";

setDefaultTimeout(120_000);

const SIZE: Size = { hosts: 4, pages: 30 };
const ENV = { CRAWL_DELAY_MS: "0", FETCH_ALLOW_CIDRS: "127.0.0.0/8" };

interface Explained {
  state: string;
  reason: string | null;
  visits: number;
  robots: { verdict: string; reason: string | null };
  host: { state: string; reason: string | null };
  document: object | null;
}

const explain = async (program: Program, url: string) =>
  jsonOf<Explained>(await program.run("explain", url, "--json"));

async function untilIdle(program: Program): Promise<void> {
  const isIdle = async () => {
    const { urls } = await statusOf(program);
    return urls !== null && urls.due === 0 && urls.in_progress === 0 && urls.done > 0;
  };
  await until(isIdle, { timeoutMs: 60_000, what: "nothing due" });
}

test("Disallow: nothing below it is asked for; robots.txt once a host, restarts or not", async () => {
  const rules = "User-agent: *\\nDisallow: /p/1";
  const site = await startSite({ ...SIZE, links: 10, robots: rules, log: true });
  if (site === null) return;
  const program = new Program({ env: ENV });
  try {
    await program.start();
    await seedEveryHost(program, site, SIZE);
    // A person may name it, too: the answer is the same.
    expect((await program.run("seed", site.page(0, 1))).code).toBe(0);
    await untilIdle(program);
    expect(await explain(program, site.page(0, 1))).toMatchObject({
      state: "done",
      reason: "robots",
      robots: { verdict: "disallowed" },
      document: null,
    });
    expect((await explain(program, site.page(0, 2))).robots.verdict).toBe("allowed");
    await program.stop({ keep: true });
    await program.start();
    expect((await program.run("seed", site.page(0, 12), site.page(1, 2))).code).toBe(0);
    await untilIdle(program);
    const accesses = await allAccesses(site);
    const paths = accesses.map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith("/p/1"))).toEqual([]);
    expect(new Set(paths.filter((path) => path.startsWith("/p/"))).size).toBeGreaterThan(10);
    const asked = Map.groupBy(
      accesses.filter(({ path }) => path === "/robots.txt"),
      ({ host }) => host,
    );
    const times = [...asked.values()].map((requests) => requests.length);
    expect(times).toEqual(Array.from({ length: SIZE.hosts }, () => 1));
    // Before the first page of its host.
    for (const host of asked.keys()) {
      expect(accesses.find((access) => access.host === host)!.path).toBe("/robots.txt");
    }
  } finally {
    await program.stop();
    await site.stop();
  }
});

describe("robots.txt that cannot be had", () => {
  const origin = startOrigin();
  const program = new Program({ env: ENV });
  const [UNWELL, WELL] = ["127.0.4.1", "127.0.4.2"];

  beforeAll(async () => {
    origin.host(UNWELL, { "/robots.txt": () => status(503), "/": "front", "/page": "page" });
    origin.host(WELL, { "/robots.txt": () => robots("User-agent: *", "Allow: /"), "/": "front" });
    await program.start();
  });

  afterAll(async () => {
    await program.stop();
    await origin.stop();
  });

  test("503: no page is asked for, the host waits and says why, the others go on", async () => {
    const urls = [origin.url(UNWELL), origin.url(UNWELL, "/page"), origin.url(WELL)];
    expect((await program.run("seed", ...urls)).code).toBe(0);
    await until(() => origin.asked(UNWELL, "/robots.txt").length >= 2, { timeoutMs: 40_000 });
    await until(() => origin.asked(WELL).length === 1);
    expect(origin.asked(UNWELL)).toEqual([]);
    const isResting = async () => (await explain(program, urls[1]!)).host.state !== "active";
    await until(isResting);
    expect(await explain(program, urls[1]!)).toMatchObject({
      state: "pending",
      visits: 0,
      robots: { verdict: "waiting", reason: expect.stringContaining("503") },
      host: { state: "waiting_robots", reason: expect.stringContaining("503") },
    });
  });

  test("once it answers, the pages are asked for", async () => {
    origin.host(UNWELL, {
      "/robots.txt": () => robots("User-agent: trawl", "Disallow: /page"),
      "/": "front",
      "/page": "page",
    });
    await until(() => origin.asked(UNWELL).length > 0, { timeoutMs: 60_000 });
    const page = origin.url(UNWELL, "/page");
    await until(async () => (await explain(program, page)).reason === "robots");
    expect(origin.asked(UNWELL).map(({ path }) => path)).toEqual(["/"]);
  });
});
