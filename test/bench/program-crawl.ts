import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/db/connect.ts";
import { readCounters } from "../../src/db/counters.ts";
import { startEmbedded } from "../../src/db/embedded.ts";
import { silentLog } from "../../src/log.ts";
import { loopLagOf } from "../support/loop-lag.ts";
import { Program, processesOf } from "../support/program.ts";
import type { Site } from "../support/site.ts";
import { until } from "../support/until.ts";
import { type CrawlSize, frontPages } from "./bench-site.ts";
import { round } from "./figures.ts";
import { cpuSeconds, pssMb } from "./process-usage.ts";

export interface CrawlOptions {
  size: CrawlSize;
  /** What the program finds when it starts; removed at the end. */
  dataDir?: string;
  /** A mark at every so many pages. */
  markEvery?: number;
  /** Asks something of the program while it crawls. */
  beside?: (program: Program) => Beside;
}

export interface Beside {
  stop(): Promise<void>;
}

/** How things stood when so many pages were done. */
export interface Mark {
  pages: number;
  seconds: number;
  cpu_seconds: number;
  program_mb: number;
  all_mb: number;
}

const LOOK_MS = 50;
const MEMORY_EVERY_MS = 500;
const STALLED_MS = 60_000;

/**
 * A crawl by a freshly started program, as a user runs it: embedded parts, robots obeyed, index and
 * history written, no delay, one request a host at a time. The clock runs from the first request
 * that the site sees to the moment the store counts `max` pages as crawled: searchable by then.
 */
export async function crawlWithProgram(site: Site, options: CrawlOptions) {
  const { size, dataDir } = options;
  const program = new Program({
    env: { CRAWL_DELAY_MS: "0", FETCH_ALLOW_CIDRS: "127.0.0.0/8", LOG_LEVEL: "warn" },
    ...(dataDir === undefined ? {} : { dataDir }),
  });
  try {
    // What was written before would be written now, and each commit of ours wait for it.
    await Bun.spawn(["sync"]).exited;
    await program.start();
    const store = await openStore(program.dataDir, size.htmlDir !== undefined);
    try {
      await site.reset();
      const seeding = seed(program, frontPages(site, size));
      await until(async () => (await site.stats()).requests > 0, {
        timeoutMs: 60_000,
        everyMs: 5,
        what: "the first request",
      });
      const watched = await watch(program, site, store, options);
      await seeding;
      return { ...watched, ...(await lastFigures(program, site)) };
    } finally {
      await store.close();
    }
  } finally {
    await program.stop();
  }
}

async function seed(program: Program, urls: readonly string[]): Promise<void> {
  const file = join(program.dataDir, "seeds.txt");
  writeFileSync(file, urls.join("\n"));
  const { code, err } = await program.run("seed", file);
  if (code !== 0) throw new Error(`seed ended with ${code}: ${err}`);
}

interface Store {
  /** /status keeps its figures for a while: too old for a clock. */
  crawled(): Promise<number>;
  close(): Promise<void>;
}

/** `repeats`: of real pages many have the same main text; only their rows count them. */
async function openStore(dataDir: string, repeats: boolean): Promise<Store> {
  const embedded = await startEmbedded({ dataDir, log: silentLog });
  if (embedded.kind !== "running") throw new Error(embedded.message);
  const database = await openDatabase({ url: embedded.url, max: 1 });
  return {
    crawled: async () => {
      if (!repeats) return (await readCounters(database.db)).get("crawled") ?? 0;
      const [row] = await database.sql`select count(*)::int as n from urls where visits > 0`;
      return row!.n as number;
    },
    close: async () => {
      await database.close();
      await embedded.stop();
    },
  };
}

async function watch(program: Program, site: Site, store: Store, options: CrawlOptions) {
  const { size, markEvery = size.max, beside } = options;
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1_000;
  const processes = () => [program.pid, ...processesOf(program.dataDir)];
  const [cpuBefore, siteBefore] = [cpuSeconds(processes()), cpuSeconds([site.pid])];
  const peak = { program: 0, all: 0 };
  const look = () => {
    const now = { program: pssMb([program.pid]), all: pssMb(processes()) };
    peak.program = Math.max(peak.program, now.program);
    peak.all = Math.max(peak.all, now.all);
    return now;
  };
  const sampling = setInterval(look, MEMORY_EVERY_MS);
  const other = beside?.(program);
  const marks: Mark[] = [];
  let [pages, movedAt] = [0, performance.now()];
  try {
    while (pages < size.max) {
      const crawled = await store.crawled();
      if (crawled > pages) [pages, movedAt] = [crawled, performance.now()];
      if (pages >= Math.min(size.max, (marks.length + 1) * markEvery)) {
        const [seconds, memory] = [elapsed(), look()];
        const cpu = cpuSeconds(processes()) - cpuBefore;
        marks.push(markOf(pages, seconds, cpu, memory));
      } else await Bun.sleep(LOOK_MS);
      if (performance.now() - movedAt < STALLED_MS) continue;
      throw new Error(`it stands still at ${pages} pages:\n${program.output.slice(-4_000)}`);
    }
  } finally {
    clearInterval(sampling);
    await other?.stop();
  }
  const { seconds, cpu_seconds: cpu } = marks.at(-1)!;
  return {
    pages,
    seconds,
    pages_per_second: round(pages / seconds, 1),
    cpu_seconds: cpu,
    pages_per_cpu_second: round(pages / cpu, 1),
    peak_mb: Math.round(peak.all),
    peak_program_mb: Math.round(peak.program),
    site_cpu_share: round((cpuSeconds([site.pid]) - siteBefore) / elapsed(), 2),
    marks,
  };
}

function markOf(
  pages: number,
  seconds: number,
  cpu: number,
  memory: { program: number; all: number },
): Mark {
  return {
    pages,
    seconds: round(seconds, 2),
    cpu_seconds: round(cpu, 2),
    program_mb: Math.round(memory.program),
    all_mb: Math.round(memory.all),
  };
}

interface Times {
  p50: number;
  p95: number;
  p99: number;
}

async function lastFigures(program: Program, site: Site) {
  const status = await program.api<{ time_to_searchable_ms: Times | null }>("/status");
  const lag = await loopLagOf(program);
  return {
    most_in_flight_per_host: (await site.stats()).maxInFlightPerHost,
    time_to_searchable_ms: status.time_to_searchable_ms,
    event_loop_lag_ms: { p50: lag.p50Ms, p99: lag.p99Ms, max: lag.maxMs },
  };
}
