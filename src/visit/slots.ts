import type { Clock } from "../clock.ts";
import type { Slot } from "../fetch/outcome.ts";
import { causeFirst, type Log } from "../log.ts";
import { AddressLine, type SlotLimits } from "./address-line.ts";
import type { Heartbeat } from "./heartbeat.ts";

/** The store's side of address leases; see db/addresses.ts. */
export interface AddressStore {
  take(
    address: string,
    workerId: string,
  ): Promise<{ kind: "held"; startsAt: Date } | { kind: "wanted" }>;
  /** Addresses of this worker that another one asks for. */
  wanted(workerId: string): Promise<string[]>;
  free(workerId: string, addresses: { address: string; nextStartAt: Date }[]): Promise<void>;
}

/** Longest wait for a slot; beyond it the URL is released and the host comes again later. */
const WAIT_MAX_MS = 12_000;
const IDLE_FREE_MS = 10_000;
const TEND_EVERY_MS = 500;
const ADDRESSES_MAX = 100_000;

/**
 * Politeness by address for all hosts behind it. A worker leases an address from the store, then
 * spaces its starts by its own clock: one round trip an address, not one a request. The lease lives
 * as long as the worker's heartbeat; who takes over a dead one waits a full delay first.
 */
export class AddressSlots {
  readonly #lines = new Map<string, AddressLine>();
  readonly #taking = new Map<string, Promise<AddressLine | null>>();
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #store: AddressStore;
  readonly #heartbeat: Heartbeat;
  readonly #limits: (address: string) => SlotLimits;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(deps: {
    store: AddressStore;
    heartbeat: Heartbeat;
    limits: (address: string) => SlotLimits;
    clock: Clock;
    log: Log;
  }) {
    this.#store = deps.store;
    this.#heartbeat = deps.heartbeat;
    this.#limits = deps.limits;
    this.#clock = deps.clock;
    this.#log = deps.log;
  }

  start(): void {
    this.#heartbeat.onLost(() => this.#drop());
    this.#timer = setInterval(() => {
      this.#tend().catch((error) =>
        this.#log.warn("slots.tend_failed", { error: causeFirst(error) }),
      );
    }, TEND_EVERY_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const held = [...this.#lines].map(([address, line]) => freed(address, line));
    this.#drop();
    if (held.length > 0) await this.#store.free(this.#heartbeat.id, held);
  }

  /** The right to one request, or null when there is none to be had within the wait. */
  async acquire(address: string, signal?: AbortSignal): Promise<Slot | null> {
    const line = this.#lines.get(address) ?? (await this.#take(address));
    return line ? await line.enter(WAIT_MAX_MS, signal) : null;
  }

  /** One question to the store an address, however many ask. */
  #take(address: string): Promise<AddressLine | null> {
    let taking = this.#taking.get(address);
    if (!taking) {
      taking = this.#takeOnce(address).finally(() => this.#taking.delete(address));
      this.#taking.set(address, taking);
    }
    return taking;
  }

  async #takeOnce(address: string): Promise<AddressLine | null> {
    if (this.#lines.size >= ADDRESSES_MAX) return null;
    const workerId = this.#heartbeat.id;
    const taken = await this.#store.take(address, workerId);
    if (taken.kind === "wanted" || workerId !== this.#heartbeat.id) return null;
    const mayStart = () => this.#heartbeat.isFresh(workerId);
    const startsAt = taken.startsAt.getTime();
    const line = new AddressLine(startsAt, this.#limits(address), mayStart, this.#clock);
    this.#lines.set(address, line);
    return line;
  }

  /** Gives back what is idle, and what another worker asks for as soon as it is at rest. */
  async #tend(): Promise<void> {
    if (this.#lines.size === 0) return;
    const wanted = new Set(await this.#store.wanted(this.#heartbeat.id));
    const now = this.#clock.now();
    const free: { address: string; nextStartAt: Date }[] = [];
    for (const [address, line] of this.#lines) {
      if (wanted.has(address)) line.close();
      const due = wanted.has(address) || now - line.usedAt > IDLE_FREE_MS;
      if (!line.idle || !due) continue;
      line.close();
      this.#lines.delete(address);
      free.push(freed(address, line));
    }
    if (free.length > 0) await this.#store.free(this.#heartbeat.id, free);
  }

  #drop(): void {
    for (const line of this.#lines.values()) line.close();
    this.#lines.clear();
  }
}

function freed(address: string, line: AddressLine): { address: string; nextStartAt: Date } {
  return { address, nextStartAt: new Date(line.nextStartAt) };
}
