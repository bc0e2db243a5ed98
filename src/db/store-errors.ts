import type { Db } from "./connect.ts";

/** SQLSTATE of a failed statement, however drizzle has wrapped it; null: not the store's answer. */
export function sqlState(error: unknown): string | null {
  return codeOf(error, /^[0-9A-Z]{5}$/);
}

/** The first code of that form in the chain of causes. */
function codeOf(error: unknown, form: RegExp): string | null {
  for (let at = error, depth = 0; at && depth < 4; at = (at as Error).cause, depth++) {
    const { code } = at as { code?: unknown };
    if (typeof code === "string" && form.test(code)) return code;
  }
  return null;
}

/**
 * Classes 22 and 23, and rows too long for an index (54000): the data's fault, it would fail again.
 */
export function isDataError(error: unknown): boolean {
  return /^(22|23|54)/.test(sqlState(error) ?? "");
}

/** Deadlock or serialisation failure: the transaction is undone, and trying it again is right. */
export function isConflict(error: unknown): boolean {
  return /^40(001|P01)$/.test(sqlState(error) ?? "");
}

/**
 * Of Postgres: connection, resources, operator, system; read-only; a transaction that it gave up
 * because we were silent; a lock not to be had in time.
 */
const OUTAGE_STATES = /^(08|53|57|58|25006|25P03|55P03)/;
/** Of the driver and of the network. */
const OUTAGE_CODES = /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_)/;
/** Of these the ones that end a connection which was in use. */
const LOSS_CODES = /^(08|57P0|25P03|CONNECT|ECONNRESET|EPIPE|ETIMEDOUT)/;

/** The store is at fault, not what was asked of it: away, full, too slow. Later it may work. */
export function isOutage(error: unknown): boolean {
  return OUTAGE_STATES.test(sqlState(error) ?? "") || codeOf(error, OUTAGE_CODES) !== null;
}

/** A connection went away under what was asked on it, or did not come about in time. */
export function isConnectionLoss(error: unknown): boolean {
  return isOutage(error) && codeOf(error, LOSS_CODES) !== null;
}

const TRIES = 3;

/** `work` in a transaction of its own, again after a conflict with another. */
export async function retrying<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (tries >= TRIES || !isConflict(error)) throw error;
    }
  }
}

/**
 * Writes rows in one go, or, when the store refuses the data of one, in halves until the faulty
 * ones stand alone: a lone bad row must not take its group with it. Gives the refused ones.
 * `write` must be a transaction of its own.
 */
export async function writeInHalves<Row>(
  rows: readonly Row[],
  write: (rows: readonly Row[]) => Promise<void>,
): Promise<{ row: Row; error: unknown }[]> {
  if (rows.length === 0) return [];
  try {
    await write(rows);
    return [];
  } catch (error) {
    if (!isDataError(error)) throw error;
    if (rows.length === 1) return [{ row: rows[0]!, error }];
    const middle = rows.length >> 1;
    const first = await writeInHalves(rows.slice(0, middle), write);
    return [...first, ...(await writeInHalves(rows.slice(middle), write))];
  }
}
