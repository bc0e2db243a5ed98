import type { Clock } from "../clock.ts";
import type { Slot } from "../fetch/outcome.ts";

export interface SlotLimits {
  /** Starts at one address are at least this far apart. */
  ipDelayMs: number;
  /** Requests in flight at one address. */
  ipConcurrency: number;
}

interface Waiter {
  admit(slot: Slot | null): void;
  gone: boolean;
}

/**
 * A start counts from the moment its request is sent; one that never is stops counting after this.
 */
const SEND_WAIT_MS = 2_000;
/** An answer within this part of the delay moves the next start: only it proves the arrival. */
const PROMPT = 0.5;

/** Who waits to ask one address, first come first served, let in by one usher. */
export class AddressLine {
  usedAt: number;
  #nextStartAt: number;
  #inFlight = 0;
  #closed = false;
  #ushering = false;
  #wakeUsher: () => void = () => {};
  readonly #line: Waiter[] = [];
  readonly #limits: SlotLimits;
  readonly #mayStart: () => boolean;
  readonly #clock: Clock;

  constructor(nextStartAt: number, limits: SlotLimits, mayStart: () => boolean, clock: Clock) {
    this.#nextStartAt = nextStartAt;
    this.#limits = limits;
    this.#mayStart = mayStart;
    this.#clock = clock;
    this.usedAt = clock.now();
  }

  get nextStartAt(): number {
    return this.#nextStartAt;
  }

  get idle(): boolean {
    return this.#inFlight === 0 && this.#line.length === 0;
  }

  /** Lets nobody in any more; those in flight end by themselves. */
  close(): void {
    this.#closed = true;
    for (const waiter of this.#line.splice(0)) waiter.admit(null);
    this.#wakeUsher();
  }

  /** A slot within `waitMs`, or null. */
  async enter(waitMs: number, signal?: AbortSignal): Promise<Slot | null> {
    const { ipDelayMs } = this.#limits;
    const hopeless = ipDelayMs > 0 && this.#line.length * ipDelayMs >= waitMs;
    if (this.#closed || signal?.aborted || hopeless) return null;
    return await new Promise<Slot | null>((done) => {
      const leave = () => waiter.admit(null);
      const waiter: Waiter = {
        gone: false,
        admit: (slot) => {
          if (waiter.gone) return slot?.release();
          waiter.gone = true;
          clearTimeout(timer);
          signal?.removeEventListener("abort", leave);
          done(slot);
        },
      };
      const timer = setTimeout(leave, waitMs);
      signal?.addEventListener("abort", leave, { once: true });
      this.#line.push(waiter);
      if (!this.#ushering) void this.#usher();
    });
  }

  async #usher(): Promise<void> {
    this.#ushering = true;
    while (this.#line.length > 0 && !this.#closed) {
      const now = this.#clock.now();
      if (this.#line[0]!.gone) this.#line.shift();
      else if (this.#inFlight >= this.#limits.ipConcurrency) await this.#woken();
      else if (now < this.#nextStartAt) await this.#clock.sleep(this.#nextStartAt - now);
      else await this.#admit(this.#line.shift()!);
    }
    this.#ushering = false;
  }

  #woken(): Promise<void> {
    return new Promise((done) => {
      this.#wakeUsher = done;
    });
  }

  async #admit(waiter: Waiter): Promise<void> {
    if (!this.#mayStart()) return waiter.admit(null);
    let left: () => void = () => {};
    const sentOrOver = new Promise<void>((done) => {
      left = done;
    });
    this.#inFlight++;
    this.#stamp();
    waiter.admit(this.#slot(left));
    if (this.#limits.ipDelayMs === 0) return;
    const timeout = new AbortController();
    await Promise.race([sentOrOver, this.#clock.sleep(SEND_WAIT_MS, timeout.signal)]);
    timeout.abort();
  }

  /**
   * A start counts from when its request was sent, or, when the answer is prompt, from the answer:
   * a request may take longer to arrive than the one after it, and only the answer proves that it
   * did.
   */
  #slot(left: () => void): Slot {
    let sentAt = this.#clock.now();
    let released = false;
    return {
      mayStart: this.#mayStart,
      sent: () => {
        sentAt = this.#clock.now();
        this.#stamp();
        left();
      },
      release: () => {
        if (released) return;
        released = true;
        this.#inFlight--;
        const tookMs = this.#clock.now() - sentAt;
        if (tookMs <= this.#limits.ipDelayMs * PROMPT) this.#stamp();
        this.usedAt = this.#clock.now();
        left();
        this.#wakeUsher();
      },
    };
  }

  #stamp(): void {
    this.usedAt = this.#clock.now();
    this.#nextStartAt = Math.max(this.#nextStartAt, this.usedAt + this.#limits.ipDelayMs);
  }
}
