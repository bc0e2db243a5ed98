import type { Clock } from "../clock.ts";
import { within } from "../deadline.ts";
import { causeFirst, type Log } from "../log.ts";

/** How long after its last heartbeat a worker's leases are dead. */
export const LEASE_TTL_MS = 4_000;
const BEAT_EVERY_MS = 800;
const WATCH_EVERY_MS = 250;
/** A worker stops trusting its leases this much earlier than others do. */
const MARGIN_MS = 500;

/** Written once a beat; `lost` when the store had given this worker up, or never knew it. */
export type Beat = (workerId: string) => Promise<{ lost: boolean }>;

/**
 * The life sign that keeps every lease of this process: host turns and addresses. A process that
 * was frozen, or could not reach the store, is not fresh, and must not send a request; when it is
 * back it goes on under a new id, since its old leases may have been taken over.
 */
export class Heartbeat {
  #id: string = crypto.randomUUID();
  #beatAt = Number.NEGATIVE_INFINITY;
  #known = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setInterval> | undefined;
  #beating: Promise<void> = Promise.resolve();
  readonly #listeners = new Set<(lostId: string) => void>();
  readonly #beat: Beat;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(beat: Beat, clock: Clock, log: Log) {
    this.#beat = beat;
    this.#clock = clock;
    this.#log = log;
  }

  get id(): string {
    return this.#id;
  }

  /** May a lease of `workerId` still be used for a request that starts now? */
  isFresh(workerId: string = this.#id): boolean {
    return workerId === this.#id && this.#clock.now() - this.#beatAt < LEASE_TTL_MS - MARGIN_MS;
  }

  /** Tells when leases are lost; returns how to stop listening. */
  onLost(listener: (lostId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async start(): Promise<void> {
    await this.#once();
    // Beside the beats: one that hangs must not hide that the leases are over.
    this.#watch = setInterval(() => this.#checkAge(), WATCH_EVERY_MS);
    const again = () => {
      this.#timer = setTimeout(() => {
        this.#beating = this.#onceInTime().catch((error) =>
          this.#log.warn("heartbeat.failed", { error: causeFirst(error) }),
        );
        void this.#beating.finally(() => this.#timer && again());
      }, BEAT_EVERY_MS);
    };
    again();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    this.#timer = undefined;
    this.#listeners.clear();
    await this.#beating;
  }

  /** A beat whose connection hangs is left to itself: the next one may find a better one. */
  async #onceInTime(): Promise<void> {
    await within(LEASE_TTL_MS, this.#once());
  }

  async #once(): Promise<void> {
    this.#checkAge();
    const id = this.#id;
    const sentAt = this.#clock.now();
    const { lost } = await this.#beat(id);
    // Who was not fresh for a moment has ended its turns by now, whatever this answer says.
    this.#checkAge();
    if (id !== this.#id) return;
    if (lost && this.#known) return this.#renew("given up by the store");
    this.#known = true;
    // Counted from before the round trip: the store can only have written it later.
    this.#beatAt = sentAt;
  }

  /** A beat that comes too late finds the leases dead, whatever the store says. */
  #checkAge(): void {
    if (!this.#known || this.#clock.now() - this.#beatAt < LEASE_TTL_MS - MARGIN_MS) return;
    this.#renew("frozen or out of touch");
  }

  #renew(why: string): void {
    const lostId = this.#id;
    this.#id = crypto.randomUUID();
    this.#known = false;
    this.#beatAt = Number.NEGATIVE_INFINITY;
    this.#log.warn("lease.lost", { worker: lostId, why });
    for (const listener of this.#listeners) listener(lostId);
  }
}
