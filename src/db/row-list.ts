import { type SQL, sql } from "drizzle-orm";
import { plain, quoted } from "./bulk.ts";

export type ColumnType =
  | "bigint"
  | "integer"
  | "real"
  | "boolean"
  | "uuid"
  | "text"
  | "jsonb"
  | "timestamptz"
  | "url_state"
  | "url_origin";

/** Of each column its type in the store, and what of a row stands in it. */
export type RowColumns<Row> = Readonly<
  Record<string, readonly [ColumnType, (row: Row) => string | number | bigint | boolean | null]>
>;

/**
 * Rows as a table of a kept statement (statement.ts): one list a column, whose text is made in one
 * go. Times travel as numbers, which the store reads in half the time.
 */
export class RowList<Row> {
  /** For `from`, as a subselect that wants a name. */
  readonly table: SQL;
  readonly #lists: [string, ColumnType, (row: Row) => unknown][];

  /** `name`: another one for each list of a statement. */
  constructor(name: string, columns: RowColumns<Row>) {
    this.#lists = Object.entries(columns).map(([column, [type, value]]) => [
      `${name}.${column}`,
      type,
      value,
    ]);
    const lists = this.#lists.map(
      ([list, type]) =>
        sql`${sql.placeholder(list)}::${sql.raw(type === "timestamptz" ? "float8" : type)}[]`,
    );
    const names = Object.keys(columns);
    const values = names.map((column) =>
      columns[column]![0] === "timestamptz"
        ? `to_timestamp(${column} / 1000) as ${column}`
        : column,
    );
    this.table = sql`(select ${sql.raw(values.join(", "))}
      from unnest(${sql.join(lists, sql`, `)}) as list (${sql.raw(names.join(", "))}))`;
  }

  /** What a call of the statement is given for these rows. */
  values(rows: readonly Row[]): Record<string, string> {
    const values: Record<string, string> = {};
    for (const [list, type, value] of this.#lists) {
      const write = type === "text" || type === "jsonb" ? quoted : plain;
      values[list] = write(rows.map(value) as never[]);
    }
    return values;
  }
}

/** For a column of times. */
export const millis = (time: Date | null): number | null => (time === null ? null : time.getTime());
