import { systemClock } from "../clock.ts";
import { readCounters } from "../db/counters.ts";
import { countTurns, countUrlsByState } from "../db/counts.ts";
import { nextTurnDue } from "../db/hosts.ts";
import {
  type Call,
  type Command,
  EXIT,
  type ExitCode,
  numberOption,
  UsageError,
} from "./command.ts";
import { openCarrier, type Parts, startBreaker, withParts } from "./parts.ts";
import { startCrew, startSchedule } from "./roles.ts";

const LOOK_MS = 250;
/** Turns end and begin with nothing due in between for a moment. */
const IDLE_LOOKS = 4;

export const crawlCommand: Command = {
  name: "crawl",
  usage: "--until-idle [--max-pages N] [--max-seconds N]",
  summary: "crawl in the foreground, stop when nothing is due",
  options: {
    "until-idle": { type: "boolean" },
    "max-pages": { type: "string" },
    "max-seconds": { type: "string" },
  },
  takes: [0, 0],
  async run(call): Promise<ExitCode> {
    if (!call.options["until-idle"]) {
      throw new UsageError("--until-idle is missing; to crawl for ever use: trawl start");
    }
    const pagesMax = numberOption(call, "max-pages", [1, 1e12]) ?? Number.POSITIVE_INFINITY;
    const secondsMax = numberOption(call, "max-seconds", [1, 1e9]) ?? Number.POSITIVE_INFINITY;
    return await withParts(call, async (parts) => {
      const backend = await openCarrier(call, parts);
      const breaker = startBreaker(call, parts, backend);
      await startCrew(call, parts, { backend, breaker, roles: ["crawl"] });
      await startSchedule(call, parts, { backend, breaker });
      const result = await untilIdle(call, parts, { pagesMax, secondsMax });
      call.answer(result, `${result.pages} pages in ${result.seconds} s: ${result.stopped}`);
      return EXIT.done;
    });
  },
};

interface CrawlResult {
  pages: number;
  seconds: number;
  stopped: "idle" | "pages" | "seconds" | "signal";
}

async function untilIdle(
  call: Call,
  { database }: Parts,
  limits: { pagesMax: number; secondsMax: number },
): Promise<CrawlResult> {
  const { db } = database;
  const began = performance.now();
  const crawled = async () => (await readCounters(db)).get("crawled") ?? 0;
  const before = await crawled();
  let idle = 0;
  for (;;) {
    const pages = (await crawled()) - before;
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    const end = (stopped: CrawlResult["stopped"]) => ({ pages, seconds, stopped });
    if (call.signal.aborted) return end("signal");
    if (pages >= limits.pagesMax) return end("pages");
    if (seconds >= limits.secondsMax) return end("seconds");
    progress(call, `${pages} pages, ${(pages / Math.max(seconds, 0.1)).toFixed(1)}/s`);
    idle = (await isIdle(db)) ? idle + 1 : 0;
    if (idle >= IDLE_LOOKS) return end("idle");
    await systemClock.sleep(LOOK_MS, call.signal);
  }
}

/** No turn runs, no host waits for one that is due, nothing is claimed. */
async function isIdle(db: Parts["database"]["db"]): Promise<boolean> {
  const [turns, next, counts] = await Promise.all([
    countTurns(db),
    nextTurnDue(db),
    countUrlsByState(db),
  ]);
  const isDue = next !== null && next.getTime() <= Date.now();
  return turns === 0 && !isDue && counts.in_progress === 0;
}

function progress(call: Call, line: string): void {
  if (call.json || !process.stderr.isTTY) return;
  process.stderr.write(`\r${line}\u001b[K`);
}
