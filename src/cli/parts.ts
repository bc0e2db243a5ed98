import { systemClock } from "../clock.ts";
import { Breaker } from "../crawl/breaker.ts";
import { createProbes } from "../crawl/probes.ts";
import type { Database } from "../db/connect.ts";
import { Lifecycle } from "../lifecycle.ts";
import { type Backend, openBackend } from "../queue/backend.ts";
import { openIndex } from "../search/open.ts";
import type { SearchIndex } from "../search/port.ts";
import { Waker } from "../waker.ts";
import type { Call } from "./command.ts";
import { type Opened, openStore } from "./store.ts";

/** The parts of one process, opened in order; `lifecycle` closes them in reverse. */
export interface Parts {
  lifecycle: Lifecycle;
  database: Database;
  index: SearchIndex;
  waker: Waker;
}

/** Store and index: what every command needs. */
export async function openParts(
  call: Call,
  say: (text: string) => void = () => {},
): Promise<Opened<Parts>> {
  const { config, log } = call;
  const lifecycle = new Lifecycle(log);
  const store = await openStore({ config, log, lifecycle }, say);
  if (store.kind === "failed") {
    await lifecycle.stop();
    return store;
  }
  const index = await openIndex({ dataDir: config.data.dir, log });
  lifecycle.add("index", () => index.close());
  const parts = { lifecycle, database: store.value, index, waker: new Waker() };
  return { kind: "open", value: parts };
}

/** Opens, works, and closes again whatever happened; a part that does not open is told, exit 1. */
export async function withParts<T>(call: Call, work: (parts: Parts) => Promise<T>): Promise<T | 1> {
  const opened = await openParts(call);
  if (opened.kind === "failed") {
    call.complain(opened.message);
    return 1;
  }
  try {
    return await work(opened.value);
  } finally {
    await opened.value.lifecycle.stop();
  }
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
