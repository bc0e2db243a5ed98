import { countFullHosts } from "../db/admission-facts.ts";
import { ADMITTED, type Room } from "../db/admission-room.ts";
import type { Db } from "../db/connect.ts";
import { readCounters } from "../db/counters.ts";
import { countUrlsByState, type UrlCounts } from "../db/counts.ts";
import { countDocuments } from "../db/documents.ts";
import { countEnrichBacklog } from "../db/enrichment.ts";
import { type Percentiles, pagesPerSecond, timeToSearchable } from "../db/stats.ts";
import { freshWorkers, type WorkerRow } from "../db/workers.ts";
import { within } from "../deadline.ts";
import type { Model } from "../enrich/model.ts";
import { kept } from "../kept.ts";
import type { SearchIndex } from "../search/port.ts";
import { version } from "../version.ts";
import type { Breaker, Health } from "./breaker.ts";

type PartHealth = Exclude<Health, "low">;

/** GET /status and the command `status`. Counts are null while their part is down. */
export interface Status {
  version: string;
  uptime_s: number;
  parts: {
    postgres: PartHealth;
    carrier: PartHealth;
    index: PartHealth;
    ollama: "up" | "down" | "off";
    disk: "up" | "low";
  };
  crawl: {
    state: "running" | "parked" | "off";
    reason: "carrier" | "index" | "postgres" | "disk" | null;
  };
  urls: UrlCounts | null;
  /** URLs that were admitted, by origin, since the beginning. */
  admitted: Record<string, number> | null;
  /** Candidates that were not admitted, by reason, since the beginning. */
  refused: Record<string, number> | null;
  /** No more URLs are admitted: at all, or of so many hosts. */
  full: { frontier: boolean; hosts: number } | null;
  crawled: number | null;
  documents: number | null;
  indexed: number | null;
  enrich_backlog: number | null;
  pages_per_second: number | null;
  time_to_searchable_ms: Percentiles | null;
}

const RATE_WINDOW_S = 10;
const TIMES_WINDOW_S = 900;
const KEEP_MS = 500;
/** Percentiles of thousands of visits: they move slowly, and sorting them costs. */
const KEEP_TIMES_MS = 2_000;
/** A question to another server. */
const KEEP_MODEL_MS = 5_000;
/** A part that does not answer costs its figures, not the whole answer. */
const ANSWER_MS = 2_000;
/** A life sign that hangs is given up, and the next one comes. */
const SETTLE_MS = 10_000;
const NO_TIMES: Percentiles = { p50: 0, p95: 0, p99: 0 };

export function createStatus(deps: {
  db: Db;
  index: SearchIndex;
  breaker: Breaker;
  room: Room;
  /** Null: there is no language model. */
  model: Model | null;
  /** Milliseconds since this process started. */
  uptimeMs: () => number;
}): () => Promise<Status> {
  const { db, index, breaker } = deps;
  let outages = 0;
  breaker.onOpen(() => outages++);
  const keeping = { keepMs: KEEP_MS, era: () => `${outages} ${breaker.open}` };
  const figures = kept(() => readFigures(db, deps.room.frontierUrlsMax), keeping);
  const fullHosts = kept(() => countFullHosts(db, deps.room.hostUrlsMax), {
    ...keeping,
    keepMs: KEEP_TIMES_MS,
  });
  const indexed = kept(() => index.count(), keeping);
  const rate = kept(() => pagesPerSecond(db, RATE_WINDOW_S), keeping);
  const times = kept(async () => (await timeToSearchable(db, TIMES_WINDOW_S)) ?? NO_TIMES, {
    ...keeping,
    keepMs: KEEP_TIMES_MS,
  });
  // Changes with each page, and counts rows: no oftener than the times.
  const backlog = kept(() => countEnrichBacklog(db), { ...keeping, keepMs: KEEP_TIMES_MS });
  const model = kept(async () => (await deps.model?.health())?.kind ?? "off", {
    ...keeping,
    keepMs: KEEP_MODEL_MS,
  });
  const workers = kept(() => freshWorkers(db), keeping);
  const anyCrawls = crawlMemory(breaker);
  return async () => {
    const [stored, searchable, pages, took, living, full, waiting, told] = await Promise.all([
      orNull(figures()),
      orNull(indexed()),
      orNull(rate()),
      orNull(times()),
      orNull(workers()),
      orNull(fullHosts()),
      orNull(backlog()),
      orNull(model()),
    ]);
    const crawls = anyCrawls(living);
    const open = breaker.open;
    return {
      version,
      uptime_s: Math.round(deps.uptimeMs() / 1000),
      parts: partsOf(breaker, told === "up" || told === "off" ? told : "down"),
      crawl: { state: open ? "parked" : crawls ? "running" : "off", reason: open },
      urls: stored?.urls ?? null,
      admitted: stored?.admitted ?? null,
      refused: stored?.refused ?? null,
      full: full === null ? null : { frontier: stored?.isFull ?? false, hosts: full },
      crawled: stored?.crawled ?? null,
      documents: stored?.documents ?? null,
      indexed: searchable,
      enrich_backlog: waiting,
      pages_per_second: pages === null ? null : Math.round(pages * 10) / 10,
      time_to_searchable_ms: took === null ? null : rounded(took),
    };
  };
}

/**
 * Does any process crawl? While the store is away none can give a life sign: after it the last
 * answer holds until they have had the time for one.
 */
function crawlMemory(breaker: Breaker): (living: readonly WorkerRow[] | null) => boolean {
  let awayAt = Number.NEGATIVE_INFINITY;
  let last = true;
  breaker.onOpen(() => {
    awayAt = performance.now();
  });
  return (living) => {
    const now = performance.now();
    if (breaker.open) awayAt = now;
    if (living === null) return last;
    const crawls = living.some((worker) => worker.roles.includes("crawl"));
    if (crawls || now - awayAt > SETTLE_MS) last = crawls;
    return last;
  };
}

/** Of one moment: what is counted as crawled has its document among the documents. */
async function readFigures(db: Db, frontierUrlsMax: number) {
  const counters = await readCounters(db);
  const [urls, documents] = await Promise.all([countUrlsByState(db), countDocuments(db)]);
  const counted = (name: string) => counters.get(name) ?? 0;
  const isFull = counted("accepted") - counted("removed") >= frontierUrlsMax;
  const [admitted, refused] = [named(counters, ADMITTED), named(counters, "refused.")];
  return { crawled: counted("crawled"), urls, documents, isFull, admitted, refused };
}

/** Counters whose names begin so, by what follows. */
function named(counters: ReadonlyMap<string, number>, prefix: string): Record<string, number> {
  const names = [...counters.keys()].filter((name) => name.startsWith(prefix)).sort();
  return Object.fromEntries(
    names.map((name) => [name.slice(prefix.length), counters.get(name) ?? 0]),
  );
}

function partsOf(breaker: Breaker, ollama: Status["parts"]["ollama"]): Status["parts"] {
  const health = (part: "postgres" | "carrier" | "index") => breaker.health(part) as PartHealth;
  return {
    postgres: health("postgres"),
    carrier: health("carrier"),
    index: health("index"),
    ollama,
    disk: breaker.health("disk") === "up" ? "up" : "low",
  };
}

function rounded({ p50, p95, p99 }: Percentiles): Percentiles {
  return { p50: Math.round(p50), p95: Math.round(p95), p99: Math.round(p99) };
}

const orNull = <T>(answer: Promise<T>): Promise<T | null> =>
  within(ANSWER_MS, answer).catch(() => null);
