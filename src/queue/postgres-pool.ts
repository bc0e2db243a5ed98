import type { PgPool } from "bullmq";
import pg from "pg";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { within } from "./health.ts";

/** Every worker keeps one connection to listen on; all else shares a few. */
const LISTENERS_MAX = 4;
const QUERIES_MAX = 3;
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 15_000;
const IDLE_MS = 30_000;
/** A process that was frozen inside a transaction must not keep its jobs from the others. */
const IDLE_TRANSACTION_MS = 4_000;
const RETRY_MS = 250;
const CLOSE_TIMEOUT_MS = 1_000;

/** The schema that the library gives to a pool which it did not make. */
export const SCHEMA = "bullmq";

export interface CarrierPool {
  /** What the library gets. */
  readonly patient: PgPool;
  /** The pool itself: errors as they come. */
  readonly plain: pg.Pool;
  close(): Promise<void>;
}

/**
 * One pool for all queues and workers of a process: 7 connections instead of 27.
 *
 * The library knows a lost connection by ECONNREFUSED alone. Any other word of a server that is
 * restarting would make its workers ask again without a pause, and a start that failed once would
 * stay failed; so errors are translated, and `connect` waits until the server is back.
 */
export function createCarrierPool(databaseUrl: string, clock: Clock, log: Log): CarrierPool {
  const plain = new pg.Pool({
    ...connectionOf(databaseUrl),
    max: LISTENERS_MAX + QUERIES_MAX,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    // A job is a hint: one lost with a crash of the server is found again in the rows.
    options: `-c search_path=${SCHEMA} -c synchronous_commit=off`,
  });
  plain.on("error", (error) => log.debug("carrier.connection", { detail: error.message }));
  const clients = new Set<pg.PoolClient>();
  plain.on("connect", (client) => void clients.add(client));
  plain.on("remove", (client) => void clients.delete(client));
  const closing = new AbortController();
  return {
    plain,
    patient: patient(plain, clock, closing.signal),
    close: async () => {
      closing.abort();
      const ended = await within(plain.end(), CLOSE_TIMEOUT_MS);
      // A worker that was cut off keeps its connection, and so would the process.
      if (ended.kind === "timeout") for (const client of clients) cut(client);
    },
  };
}

/** The part of a pool that the library uses; `options` tells it that a lost socket is noticed. */
function patient(plain: pg.Pool, clock: Clock, closing: AbortSignal): PgPool {
  const pool: object = {
    options: { keepAlive: true },
    query: (text: string, params: unknown[] = []) => {
      const answer = plain.query(text, params);
      return answer.catch((error) => {
        throw isConnectionLoss(error) ? connectionLoss(error) : error;
      });
    },
    connect: () => connectPatiently(plain, clock, closing),
    end: () => plain.end(),
    // Errors of idle connections are heard above, once for all queues.
    on: () => pool,
    removeAllListeners: () => pool,
  };
  return pool as unknown as PgPool;
}

function cut(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection?: { stream?: { destroy(): void } } };
  connection?.stream?.destroy();
}

async function connectPatiently(
  pool: pg.Pool,
  clock: Clock,
  signal: AbortSignal,
): Promise<pg.PoolClient> {
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      if (signal.aborted || !isConnectionLoss(error)) throw error;
      await clock.sleep(RETRY_MS, signal);
    }
  }
}

/** Said by a server that goes, comes or is full, and by the client when there is none. */
const LOSS_CODES =
  /^(57P0[123]|25P03|08...|53300|ECONN.*|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const LOSS_WORDS = /connection terminated|timeout exceeded|connection error|read timeout|socket/i;

export function isConnectionLoss(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return LOSS_CODES.test(code ?? "") || (code === undefined && LOSS_WORDS.test(message ?? ""));
}

function connectionLoss(cause: unknown): Error {
  const error = new Error(`the database is away: ${(cause as Error).message}`, { cause });
  return Object.assign(error, { code: "ECONNREFUSED" });
}

/** TLS as the other client of this program understands `sslmode`: `require` checks no name. */
function connectionOf(databaseUrl: string): pg.PoolConfig {
  const url = new URL(databaseUrl);
  const mode = url.searchParams.get("sslmode") ?? "disable";
  url.searchParams.delete("sslmode");
  const isLoose = ["allow", "prefer", "require"].includes(mode);
  const ssl = mode === "disable" ? false : { rejectUnauthorized: !isLoose };
  return { connectionString: url.href, ssl };
}
