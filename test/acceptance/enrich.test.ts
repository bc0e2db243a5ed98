import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type postgres from "postgres";
import { startOllama } from "../support/ollama.ts";
import { startOrigin } from "../support/origin.ts";
import { withStore } from "../support/outage.ts";
import { Program } from "../support/program.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

const HOSTS = 10;
/** Of each host; half of them crawled without enrichment, half beside it. */
const PAGES = 30;
const MADE = 10_000;

const double = await startOllama();
const origin = startOrigin();
const env = {
  CRAWL_DELAY_MS: "0",
  FETCH_ALLOW_CIDRS: "127.0.0.0/8",
  OLLAMA_URL: double.url,
  OLLAMA_MODEL: double.model,
};
const program = new Program({ env, args: ["--roles", "web,crawl,schedule"] });
/** The role enrich, as a process of its own on the same parts. */
const beside = () => new Program({ env, dataDir: program.dataDir, args: ["--roles", "enrich"] });
let enricher = beside();

afterAll(async () => {
  await enricher.stop({ keep: true });
  await program.stop();
  await origin.stop();
  await double.stop();
});

const siteOf = (h: number) => `127.0.71.${h + 1}`;

function pageOf(h: number, n: number): string {
  const words = `word${h}x${n} stands on a page of a host that is asked often. `.repeat(20);
  return `<html lang="en"><title>Page ${n} of host ${h}</title><p>${words}</p></html>`;
}

function publish(): void {
  for (let h = 0; h < HOSTS; h++) {
    const pages = Array.from({ length: PAGES }, (_, n) => [`/${n}`, () => htmlOf(pageOf(h, n))]);
    origin.host(siteOf(h), Object.fromEntries(pages));
  }
}

const htmlOf = (html: string) => new Response(html, { headers: { "content-type": "text/html" } });

interface Status {
  parts: { ollama: string };
  indexed: number;
  enrich_backlog: number;
}

interface Found {
  hits: { id: string; url: string; score: number; summary: string | null }[];
}

const status = () => program.api<Status>("/status");
const find = (query: string) => program.api<Found>(`/api/search?q=${query}&per_page=50`);
const inStore = <T>(read: (sql: postgres.Sql) => Promise<T>) => withStore(program.dataDir, read);

/** Crawls one half of the pages; ms of each from the start of its fetch to searchable, sorted. */
async function crawlHalf(half: 0 | 1): Promise<number[]> {
  const per = PAGES / 2;
  const from = new Date();
  const urls = Array.from({ length: HOSTS * per }, (_, at) =>
    origin.url(siteOf(at % HOSTS), `/${half * per + Math.floor(at / HOSTS)}`),
  );
  const { code, err } = await program.run("seed", ...urls);
  expect([code, err]).toEqual([0, ""]);
  const all = HOSTS * per;
  const rows = () =>
    inStore(
      (sql) => sql`
    select extract(epoch from indexed_at - fetch_started_at)::float8 * 1000 as ms
    from visits where claimed_at >= ${from.toISOString()} and indexed_at is not null`,
    );
  const visits = await until(
    async () => {
      const found = await rows();
      return found.length >= all ? found : null;
    },
    { timeoutMs: 30_000, everyMs: 100, what: `the crawl of ${all} pages` },
  );
  return visits.map(({ ms }) => ms as number).sort((a, b) => a - b);
}

const at = (sorted: readonly number[], part: number) => sorted[Math.floor(sorted.length * part)]!;

/** Documents that somebody crawled long ago. */
const make = (sql: postgres.Sql) =>
  sql`insert into documents (url_id, title, description, headings, text, link_density, link_count,
      crawled_at, indexed_at)
    select n, 'Made page ' || n, '', '', decode(repeat(md5(n::text), 50), 'hex'), 0, 0, now(), now()
    from generate_series(1000001, 1000000 + ${MADE}::integer) n`;

/** The index is to be told more of them, once more. */
const letWait = (sql: postgres.Sql) =>
  sql`insert into enrich_waits (url_id) select url_id from documents where url_id > 1000000
    on conflict do nothing`;

const waiting = (sql: postgres.Sql) =>
  sql`select count(*)::int as n from enrich_waits`.then(([row]) => row!.n as number);

let before: number[] = [];

beforeAll(async () => {
  publish();
  await program.start();
  before = await crawlHalf(0);
});

describe("with enrichment stopped", () => {
  test("search is complete, the backlog is shown, and no model is asked", async () => {
    await inStore(async (sql) => {
      await make(sql);
      await letWait(sql);
    });
    const crawled = (HOSTS * PAGES) / 2;
    await until(async () => (await status()).enrich_backlog === MADE + crawled, {
      what: "the backlog",
    });
    const { parts, indexed } = await status();
    expect([parts.ollama, indexed]).toEqual(["up", crawled]);
    for (let h = 0; h < HOSTS; h++) {
      const { hits } = await find(`word${h}x3`);
      expect(hits.map(({ url, summary }) => [url, summary])).toEqual([
        [origin.url(siteOf(h), "/3"), null],
      ]);
    }
    const metrics = await fetch(`${program.url}/metrics`, {
      headers: { authorization: `Bearer ${program.env.API_TOKEN}` },
    });
    expect(await metrics.text()).toContain(`trawl_enrich_backlog ${MADE + crawled}\n`);
    expect(double.asked).toEqual([]);
  });
});

describe("with enrichment started", () => {
  test("10,000 are drained in batches, again and again, and no page is delayed beside it", async () => {
    double.mode = "slow";
    double.slowMs = 2_000;
    enricher.spawn();
    let [drains, isOver] = [0, false];
    const busy = inStore((sql) =>
      until(
        async () => {
          if ((await waiting(sql)) < MADE / 5) {
            drains++;
            await letWait(sql);
          }
          return isOver && drains > 1;
        },
        { timeoutMs: 30_000 },
      ),
    );
    await until(() => drains > 0, { timeoutMs: 30_000, what: "the first drain" });
    const meanwhile = await crawlHalf(1);
    isOver = true;
    await busy;
    const [p50, p95] = [0.5, 0.95].map((part) => [at(before, part), at(meanwhile, part)]);
    console.log(`to searchable, ms: p50 ${p50!.join(" → ")}, p95 ${p95!.join(" → ")}`);
    console.log(`${drains} times 10,000 meanwhile`);
    expect(at(meanwhile, 0.5)).toBeLessThan(2 * at(before, 0.5) + 100);
    expect(at(meanwhile, 0.95)).toBeLessThan(2 * at(before, 0.95) + 200);
    expect(double.inFlightMax).toBeLessThanOrEqual(2);
  });

  test("killed in the middle of a drain it leaves the rest, and the next one does it", async () => {
    const left = await inStore(async (sql) => {
      const isInTheMiddle = async () => {
        const count = await waiting(sql);
        // All may have gone between two looks.
        if (count < MADE / 10) await letWait(sql);
        return count >= MADE / 10 && count < MADE - 400;
      };
      await until(isInTheMiddle, { everyMs: 2, timeoutMs: 30_000, what: "a drain under way" });
      enricher.kill("SIGKILL");
      await enricher.exited;
      return await waiting(sql);
    });
    console.log(`killed with ${left} of ${MADE} left`);
    expect(left).toBeGreaterThan(0);
    double.mode = "normal";
    enricher = beside();
    enricher.spawn();
    await until(async () => (await status()).enrich_backlog === 0, {
      timeoutMs: 30_000,
      what: "the end of the backlog",
    });
    for (const word of ["word3x3", "word3x23"]) {
      expect((await find(word)).hits[0]!.summary).toMatch(/^A page of \d+ characters\.$/);
    }
  });

  test("a model that is slow, broken, failing or gone has no effect on search", async () => {
    const search = async () => {
      const began = performance.now();
      const { hits } = await find("host");
      const ms = performance.now() - began;
      return { ms, hits: hits.map(({ id, score }) => [id, score]) };
    };
    const letOneWait = () =>
      inStore(
        (sql) => sql`insert into summary_waits (url_id, content_hash, due_at)
        select url_id, content_hash, now() from documents where content_hash is not null limit 1
        on conflict (url_id) do update set due_at = now(), attempts = 0`,
      );
    const calm = await search();
    expect(calm.hits.length).toBeGreaterThan(0);
    for (const mode of ["broken", "failing", "slow"] as const) {
      double.mode = mode;
      const questions = double.asked.length;
      await letOneWait();
      await until(() => double.asked.length > questions, { what: `a question while ${mode}` });
      const { ms, hits } = await search();
      expect([mode, hits]).toEqual([mode, calm.hits]);
      expect(ms).toBeLessThan(500);
    }
    await double.stop();
    await letOneWait();
    await until(async () => (await status()).parts.ollama === "down", { what: "the word of it" });
    expect((await search()).hits).toEqual(calm.hits);
    // Counted at most every two seconds.
    await until(async () => (await status()).enrich_backlog === 1, { what: "the one that waits" });
  });
});
