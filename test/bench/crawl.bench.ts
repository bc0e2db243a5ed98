/**
 * A whole crawl as a user runs it: embedded parts, robots obeyed, index and history written, no
 * delay, one request a host at a time. Prints one JSON object: speed, CPU of all processes of the
 * program, peak memory (PSS), time to searchable, lag of the event loop over the last minute.
 *
 *   bun run bench crawl [--hosts 50] [--pages 200] [--links 30] [--kb 12] [--max 5000]
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loopLagOf } from "../support/loop-lag.ts";
import { Program, processesOf } from "../support/program.ts";
import { startSite } from "../support/site.ts";

const { values } = parseArgs({
  options: {
    hosts: { type: "string", default: "50" },
    pages: { type: "string", default: "200" },
    links: { type: "string", default: "30" },
    kb: { type: "string", default: "12" },
    max: { type: "string", default: "5000" },
  },
});
const size = {
  hosts: Number(values.hosts),
  pages: Number(values.pages),
  links: Number(values.links),
  kb: Number(values.kb),
};
const wanted = Math.min(Number(values.max), size.hosts * size.pages);
const TICKS_PER_S = 100;

interface Status {
  crawled: number;
  time_to_searchable_ms: { p50: number; p95: number; p99: number };
}

const site = await startSite({ ...size, warm: true });
if (!site) throw new Error("the synthetic site is not there (see test/README.md)");
const program = new Program({
  env: { CRAWL_DELAY_MS: "0", FETCH_ALLOW_CIDRS: "127.0.0.0/8", LOG_LEVEL: "warn" },
});
await program.start();
const processes = () => [program.pid, ...processesOf(program.dataDir)];
const cpuBefore = cpuSeconds(processes());
const seeds = join(program.dataDir, "seeds.txt");
writeFileSync(seeds, Array.from({ length: size.hosts }, (_, h) => site.page(h)).join("\n"));
const began = performance.now();
await program.run("seed", seeds);
let peakMb = 0;
let peakProgramMb = 0;
let status: Status;
for (;;) {
  status = await program.api<Status>("/status");
  peakProgramMb = Math.max(peakProgramMb, pssMb([program.pid]));
  peakMb = Math.max(peakMb, pssMb(processes()));
  if (status.crawled >= wanted) break;
  if (performance.now() - began > 600_000) throw new Error(`only ${status.crawled} pages in 600 s`);
  await Bun.sleep(200);
}
const seconds = (performance.now() - began) / 1000;
const cpu = cpuSeconds(processes()) - cpuBefore;
const lag = await loopLagOf(program);
console.log(
  JSON.stringify({
    peer: "trawl",
    pages: status.crawled,
    seconds: round(seconds, 2),
    pages_per_second: round(status.crawled / seconds, 1),
    cpu_seconds: round(cpu, 2),
    pages_per_cpu_second: round(status.crawled / cpu, 1),
    peak_mb: Math.round(peakMb),
    peak_program_mb: Math.round(peakProgramMb),
    time_to_searchable_ms: status.time_to_searchable_ms,
    event_loop_lag_ms: { p50: lag.p50Ms, p99: lag.p99Ms, max: lag.maxMs },
  }),
);
await program.stop();
await site.stop();

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** User and system time of living processes and of their children that have ended. */
function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      for (const field of fields.slice(11, 15)) ticks += Number(field);
    } catch {
      // It ended while we looked.
    }
  }
  return ticks / TICKS_PER_S;
}

/** RSS would count memory that processes share once for each. */
function pssMb(pids: readonly number[]): number {
  let kb = 0;
  for (const pid of pids) {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
      kb += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    } catch {
      // It ended while we looked.
    }
  }
  return kb / 1024;
}
