import type { Connected, Connection } from "./connect.ts";
import type { Exchange, ExchangeEnd } from "./exchange.ts";
import type { Target } from "./guard.ts";
import type { FetchOptions } from "./options.ts";
import type { FetchRequest, Outcome, Slot } from "./outcome.ts";
import { Pool } from "./pool.ts";
import { Round } from "./round.ts";

const TICK_MS = 100;

/** All rounds in flight of one client, with their connections and the one timer of them all. */
export class Rounds {
  readonly #options: FetchOptions;
  readonly #pool: Pool;
  readonly #running = new Set<Exchange>();
  readonly #opening = new Set<AbortController>();
  #ticker: ReturnType<typeof setInterval> | null = null;
  #isClosed = false;

  constructor(options: FetchOptions) {
    this.#options = options;
    this.#pool = new Pool(options);
  }

  /** @param address one that was checked: the connection goes there and nowhere else */
  async run(address: string, target: Target, request: FetchRequest, slot: Slot): Promise<Outcome> {
    if (this.#isClosed || request.signal?.aborted) return { kind: "aborted" };
    const round = new Round(address, target, request, this.#options, this.#pool);
    const kept = this.#pool.take(round.endpoint);
    if (kept !== null) {
      if (!slot.mayStart()) return notStarted(kept);
      const end = await this.#exchange(kept, round, slot);
      // the other side had let go of it before the question came: nothing was tried
      if (end.kind !== "failed" || !end.isStale) return round.outcome(end);
    }
    const opened = await this.#open(round);
    if (opened.kind === "aborted") return opened;
    if (opened.kind === "no descriptor") return { kind: "no slot" };
    if (opened.kind === "failed") {
      return { kind: "unreachable", cause: opened.cause, detail: opened.detail };
    }
    if (!slot.mayStart()) return notStarted(opened.connection);
    return round.outcome(await this.#exchange(opened.connection, round, slot));
  }

  /** Aborts everything in flight; what is asked for later is aborted at once. */
  close(): void {
    this.#isClosed = true;
    for (const exchange of [...this.#running]) exchange.abort();
    for (const opening of [...this.#opening]) opening.abort();
    this.#pool.close();
    this.#stopTicking();
  }

  async #exchange(connection: Connection, round: Round, slot: Slot): Promise<ExchangeEnd> {
    const { signal } = round.request;
    this.#ticker ??= setInterval(() => this.#tick(), TICK_MS);
    const exchange = round.begin(connection);
    slot.sent();
    const abort = () => exchange.abort();
    this.#running.add(exchange);
    signal?.addEventListener("abort", abort, { once: true });
    const end = await exchange.ended;
    signal?.removeEventListener("abort", abort);
    this.#running.delete(exchange);
    return end;
  }

  async #open(round: Round): Promise<Connected> {
    const { signal } = round.request;
    const opening = new AbortController();
    const abort = () => opening.abort();
    this.#opening.add(opening);
    signal?.addEventListener("abort", abort, { once: true });
    const leftMs = round.deadlineMs - this.#options.clock.now();
    const opened = await this.#pool.open(round.endpoint, leftMs, opening.signal);
    signal?.removeEventListener("abort", abort);
    this.#opening.delete(opening);
    return opened;
  }

  #tick(): void {
    const now = this.#options.clock.now();
    for (const exchange of this.#running) exchange.tick(now);
    this.#pool.prune();
    if (this.#running.size === 0 && this.#pool.idleCount === 0) this.#stopTicking();
  }

  #stopTicking(): void {
    if (this.#ticker !== null) clearInterval(this.#ticker);
    this.#ticker = null;
  }
}

function notStarted(connection: Connection): Outcome {
  connection.close();
  return { kind: "no slot" };
}
