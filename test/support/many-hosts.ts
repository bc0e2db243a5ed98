import { heapStats } from "bun:jsc";
import { expect } from "bun:test";
import type { AnyActorRef } from "xstate";
import { hostMachine } from "../../src/actors/host.ts";
import { startCrawl, type TestCrawl } from "./crawl.ts";
import { startSite } from "./site.ts";
import { tool } from "./suites.ts";
import { until } from "./until.ts";

export interface ManyHosts {
  /** Hosts of one page each that stand in the store, all of them due and seeded. */
  hosts: number;
  /** The crawl ends after so many, or after `maxMs`. */
  pages: number;
  maxMs: number;
  turns: number;
}

export interface ManyHostsReport {
  pages: number;
  seconds: number;
  /** Host actors that ran at once, at most. */
  actorsMax: number;
  /** Of this process after a collection, at each eighth of the way: objects, and all it holds. */
  heapMb: number[];
  residentMb: number[];
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
  // What the index in memory holds is not the crawl's.
  crawl.index.put = async () => ({ kind: "stored" });
  try {
    await fill(crawl, run.hosts, site.port);
    return await watchCrawl(crawl, run, actors, async () => (await site.stats()).pages);
  } finally {
    await crawl.stop();
    expect(actors.running()).toEqual([]);
    actors.stop();
    await site.stop();
    await names.stop();
  }
}

async function watchCrawl(
  crawl: TestCrawl,
  run: ManyHosts,
  actors: Actors,
  countPages: () => Promise<number>,
): Promise<ManyHostsReport> {
  const began = performance.now();
  const report: ManyHostsReport = {
    pages: 0,
    seconds: 0,
    actorsMax: 0,
    heapMb: [],
    residentMb: [],
  };
  for (let eighth = 1; eighth <= EIGHTHS; eighth++) {
    const isThere = async () => {
      report.actorsMax = Math.max(report.actorsMax, await expectTurns(crawl, actors));
      report.pages = await countPages();
      report.seconds = (performance.now() - began) / 1_000;
      const way = Math.max(report.pages / run.pages, (report.seconds * 1_000) / run.maxMs);
      return way >= eighth / EIGHTHS;
    };
    await until(isThere, { timeoutMs: run.maxMs, everyMs: 200, what: "the next eighth" });
    Bun.gc(true);
    report.heapMb.push(Math.round(heapStats().heapSize / 1e5) / 10);
    report.residentMb.push(Math.round(process.memoryUsage.rss() / 1e6));
  }
  return report;
}

/** What the memory grew by in the second half of the way, when every cache has had its time. */
export function growth(megabytes: readonly number[]): number {
  const half = megabytes.slice(megabytes.length / 2);
  return Math.max(...half) - half[0]!;
}

/** Rows as an admission of as many seeds would leave them; the keys are those of the URLs. */
async function fill({ database: { sql } }: TestCrawl, hosts: number, port: number): Promise<void> {
  await sql`insert into hosts (name, domain, url_count, seeded_at)
    select name, name, 1, now()
    from (select 'h' || n || '.test' as name from generate_series(0, ${hosts - 1}::int) n) h`;
  await sql`insert into urls (host_id, key, url, via, priority, next_crawl_at)
    select id, md5(name)::uuid, 'http://' || name || ':' || ${port}::text || '/', 'seed', 200, now()
    from hosts`;
  await sql`insert into counters (name, shard, value) values ('accepted', 0, ${hosts})`;
  await sql`analyze hosts, urls`;
  await sql`update hosts set next_turn_at = now()`;
}

interface Actors {
  running(): AnyActorRef[];
  stop(): void;
}

/** Every host actor from its start on; held weakly, so that none lives longer by being watched. */
function watchActors(): Actors {
  const started = new Set<WeakRef<AnyActorRef>>();
  // By hand: a mock of the runner would keep every call.
  const provide = hostMachine.provide;
  hostMachine.provide = (implementations) => {
    const machine = provide.call(hostMachine, implementations);
    const initial = machine.getInitialSnapshot.bind(machine);
    machine.getInitialSnapshot = (scope, input) => {
      started.add(new WeakRef(scope.self as AnyActorRef));
      return initial(scope, input);
    };
    return machine;
  };
  const running = () => {
    const alive: AnyActorRef[] = [];
    for (const reference of started) {
      const actor = reference.deref();
      if (actor?.getSnapshot().status === "active") alive.push(actor);
      else started.delete(reference);
    }
    return alive;
  };
  const stop = () => {
    hostMachine.provide = provide;
  };
  return { running, stop };
}

/**
 * No actor without a turn: those that run throughout a count of the turns are no more than these.
 */
async function expectTurns(crawl: TestCrawl, actors: Actors): Promise<number> {
  const before = actors.running();
  // A worker starved of its processor goes on under a new name: then there are turns of both.
  const { id } = crawl.crew.turns.heartbeat;
  const [row] = await crawl.database.sql`select count(*)::int as turns,
      count(*) filter (where turn_worker = ${id})::int as own
    from hosts where turn_token is not null`;
  const after = new Set(actors.running());
  const throughout = before.filter((actor) => after.has(actor)).length;
  expect(throughout).toBeLessThanOrEqual(row!.turns);
  expect(row!.own).toBeLessThanOrEqual(crawl.config.work.turns);
  return after.size;
}

async function startNameServer() {
  const script = tool("dns-double.ts");
  if (!script) return null;
  const zone = JSON.stringify({ ttl: 60, names: { "h#.test": "127.0.x.y" } });
  const child = Bun.spawn([process.execPath, script, "--port", "0", "--zone", zone], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  let said = "";
  for await (const bytes of child.stdout) {
    said += new TextDecoder().decode(bytes);
    if (/PORT=\d+\s/.test(said)) break;
  }
  return {
    port: Number(/PORT=(\d+)/.exec(said)![1]),
    stop: async () => {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}
