import { seededChance } from "./chance.ts";
import { type CrawlOptions, startCrawl } from "./crawl.ts";
import { page, robots, type Script, startOrigin, status } from "./origin.ts";
import { crawlDue, letPass } from "./time-lapse.ts";

const HOUR_MS = 3_600_000;
/** As fine as time passes: what is due is asked for that much too late at most. */
const STEP_MS = HOUR_MS;
const HOSTS = 6;
/** The tests' Postgres sweeps nothing away by itself. */
const VACUUM_EVERY = 50;

export interface Kind {
  name: string;
  /** Mean time between two changes of a page, which come by chance (Poisson). */
  everyMs: number;
  pages: number;
}

export interface Lapse {
  days: number;
  /** Changes of the first days do not count: every page begins at the first interval, a day. */
  learningDays?: number;
}

export interface Freshness {
  changes: number;
  /** From a change to the moment when the index says it, mean. */
  meanHours: number;
  visitsOfAPage: { mean: number; most: number };
}

interface ChangingPage {
  url: string;
  kind: Kind;
  /** When it changes, ms from the beginning. */
  changes: number[];
  /** So many of them are in the index. */
  seen: number;
  /** Of the changes that count: how many were waited for, and how long. */
  waits: number;
  waitedMs: number;
  visits: number;
}

/**
 * Pages that change by chance, under the real crawl (turns, settle, store), over simulated days.
 * Every other page answers 304 while it has not changed; of the rest only the text tells.
 */
export async function crawlChanging(
  kinds: readonly Kind[],
  { days, learningDays = 0 }: Lapse,
  options: CrawlOptions = {},
): Promise<Map<string, Freshness>> {
  const chance = seededChance(4);
  const origin = startOrigin();
  const crawl = await startCrawl({}, { ...options, schedules: false, works: false });
  crawl.crew.turns.random = chance;
  const endMs = days * 24 * HOUR_MS;
  const fromMs = learningDays * 24 * HOUR_MS;
  let nowMs = 0;
  const pages = kinds.flatMap((kind) =>
    Array.from({ length: kind.pages }, (_, n) => ({ ...changing(kind, n, endMs, chance) })),
  );
  try {
    const scripts = Map.groupBy(pages, (_, at) => `127.0.9.${1 + (at % HOSTS)}`);
    for (const [host, some] of scripts) {
      for (const each of some) each.url = origin.url(host, each.url);
      const answers = some.map((each, at): [string, Script] => [
        new URL(each.url).pathname,
        ({ headers }) => answer(each, nowMs, headers, at % 2 === 0),
      ]);
      origin.host(host, { "/robots.txt": () => robots(""), ...Object.fromEntries(answers) });
    }
    await crawl.seed(...pages.map(({ url }) => url));
    const byId = await idsOf(crawl.database.sql, pages);
    for (let step = 1; nowMs < endMs; step++) {
      await crawlDue(crawl);
      for (const [id, each] of byId) {
        const title = crawl.index.documents.get(id)?.title ?? "";
        look(each, versionIn(title), nowMs, fromMs);
      }
      await letPass(crawl.database.sql, STEP_MS);
      if (step % VACUUM_EVERY === 0) await crawl.database.sql`vacuum urls, hosts`;
      nowMs += STEP_MS;
    }
    // A change that is not in the index by now has waited as long as it was there.
    for (const each of pages) look(each, each.changes.length, endMs, fromMs);
  } finally {
    await crawl.stop();
    await origin.stop();
  }
  return new Map(kinds.map((kind) => [kind.name, freshness(pages, kind)]));
}

function changing(kind: Kind, n: number, endMs: number, chance: () => number): ChangingPage {
  const changes: number[] = [];
  for (let at = 0; ; ) {
    at += -Math.log(1 - chance()) * kind.everyMs;
    if (!(at < endMs)) break;
    changes.push(at);
  }
  const url = `/${kind.name.replaceAll(" ", "-")}/${n}`;
  return { url, kind, changes, seen: 0, waits: 0, waitedMs: 0, visits: 0 };
}

const versionOf = ({ changes }: ChangingPage, nowMs: number): number =>
  changes.filter((at) => at <= nowMs).length;

function answer(each: ChangingPage, nowMs: number, headers: Headers, tells: boolean): Response {
  each.visits++;
  const version = versionOf(each, nowMs);
  const etag = `"${version}"`;
  if (tells && headers.get("if-none-match") === etag) return status(304, { etag });
  const { pathname } = new URL(each.url);
  const response = page(`${pathname} version ${version}`);
  if (tells) response.headers.set("etag", etag);
  return response;
}

async function idsOf(
  sql: Parameters<typeof letPass>[0],
  pages: readonly ChangingPage[],
): Promise<Map<number, ChangingPage>> {
  const byUrl = new Map(pages.map((each) => [each.url, each]));
  const rows = await sql<{ id: string; url: string }[]>`select id, url from urls`;
  return new Map(rows.map(({ id, url }) => [Number(id), byUrl.get(url)!]));
}

const versionIn = (title: string): number => Number(/version (\d+)$/.exec(title)?.[1] ?? 0);

/** What the index says of a page now, against what the page has said since when. */
function look(each: ChangingPage, indexed: number, nowMs: number, fromMs: number): void {
  for (; each.seen < indexed; each.seen++) {
    const changedMs = each.changes[each.seen]!;
    if (changedMs < fromMs) continue;
    each.waits++;
    each.waitedMs += nowMs - changedMs;
  }
}

function freshness(pages: readonly ChangingPage[], kind: Kind): Freshness {
  const of = pages.filter((each) => each.kind === kind);
  const sum = (value: (each: ChangingPage) => number) =>
    of.reduce((total, each) => total + value(each), 0);
  const changes = sum(({ waits }) => waits);
  return {
    changes,
    meanHours: sum(({ waitedMs }) => waitedMs) / Math.max(1, changes) / HOUR_MS,
    visitsOfAPage: {
      mean: sum(({ visits }) => visits) / of.length,
      most: Math.max(...of.map(({ visits }) => visits)),
    },
  };
}
