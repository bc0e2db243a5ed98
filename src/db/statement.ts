import { is, type SQL } from "drizzle-orm";
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

/** Runs `work` in the transaction that `db` is, or in one of its own; never in a savepoint. */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return is(db, PgTransaction) ? work(db) : db.transaction(work);
}
