import { is, Placeholder, type SQL, sql } from "drizzle-orm";
import { PgDialect, PgTransaction } from "drizzle-orm/pg-core";
import type { Db } from "./connect.ts";

const dialect = new PgDialect({ casing: "snake_case" });

/**
 * Rows of a statement as the driver gives them (bigint and timestamps as text). Unlike `db.execute`
 * it keeps the statement prepared on its connection, which saves a round trip and the parsing.
 */
export async function run<Row>(db: Db, query: SQL): Promise<Row[]> {
  const session = db._.session;
  const statement = session.prepareQuery(dialect.sqlToQuery(query), undefined, "kept", false);
  return (await statement.execute()) as Row[];
}

/** Texts of statements that run on the connections for them (connect.ts). */
const kept = new Set<string>();

export const isKept = (text: string): boolean => kept.has(text);

/**
 * A statement whose text and plan are made once, for those that run for every page: a call gives
 * the values of its placeholders. It must find its rows by indexes alone.
 */
export function keep<Row>(
  query: () => SQL,
): (db: Db, values: Readonly<Record<string, unknown>>) => Promise<Row[]> {
  let text: ReturnType<typeof dialect.sqlToQuery> | undefined;
  return async (db, values) => {
    if (text === undefined) {
      text = dialect.sqlToQuery(query());
      kept.add(text.sql);
    }
    const params = text.params.map((param) =>
      is(param, Placeholder) ? values[param.name] : param,
    );
    const filled = { sql: text.sql, params };
    const statement = db._.session.prepareQuery(filled, undefined, "kept", false);
    return (await statement.execute()) as Row[];
  };
}

/** Runs `work` in the transaction that `db` is, or in one of its own; never in a savepoint. */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return is(db, PgTransaction) ? work(db) : db.transaction(work);
}

/**
 * For `with … from relaxed`: the transaction, which must be this statement alone, does not wait for
 * the disk. Never for leases and settles.
 */
export const RELAXED: SQL = sql`relaxed as materialized (
    select set_config('synchronous_commit', 'off', true)
  )`;
