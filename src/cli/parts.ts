import { systemClock } from "../clock.ts";
import { Breaker } from "../crawl/breaker.ts";
import { createProbes } from "../crawl/probes.ts";
import type { Database } from "../db/connect.ts";
import { Lifecycle } from "../lifecycle.ts";
import type { Backend } from "../queue/backend.ts";
import { isIndexIn, openIndex } from "../search/open.ts";
import type { SearchIndex } from "../search/port.ts";
import { Waker } from "../waker.ts";
import { type Call, EXIT, type ExitCode } from "./command.ts";
import { ensureFolder, type Opened, openStore, type Say } from "./store.ts";

/** The parts of one process, opened in order; `lifecycle` closes them in reverse. */
export interface Parts {
  lifecycle: Lifecycle;
  database: Database;
  index: SearchIndex;
  waker: Waker;
}

/** Store and index: what every command needs. */
export async function openParts(call: Call, say: Say): Promise<Opened<Parts>> {
  const { config, log, signal } = call;
  const lifecycle = new Lifecycle(log);
  const store = await openStore({ config, log, lifecycle, signal }, say);
  if (store.kind === "failed") {
    await lifecycle.stop();
    return store;
  }
  const index = await openIndex({ dataDir: config.data.dir, log });
  lifecycle.add("index", () => index.close());
  const parts = { lifecycle, database: store.value, index, waker: new Waker() };
  return { kind: "open", value: parts };
}

/** What a signal does not end within this time is cut off by closing what it works with. */
const GIVE_UP_MS = 3_000;

/** Opens, works, and closes again whatever happened; a part that does not open is told, exit 1. */
export async function withParts(
  call: Call,
  work: (parts: Parts) => Promise<ExitCode>,
): Promise<ExitCode> {
  const opened = await openParts(call, (text, step) => {
    // Whoever is in the wrong folder would else take an empty database for the whole truth.
    if (step === "creating") call.note(text);
  });
  if (opened.kind === "failed") {
    call.complain(opened.message);
    return EXIT.failed;
  }
  return await untilGivenUp(call.signal, opened.value.lifecycle, work(opened.value));
}

/** The same for what looks at every part once. */
export function withLook(
  call: Call,
  work: (parts: Parts, breaker: Breaker) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withParts(call, async (parts) => {
    const breaker = startBreaker(call, parts, await openCarrier(call, parts));
    await breaker.looked();
    return await work(parts, breaker);
  });
}

/** The same for what needs nothing but the index: it can be searched without its store. */
export async function withIndex(
  call: Call,
  work: (index: SearchIndex) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { config, log } = call;
  const unusable = ensureFolder(config.data.dir);
  if (unusable) {
    call.complain(unusable.message);
    return EXIT.failed;
  }
  // As with a database: an empty index is not the whole truth.
  if (!isIndexIn(config.data.dir)) call.note(`Making an index in ${config.data.dir} (once) …`);
  const lifecycle = new Lifecycle(log);
  const index = await openIndex({ dataDir: config.data.dir, log });
  lifecycle.add("index", () => index.close());
  return await untilGivenUp(call.signal, lifecycle, work(index));
}

async function untilGivenUp(
  signal: AbortSignal,
  lifecycle: Lifecycle,
  work: Promise<ExitCode>,
): Promise<ExitCode> {
  const over = new AbortController();
  const givenUp = givenUpAfter(GIVE_UP_MS, signal, over.signal);
  try {
    return await Promise.race([work, givenUp]);
  } finally {
    over.abort();
    await lifecycle.stop();
  }
}

/** Resolves so long after `signal`. */
async function givenUpAfter(ms: number, signal: AbortSignal, over: AbortSignal): Promise<ExitCode> {
  await new Promise<void>((done) => {
    if (signal.aborted) done();
    signal.addEventListener("abort", () => done(), { once: true, signal: over });
  });
  await systemClock.sleep(ms, over);
  return EXIT.interrupted;
}

/** What an action of an operator works with. */
export function operateDeps(call: Call, { database, index, waker }: Parts) {
  return {
    db: database.db,
    index,
    config: call.config,
    clock: systemClock,
    random: Math.random,
    wake: () => waker.wake(),
  };
}

export async function openCarrier(call: Call, parts: Parts): Promise<Backend> {
  const { config, log } = call;
  // Most commands need no carrier, and its libraries take the longest to load.
  const { openBackend } = await import("../queue/backend.ts");
  const backend = await openBackend({
    redisUrl: config.redisUrl,
    databaseUrl: parts.database.url,
    log,
  });
  parts.lifecycle.add("carrier", () => backend.close());
  return backend;
}

export function startBreaker(call: Call, parts: Parts, backend: Backend): Breaker {
  const probes = createProbes({ ...parts, backend, config: call.config });
  const breaker = new Breaker(probes, systemClock, call.log);
  breaker.start();
  parts.lifecycle.add("breaker", () => breaker.stop());
  return breaker;
}
