import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";

export type ThreadResult<Value> =
  | { kind: "done"; value: Value }
  /** `budget`: it ran too long, its thread was ended; `crash`: it threw, or ended its thread. */
  | { kind: "killed"; why: "budget" | "crash"; detail: string }
  /** Not done, and nothing is said against it: no place in the queue, aborted, or pool closed. */
  | { kind: "full" };

export interface ThreadOptions {
  /**
   * Entry of the thread. It gets `{ id, request }` and answers `{ id, value }` or `{ id, error }`,
   * in order; once, when it has loaded, it says `{ ready: true }`.
   */
  url: URL;
  size: number;
  /** Said to each thread before anything else, as `{ given }`; unset: nothing. */
  given?: unknown;
  /** Running time of one request, waiting not counted. */
  budgetMs: number;
  /** Requests that may wait for a thread, at least 1. */
  queueMax: number;
  clock: Clock;
  log: Log;
}

export interface Threads<Request, Value> {
  readonly size: number;
  /** `transfer`: buffers of the request, which the caller then no longer owns. */
  run(
    request: Request,
    transfer?: readonly ArrayBuffer[],
    signal?: AbortSignal,
  ): Promise<ThreadResult<Value>>;
  /** Starts all threads now, so that the first request need not wait for one to load. */
  warm(): void;
  /** Ends the threads; what still waited or ran resolves as `full`. */
  close(): Promise<void>;
}

/**
 * Threads that a request cannot take with it: each is ended when its request runs over the budget,
 * and replaced. Each holds the request it runs and some ahead, so that it need not wait for a busy
 * main thread; those that were ahead of a bad request are run again elsewhere. Started when first
 * needed, or by `warm`.
 */
export function createThreads<Request, Value>(options: ThreadOptions): Threads<Request, Value> {
  return new Pool<Request, Value>(options);
}

interface Job<Request, Value> {
  readonly id: number;
  readonly request: Request;
  readonly transfer: readonly ArrayBuffer[];
  /** Threads that died under it before they had even loaded. */
  falseStarts: number;
  settle: (result: ThreadResult<Value>) => void;
}

interface Thread<Request, Value> {
  readonly worker: Worker;
  ready: boolean;
  /** The request being run, then those ahead. */
  readonly jobs: Job<Request, Value>[];
  /** Running time of `jobs[0]`; of loading, until ready. */
  usedMs: number;
}

type Answer<Value> = { ready: true } | { id: number; value: Value } | { id: number; error: string };

const PRIORITY = new URL("./thread-priority.ts", import.meta.url).href;
const TICK_MS = 50;
const START_MS = 20_000;
/** Requests that a thread holds beside the one it runs: it must not wait for a busy main thread. */
const AHEAD = 6;
/** No request is put behind one that has run for this long. */
const HOG_MS = 100;
const FALSE_STARTS_MAX = 2;

class Pool<Request, Value> implements Threads<Request, Value> {
  readonly size: number;
  private readonly options: ThreadOptions;
  private readonly threads = new Set<Thread<Request, Value>>();
  private readonly queue: Job<Request, Value>[] = [];
  private readonly closing = new AbortController();
  private watching = false;
  private ids = 0;

  constructor(options: ThreadOptions) {
    this.options = options;
    this.size = options.size;
  }

  run(
    request: Request,
    transfer: readonly ArrayBuffer[] = [],
    signal?: AbortSignal,
  ): Promise<ThreadResult<Value>> {
    if (this.closing.signal.aborted || signal?.aborted) return Promise.resolve({ kind: "full" });
    if (this.queue.length >= this.options.queueMax) return Promise.resolve({ kind: "full" });
    return new Promise((resolve) => {
      const abort = () => {
        const at = this.queue.indexOf(job);
        if (at >= 0) this.queue.splice(at, 1);
        job.settle({ kind: "full" });
      };
      const settle = (result: ThreadResult<Value>) => {
        signal?.removeEventListener("abort", abort);
        resolve(result);
      };
      const job = { id: ++this.ids, request, transfer, falseStarts: 0, settle };
      signal?.addEventListener("abort", abort, { once: true });
      this.queue.push(job);
      this.assign();
    });
  }

  warm(): void {
    while (this.threads.size < this.size && !this.closing.signal.aborted) this.start();
  }

  async close(): Promise<void> {
    this.closing.abort();
    for (const job of this.queue.splice(0)) job.settle({ kind: "full" });
    for (const thread of this.threads) {
      this.drop(thread);
      for (const job of thread.jobs.splice(0)) job.settle({ kind: "full" });
    }
  }

  private assign(): void {
    while (this.queue.length > 0) {
      const thread = this.place();
      if (thread === null) return;
      const job = this.queue.shift() as Job<Request, Value>;
      // What may have to be run again elsewhere is copied, for its buffers must stay with us.
      const isGiven = thread.ready && thread.jobs.length === 0;
      const message = { id: job.id, request: job.request };
      thread.worker.postMessage(message, isGiven ? [...job.transfer] : []);
      thread.jobs.push(job);
      void this.watch();
    }
  }

  /** An idle thread, else a new one, else the one that has worked the shortest; null: none. */
  private place(): Thread<Request, Value> | null {
    let best: Thread<Request, Value> | null = null;
    for (const thread of this.threads) {
      if (thread.jobs.length === 0) return thread;
      if (thread.jobs.length > AHEAD || thread.usedMs >= HOG_MS) continue;
      if (best === null || thread.usedMs < best.usedMs) best = thread;
    }
    return this.threads.size < this.size ? this.start() : best;
  }

  private start(): Thread<Request, Value> {
    const { url, given } = this.options;
    const worker = new Worker(url.href, { preload: [PRIORITY] });
    if (given !== undefined) worker.postMessage({ given });
    const thread: Thread<Request, Value> = { worker, ready: false, jobs: [], usedMs: 0 };
    worker.onmessage = (event: MessageEvent<Answer<Value>>) => this.onAnswer(thread, event.data);
    worker.onmessageerror = () => this.kill(thread, "crash", "an answer that cannot be read");
    worker.onerror = (event) => this.kill(thread, "crash", event.message);
    worker.addEventListener("close", () => this.kill(thread, "crash", "the thread ended"));
    this.threads.add(thread);
    return thread;
  }

  private onAnswer(thread: Thread<Request, Value>, answer: Answer<Value>): void {
    if (!this.threads.has(thread)) return;
    thread.usedMs = 0;
    if ("ready" in answer) {
      thread.ready = true;
      this.assign();
      return;
    }
    const job = thread.jobs[0];
    if (job?.id !== answer.id) {
      this.kill(thread, "crash", "the thread answered out of turn");
      return;
    }
    thread.jobs.shift();
    if ("error" in answer) {
      this.options.log.error("thread.threw", { detail: answer.error });
      job.settle({ kind: "killed", why: "crash", detail: answer.error });
    } else {
      job.settle({ kind: "done", value: answer.value });
    }
    this.assign();
  }

  /** While there is work: adds up running times; one that is over its budget ends its thread. */
  private async watch(): Promise<void> {
    if (this.watching) return;
    this.watching = true;
    const { clock, budgetMs } = this.options;
    let last = clock.now();
    while ([...this.threads].some((thread) => thread.jobs.length > 0)) {
      await clock.sleep(TICK_MS, this.closing.signal);
      // A process that was stopped, or busy, learns late of what was done in time.
      const passedMs = Math.min(Math.max(0, clock.now() - last), 2 * TICK_MS);
      last = clock.now();
      for (const thread of this.threads) {
        if (thread.jobs.length === 0) continue;
        thread.usedMs += passedMs;
        if (thread.usedMs < (thread.ready ? budgetMs : START_MS)) continue;
        if (thread.ready) this.kill(thread, "budget", `more than ${budgetMs} ms`);
        else this.kill(thread, "crash", "the thread does not load");
      }
    }
    this.watching = false;
  }

  private kill(thread: Thread<Request, Value>, why: "budget" | "crash", detail: string): void {
    if (!this.threads.has(thread)) return;
    this.drop(thread);
    const [current, ...ahead] = thread.jobs.splice(0);
    this.options.log.warn("thread.killed", { why, detail });
    if (!thread.ready && current !== undefined && ++current.falseStarts < FALSE_STARTS_MAX) {
      ahead.unshift(current);
    } else {
      current?.settle({ kind: "killed", why, detail });
    }
    this.queue.unshift(...ahead);
    this.assign();
  }

  private drop(thread: Thread<Request, Value>): void {
    this.threads.delete(thread);
    thread.worker.onmessage = thread.worker.onmessageerror = thread.worker.onerror = null;
    thread.worker.terminate();
  }
}
