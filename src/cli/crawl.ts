import { systemClock } from "../clock.ts";
import type { Breaker, PartName } from "../crawl/breaker.ts";
import { readCounters } from "../db/counters.ts";
import { countTurns, countUrlsByState } from "../db/counts.ts";
import { nextTurnDue } from "../db/hosts.ts";
import { isOutage } from "../db/store-errors.ts";
import { CARRIER_LOST, CarrierWatch } from "./carrier-watch.ts";
import {
  type Call,
  type Command,
  EXIT,
  type ExitCode,
  numberOption,
  UsageError,
} from "./command.ts";
import { whyNameless } from "./identity.ts";
import { openCarrier, type Parts, startBreaker, withParts } from "./parts.ts";
import { startCrew, startSchedule } from "./roles.ts";
import { withTurnsThatFit } from "./turns-fit.ts";

const LOOK_MS = 250;
const LOOK_MAX_MS = 5_000;
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
    const fitted = withTurnsThatFit(call, ["crawl"]);
    if (fitted === null) return EXIT.failed;
    return await withParts(call, async (parts) => {
      const backend = await openCarrier(call, parts);
      const breaker = startBreaker(call, parts, backend);
      await startCrew(fitted, parts, { backend, breaker, roles: ["crawl"] });
      await startSchedule(fitted, parts, { backend, breaker });
      const nameless = await whyNameless(call.config, parts.database.db);
      if (nameless !== null) call.note(nameless);
      const result = await untilIdle(call, parts, { breaker, pagesMax, secondsMax });
      if (result.stopped === "carrier") {
        call.complain(CARRIER_LOST);
        return EXIT.carrierLost;
      }
      call.answer(result, `${result.pages} pages in ${result.seconds} s: ${result.stopped}`);
      return EXIT.done;
    });
  },
};

interface CrawlResult {
  pages: number;
  seconds: number;
  stopped: "idle" | "pages" | "seconds" | "signal" | "carrier";
}

const PARKED: Readonly<Record<PartName, string>> = {
  postgres: "the store does not answer",
  carrier: "the carrier does not answer: see the server of REDIS_URL, or Postgres without one",
  index: "the index takes no pages",
  disk: "the disk has less free than DISK_MIN_FREE_MB",
};

async function untilIdle(
  call: Call,
  { database: { db } }: Parts,
  { breaker, pagesMax, secondsMax }: { breaker: Breaker; pagesMax: number; secondsMax: number },
): Promise<CrawlResult> {
  const carrier = new CarrierWatch(breaker, call.config.work.carrierGraceMs);
  const began = performance.now();
  let before: number | null = null;
  let pages = 0;
  let idle = 0;
  let parked: PartName | null = null;
  for (;;) {
    const seen = await look(db, breaker);
    before ??= seen?.crawled ?? null;
    if (seen !== null && before !== null) pages = seen.crawled - before;
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    const end = (stopped: CrawlResult["stopped"]) => ({ pages, seconds, stopped });
    if (call.signal.aborted) return end("signal");
    if (pages >= pagesMax) return end("pages");
    if (seconds >= secondsMax) return end("seconds");
    if (carrier.isLost()) return end("carrier");
    progress(call, `${pages} pages, ${(pages / Math.max(seconds, 0.1)).toFixed(1)}/s`);
    idle = seen?.isIdle ? idle + 1 : 0;
    if (idle >= IDLE_LOOKS) return end("idle");
    if (breaker.open !== parked) {
      parked = breaker.open;
      call.note(parked === null ? "going on" : `waiting: ${PARKED[parked]}`);
    }
    await systemClock.sleep(LOOK_MS, call.signal);
  }
}

/** Null: the store is away or takes too long; the crawl waits for it as for any part. */
async function look(
  db: Parts["database"]["db"],
  breaker: Breaker,
): Promise<{ crawled: number; isIdle: boolean } | null> {
  const over = new AbortController();
  const late = systemClock.sleep(LOOK_MAX_MS, over.signal).then(() => null);
  const reading = Promise.all([readCounters(db), isIdle(db)]);
  try {
    const read = await Promise.race([reading, late]);
    return read === null ? null : { crawled: read[0].get("crawled") ?? 0, isIdle: read[1] };
  } catch (error) {
    if (!isOutage(error)) throw error;
    breaker.trip("postgres", String(error));
    return null;
  } finally {
    over.abort();
    reading.catch(() => {});
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
