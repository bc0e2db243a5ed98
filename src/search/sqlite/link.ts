import type { Log } from "../../log.ts";

/** The answer of a thread; failed is the thread's own word, or that it died or was too slow. */
export type Answer<T> = { kind: "answered"; value: T } | { kind: "failed"; detail: string };

/** What goes to a thread and comes back; the thread's side is serve(). */
export interface Request {
  number: number;
  operation: string;
  argument: unknown;
}

export interface Response {
  number: number;
  answer: Answer<unknown>;
}

/**
 * A thread that keeps a database open, asked over messages. Unlike a pool it is never killed over a
 * slow request: terminating inside SQLite would leave its locks behind.
 */
export class ThreadLink {
  readonly #entry: URL;
  readonly #settings: unknown;
  readonly #log: Log;
  readonly #waiting = new Map<number, (answer: Answer<unknown>) => void>();
  #worker: Worker | null = null;
  #number = 0;

  /** `settings` go to the thread first, as the operation `open`. */
  constructor(entry: URL, settings: unknown, log: Log) {
    this.#entry = entry;
    this.#settings = settings;
    this.#log = log;
  }

  /** Requests under way. */
  get load(): number {
    return this.#waiting.size;
  }

  /**
   * Never rejects. A thread that died is started again by the next request. Buffers of `transfer`
   * are moved to it.
   */
  ask<T>(
    operation: string,
    argument: unknown,
    timeoutMs: number,
    transfer: ArrayBuffer[] = [],
  ): Promise<Answer<T>> {
    const worker = this.#worker ?? this.#start();
    return this.#send<T>(worker, { operation, argument }, timeoutMs, transfer);
  }

  /** Asks the thread to finish, then ends it. */
  async stop(timeoutMs: number): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    await this.#send(worker, { operation: "close", argument: null }, timeoutMs);
    this.#worker = null;
    worker.terminate();
  }

  #send<T>(
    worker: Worker,
    request: Omit<Request, "number">,
    timeoutMs: number,
    transfer: ArrayBuffer[] = [],
  ): Promise<Answer<T>> {
    const number = ++this.#number;
    return new Promise((done) => {
      const timer = setTimeout(
        () => this.#settle(number, { kind: "failed", detail: `no answer within ${timeoutMs} ms` }),
        timeoutMs,
      );
      this.#waiting.set(number, (answer) => {
        clearTimeout(timer);
        done(answer as Answer<T>);
      });
      worker.postMessage({ number, ...request } satisfies Request, { transfer });
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#entry.href);
    worker.onmessage = ({ data }: MessageEvent<Response>) => this.#settle(data.number, data.answer);
    worker.onerror = (event) => this.#lose(worker, event.message);
    worker.addEventListener("close", () => this.#lose(worker, "the thread ended"));
    worker.postMessage({
      number: 0,
      operation: "open",
      argument: this.#settings,
    } satisfies Request);
    this.#worker = worker;
    return worker;
  }

  #settle(number: number, answer: Answer<unknown>): void {
    const done = this.#waiting.get(number);
    this.#waiting.delete(number);
    done?.(answer);
  }

  #lose(worker: Worker, detail: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#log.error("index.thread_lost", { entry: this.#entry.pathname.split("/").at(-1), detail });
    for (const number of [...this.#waiting.keys()]) {
      this.#settle(number, { kind: "failed", detail });
    }
  }
}
