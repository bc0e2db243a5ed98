import { hostname } from "node:os";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import { freeAddresses, wantedAddresses } from "../db/addresses.ts";
import type { Db } from "../db/connect.ts";
import { increment } from "../db/counters.ts";
import { countRefusals } from "../db/host-refusals.ts";
import { beat, forgetWorker } from "../db/workers.ts";
import { createFetchClient } from "../fetch/client.ts";
import { FETCH_DEFAULTS, IDLE_PER_TURN } from "../fetch/options.ts";
import { createResolver } from "../fetch/resolve.ts";
import { causeFirst, type Log } from "../log.ts";
import type { PackedResult } from "../parse/packed.ts";
import type { ParseRequest } from "../parse/parsed.ts";
import type { SitemapPiece, SitemapRequest } from "../parse/sitemap.ts";
import type { SearchIndex } from "../search/port.ts";
import { createThreads } from "../threads.ts";
import { Heartbeat, LEASE_TTL_MS } from "../visit/heartbeat.ts";
import { RobotsGate } from "../visit/robots.ts";
import { AddressSlots } from "../visit/slots.ts";
import { allowedCidrs } from "./allowed-cidrs.ts";
import { askRobots } from "./ask-robots.ts";
import { addressBatcher, robotsBatchers, turnBatchers } from "./batchers.ts";
import type { Breaker } from "./breaker.ts";
import type { CrawlDeps } from "./deps.ts";
import { Refusals } from "./discover.ts";
import { LinkedPairs } from "./linked-pairs.ts";
import { OwnCookies } from "./own-cookies.ts";
import { Pipeline } from "./pipeline.ts";
import { Places } from "./places.ts";
import { PolicyCache } from "./policy.ts";
import { THIS_PROCESS } from "./process-life.ts";
import { SeenKeys } from "./seen.ts";
import { Settler } from "./settle.ts";
import { SitemapFinds } from "./sitemap-finds.ts";
import { Traps } from "./traps.ts";

const PARSE_BUDGET_MS = 2_000;
const PARSE_QUEUE_MAX = 4_096;
const REFUSALS_EVERY_MS = 5_000;
/** Sitemaps that are read at once. */
const READINGS_MAX = 8;
const SLOW_READINGS_MAX = 56;

export interface CrewDeps {
  db: Db;
  config: Config;
  clock: Clock;
  log: Log;
  index: SearchIndex;
  breaker: Breaker;
  roles: readonly string[];
  wake: () => void;
}

/** Everything that host turns of one process share, with its life. */
export class Crew {
  readonly turns: CrawlDeps;
  readonly #deps: CrewDeps;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(deps: CrewDeps) {
    this.#deps = deps;
    this.turns = buildDeps(deps);
  }

  async start(): Promise<void> {
    await this.turns.heartbeat.start();
    await this.turns.policy.start();
    this.turns.slots.start();
    this.turns.threads.warm();
    this.#timer = setInterval(() => void this.#countRefusals(), REFUSALS_EVERY_MS);
  }

  /** After the turns are over: what they handed in is written, then every lease is given back. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const { settler, finds, policy, slots, threads, client, heartbeat } = this.turns;
    const steps = [
      () => settler.drain(),
      () => finds.drain(),
      () => this.#countRefusals(),
      () => policy.stop(),
      () => slots.stop(),
      () => threads.close(),
      () => client.close(),
      () => heartbeat.stop(),
      () => forgetWorker(this.#deps.db, heartbeat.id),
    ];
    // A store that is away fails some of them: the others must come all the same.
    for (const step of steps) {
      await step().catch((error) =>
        this.#deps.log.warn("crew.stop_failed", { error: causeFirst(error) }),
      );
    }
  }

  async #countRefusals(): Promise<void> {
    const { db, log } = this.#deps;
    const amounts = this.turns.refusals.take();
    const byHost = this.turns.refusals.takeByHost();
    if (Object.keys(amounts).length === 0) return;
    try {
      await increment(db, amounts);
      await countRefusals(db, byHost);
    } catch (error) {
      log.warn("counters.lost", { error: causeFirst(error) });
    }
  }
}

function buildDeps(deps: CrewDeps): CrawlDeps {
  const { db, config, clock, log, breaker, wake } = deps;
  const own = { hostname: hostname(), pid: process.pid, report: THIS_PROCESS };
  const worker = { ...own, roles: [...deps.roles] };
  const heartbeat = new Heartbeat((id) => beat(db, { id, ...worker }, LEASE_TTL_MS), clock, log);
  const resolver = createResolver({
    servers: config.fetch.dnsServers,
    clock,
    // A name that did not resolve is asked again then: the old no must be gone.
    negativeMaxMs: Math.min(config.work.retryBaseMs, 60_000),
  });
  const client = createFetchClient({
    ...FETCH_DEFAULTS,
    idleMax: Math.min(FETCH_DEFAULTS.idleMax, IDLE_PER_TURN * config.work.turns),
    userAgent: config.userAgent,
    resolver,
    allowCidrs: allowedCidrs(config),
    clock,
    log,
  });
  const slots = addressSlots(deps, heartbeat);
  const met = { seen: new SeenKeys(), pairs: new LinkedPairs(clock), refusals: new Refusals() };
  const removed = () => {
    for (const each of [met.seen, met.pairs, finds]) each.clear();
  };
  const traps = new Traps();
  const policy = new PolicyCache({ db, config, clock, log, traps, removed });
  const finds = new SitemapFinds({ db, room: config.scope, policy, log, wake });
  return {
    db,
    config,
    clock,
    log,
    random: Math.random,
    heartbeat,
    slots,
    robots: robotsGate({ db, config, clock, client, slots }),
    client,
    resolver,
    threads: createThreads<ParseRequest | SitemapRequest, PackedResult | SitemapPiece>({
      url: new URL("../parse/thread.ts", import.meta.url),
      size: config.work.parseThreads,
      budgetMs: PARSE_BUDGET_MS,
      queueMax: PARSE_QUEUE_MAX,
      ...(config.region && { given: config.region }),
      clock,
      log,
    }),
    index: deps.index,
    breaker,
    pipeline: new Pipeline(config.work.parseThreads),
    policy,
    traps,
    ...met,
    cookies: new OwnCookies(),
    finds,
    readings: new Places(READINGS_MAX),
    slowReadings: new Places(SLOW_READINGS_MAX),
    settler: new Settler({ db, clock, room: config.scope, ...met, breaker, wake, log }),
    ...turnBatchers(db),
    wake,
  };
}

/** Remembers what it has read by the clock, for as long as that may be. */
export function robotsGate({
  db,
  config,
  clock,
  client,
  slots,
}: Pick<CrawlDeps, "db" | "config" | "clock" | "client" | "slots">): RobotsGate {
  const { reads, saves } = robotsBatchers(db);
  return new RobotsGate({
    store: {
      read: (authority) => reads.add(authority),
      save: async (row) => void (await saves.add(row)),
    },
    ask: askRobots({ client, slots, timeoutMs: config.fetch.timeoutMs }),
    token: config.robotsToken,
    clock,
  });
}

function addressSlots({ db, config, clock, log }: CrewDeps, heartbeat: Heartbeat): AddressSlots {
  const { ipDelayMs } = config.politeness;
  const takes = addressBatcher(db, ipDelayMs);
  return new AddressSlots({
    store: {
      take: (address, workerId) => takes.add({ address, workerId }),
      wanted: (workerId) => wantedAddresses(db, workerId),
      free: (workerId, addresses) => freeAddresses(db, workerId, addresses),
    },
    heartbeat,
    limits: () => config.politeness,
    clock,
    log,
  });
}
