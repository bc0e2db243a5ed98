import { type PgDatabase, parsePgArray } from "drizzle-orm/pg-core";
import { drizzle, type PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { RenewingPool } from "./renewing-pool.ts";
import { isKept } from "./statement.ts";

/** The pool or a transaction of it: every function of this folder takes one of them first. */
export type Db = PgDatabase<PostgresJsQueryResultHKT, Record<string, never>>;

export interface Database {
  readonly db: Db;
  /**
   * The client below, for looks at the store: a new one after a lost connection. drizzle has
   * switched its `Date` conversion off: times go in as ISO text.
   */
  readonly sql: postgres.Sql;
  readonly url: string;
  /** Lets running queries end for `graceMs`, then cuts them off. */
  close(graceMs?: number): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Connections at most, but three at least; opened when needed and closed after idling. */
  readonly max: number;
}

const STATEMENT_TIMEOUT_MS = 60_000;
const LOCK_TIMEOUT_MS = 30_000;
/**
 * A process that was frozen inside a transaction must not hold its rows against whoever takes over
 * its hosts: no longer than its leases live. None of ours waits for anything but the store.
 */
const IDLE_TRANSACTION_MS = 4_000;
const CONNECT_TIMEOUT_S = 10;
const IDLE_TIMEOUT_S = 300;
/** Short: after an outage the library may wait for a connection that is no more. */
const CLOSE_GRACE_MS = 2_000;

/** Opens lazily: a server that is down shows at the first query, and is tried again at the next. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const keptMax = Math.ceil(options.max / 2);
  const otherMax = Math.max(2, options.max - keptMax);
  const kept = new RenewingPool(() => createPool(options.url, keptMax, KEPT_PLANS), keptMax);
  const other = new RenewingPool(() => createPool(options.url, otherMax, NEW_PLANS), otherMax);
  const client = {
    // drizzle sets how it reads and writes here; each pool does so itself.
    options: { parsers: {}, serializers: {} },
    unsafe: (...query: Parameters<RenewingPool["unsafe"]>) =>
      (isKept(query[0]) ? kept : other).unsafe(...query),
    begin: (work: Parameters<RenewingPool["begin"]>[0]) => kept.begin(work),
  };
  return {
    db: drizzle(client as unknown as postgres.Sql, { casing: "snake_case" }),
    get sql() {
      return other.pool;
    },
    url: options.url,
    close: async (graceMs = CLOSE_GRACE_MS) => {
      await Promise.all([kept.close(graceMs), other.close(graceMs)]);
    },
  };
}

/**
 * For transactions and kept statements. Planning took a third of their time; a plan made while the
 * frontier was small must not read it from one end to the other once it is large, so that whatever
 * reads a whole table is forbidden: rows are found by indexes alone.
 */
export const KEPT_PLANS = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  // What is forbidden counts as so dear that it would be compiled each time.
  jit: "off",
};

/** For the others, lists and counts among them: planned anew each time, for some 0.3 ms. */
const NEW_PLANS = { plan_cache_mode: "force_custom_plan" };

/** Arrays that statements of ours give back, by the numbers of their types, which never change. */
const ARRAYS = {
  texts: arrayOf([1009, 1015, 1016, 2951], (item) => item),
  numbers: arrayOf([1005, 1007, 1021, 1022], Number),
};

/** What goes in is text already: bulk.ts and drizzle write it. */
function arrayOf<T>(from: number[], read: (item: string) => T) {
  return {
    to: from[0]!,
    from,
    serialize: (value: unknown) => value,
    parse: (text: string): T[] => parsePgArray(text).map((item) => read(String(item))),
  };
}

function createPool(
  url: string,
  max: number,
  planning: Readonly<Record<string, string>>,
): postgres.Sql {
  return postgres(url, {
    max,
    connect_timeout: CONNECT_TIMEOUT_S,
    idle_timeout: IDLE_TIMEOUT_S,
    backoff: reconnectDelayS,
    onnotice: () => {},
    // What it asks for these nobody awaits: a server that stops just then ends the process.
    fetch_types: false,
    types: ARRAYS,
    connection: {
      application_name: "trawl",
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
      ...planning,
    },
  });
}

/** The library's own delay grows to 20 s; a server that is back must be used within a second. */
function reconnectDelayS(retries: number): number {
  return Math.min(0.02 * 2 ** Math.min(retries, 6), 1);
}
