import { expect } from "bun:test";
import { createHash } from "node:crypto";
import type { AnyActorRef } from "xstate";
import { hostMachine } from "../../src/actors/host.ts";
import { startCrawl, type TestCrawl } from "./crawl.ts";
import { startSite } from "./site.ts";
import { tool } from "./suites.ts";
import { until } from "./until.ts";

export interface ManyHosts {
  /** Hosts of one page each that stand in the store, all of them due and seeded. */
  hosts: number;
  /** The crawl ends after so many. */
  pages: number;
  turns: number;
}

export interface ManyHostsReport {
  pagesPerS: number;
  /** Host actors that ran at once, at most. */
  actorsMax: number;
  /** Megabytes of this process, after a collection, at each eighth of the way. */
  megabytes: number[];
  /** Longest time that the event loop stood still, ms. */
  blockedMs: number;
}

const EIGHTHS = 8;

/** Crawls some of very many hosts; null, and a visible line, when the tools are not there. */
export async function crawlManyHosts(run: ManyHosts): Promise<ManyHostsReport | null> {
  const site = await startSite({ hosts: run.hosts, pages: 1, links: 0, kb: 1, names: true });
  const names = await startNameServer();
  if (!site || !names) return null;
  const actors = watchActors();
  const crawl = await startCrawl({
    CRAWL_DELAY_MS: "0",
    CRAWL_TURNS: `${run.turns}`,
    DNS_SERVERS: `127.0.0.1:${names.port}`,
  });
  crawl.index.put = async () => ({ kind: "stored" });
  const lag = watchLag();
  try {
    await fill(crawl, run.hosts, site.port);
    const began = performance.now();
    const report = { actorsMax: 0, megabytes: [] as number[] };
    for (let eighth = 1; eighth <= EIGHTHS; eighth++) {
      await until(
        async () => {
          report.actorsMax = Math.max(report.actorsMax, await expectActorsHaveTurns(crawl, actors));
          return (await site.stats()).pages >= (run.pages * eighth) / EIGHTHS;
        },
        { timeoutMs: 600_000, everyMs: 200, what: `${eighth} eighths of the pages` },
      );
      Bun.gc(true);
      report.megabytes.push(Math.round(process.memoryUsage.rss() / 1e6));
    }
    const pagesPerS = run.pages / ((performance.now() - began) / 1_000);
    return { ...report, pagesPerS: Math.round(pagesPerS), blockedMs: lag.longestMs() };
  } finally {
    lag.stop();
    await crawl.stop();
    expect(actors.running()).toEqual([]);
    actors.stop();
    await site.stop();
    await names.stop();
  }
}

/** Rows as an admission of as many seeds would leave them; the keys are those of the URLs. */
async function fill({ database: { sql } }: TestCrawl, hosts: number, port: number): Promise<void> {
  await sql`insert into hosts (name, domain, url_count, seeded_at)
    select 'h' || n || '.test', 'h' || n || '.test', 1, now() from generate_series(0, ${hosts - 1}::int) n`;
  await sql`insert into urls (host_id, key, url, via, priority, next_crawl_at)
    select id, md5(name)::uuid, 'http://' || name || ':' || ${port}::text || '/', 'seed', 200, now()
    from hosts`;
  await sql`insert into counters (name, value) values ('accepted', ${hosts})
    on conflict (name) do update set value = excluded.value`;
  await sql`analyze hosts, urls`;
  await sql`update hosts set next_turn_at = now()`;
}
