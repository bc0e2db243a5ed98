import { drizzle } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import { isConnectionLoss } from "./store-errors.ts";

type Client = postgres.Sql;

/** How long statements on the healthy connections of a pool that was replaced may still run. */
const RETIRE_S = 30;
/** The library hears of the end of a connection right after its queries do. */
const NOTICE_MS = 5_000;

/**
 * What drizzle takes for a client: lends connections of a pool that is replaced as soon as it has
 * lost one in use. The library (postgres 3.4) keeps half-written bytes of such a connection, and
 * rollbacks that nobody answers: used again, it hangs at every query until its connect timeout. For
 * the same reason no query may queue inside it, where it would be given to such a connection: no
 * more are lent than there are.
 */
export class RenewingPool {
  /** drizzle sets how it reads and writes here; `open` does so for each pool. */
  readonly options = { parsers: {}, serializers: {} };
  #pool: Client;
  #lent = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #create: () => Client;
  readonly #max: number;

  /** @param max connections of each pool that `create` makes */
  constructor(create: () => Client, max: number) {
    this.#create = create;
    this.#max = max;
    this.#pool = this.#open();
  }

  get pool(): Client {
    return this.#pool;
  }

  unsafe(...query: Parameters<Client["unsafe"]>): Statement {
    return new Statement((how) => this.#lend((pool) => how(pool.unsafe(...query))));
  }

  begin<T>(work: (transaction: postgres.TransactionSql) => Promise<T>): Promise<T> {
    return this.#lend(async (pool) => {
      const end = { isOver: false };
      try {
        return (await pool.begin((tx) => keptFromRollback(work(tx), end))) as T;
      } finally {
        end.isOver = true;
      }
    });
  }

  async close(graceMs: number): Promise<void> {
    await this.#pool.end({ timeout: graceMs / 1000 });
  }

  async #lend<T>(use: (pool: Client) => PromiseLike<T>): Promise<T> {
    if (this.#lent >= this.#max) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#lent++;
    const pool = this.#pool;
    try {
      return await use(pool);
    } catch (error) {
      if (isConnectionLoss(error)) this.#renew(pool);
      throw error;
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#lent--;
    }
  }

  #open(): Client {
    const pool = this.#create();
    drizzle(pool);
    return pool;
  }

  #renew(lost: Client): void {
    if (lost !== this.#pool) return;
    this.#pool = this.#open();
    void lost.end({ timeout: RETIRE_S }).catch(() => {});
  }
}

/**
 * Work whose connection is gone must not end before the library has ended the transaction for it:
 * the library would write a rollback to no socket at all, and fail outside of any promise.
 */
async function keptFromRollback<T>(work: Promise<T>, end: { isOver: boolean }): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isConnectionLoss(error)) await new Promise((done) => setTimeout(done, NOTICE_MS).unref());
    if (end.isOver) await new Promise(() => {});
    throw error;
  }
}

type PendingRows = ReturnType<Client["unsafe"]>;

/** A query that is sent when it is awaited: rows as objects, or by `values()` as lists. */
class Statement implements PromiseLike<unknown> {
  readonly #send: <T>(how: (query: PendingRows) => PromiseLike<T>) => Promise<T>;

  constructor(send: <T>(how: (query: PendingRows) => PromiseLike<T>) => Promise<T>) {
    this.#send = send;
  }

  // biome-ignore lint/suspicious/noThenProperty: drizzle awaits what the library's client gives it
  then<A, B>(
    done?: ((rows: unknown) => A | PromiseLike<A>) | null,
    fail?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#send<unknown>((query) => query).then(done, fail) as Promise<A | B>;
  }

  values(): Promise<unknown> {
    return this.#send<unknown>((query) => query.values());
  }
}
