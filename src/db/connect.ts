import type { PgDatabase } from "drizzle-orm/pg-core";
import { drizzle, type PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { RenewingPool } from "./renewing-pool.ts";

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
  /** Connections at most; they are opened when needed and closed after idling. */
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
  const pool = new RenewingPool(() => createPool(options), options.max);
  return {
    db: drizzle(pool as unknown as postgres.Sql, { casing: "snake_case" }),
    get sql() {
      return pool.pool;
    },
    url: options.url,
    close: (graceMs = CLOSE_GRACE_MS) => pool.close(graceMs),
  };
}

function createPool(options: DatabaseOptions): postgres.Sql {
  return postgres(options.url, {
    max: options.max,
    connect_timeout: CONNECT_TIMEOUT_S,
    idle_timeout: IDLE_TIMEOUT_S,
    backoff: reconnectDelayS,
    onnotice: () => {},
    connection: {
      application_name: "trawl",
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
      // A plan kept from when the frontier was small reads it from one end to the other once it is
      // large: kept statements are planned anew each time, which costs some 0.3 ms.
      plan_cache_mode: "force_custom_plan",
    },
  });
}

/** The library's own delay grows to 20 s; a server that is back must be used within a second. */
function reconnectDelayS(retries: number): number {
  return Math.min(0.02 * 2 ** Math.min(retries, 6), 1);
}
