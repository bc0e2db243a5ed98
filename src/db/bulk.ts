import { type SQL, sql } from "drizzle-orm";

/**
 * Bulk parameters for `unnest`: each a list in one text literal. The driver would encode element by
 * element, guesses the type of a list by its first element (boolean lists fail), and cannot encode
 * lists of timestamps at all once drizzle has switched its `Date` conversion off.
 */
export const bigints = (values: readonly (number | bigint | null)[]): SQL =>
  sql`${plain(values)}::bigint[]`;

export const integers = (values: readonly (number | null)[]): SQL =>
  sql`${plain(values)}::integer[]`;

export const booleans = (values: readonly (boolean | null)[]): SQL =>
  sql`${plain(values)}::boolean[]`;

/** Keys, tokens and hashes: their text form needs no quotes. */
export const uuids = (values: readonly (string | null)[]): SQL => sql`${plain(values)}::uuid[]`;

export const times = (values: readonly (Date | null)[]): SQL => {
  const iso = values.map((value) => (value === null ? null : value.toISOString()));
  return sql`${plain(iso)}::timestamptz[]`;
};

/** A NUL in a text is refused by the store (22021): cleaning is the caller's, before this. */
export const texts = (values: readonly (string | null)[]): SQL => sql`${quoted(values)}::text[]`;

/** `type` is the name of an enum of the schema, never input. */
export const enums = (type: "url_state" | "url_origin" | "host_state", values: string[]): SQL =>
  sql`${quoted(values)}::${sql.raw(type)}[]`;

/** The literal of a list whose elements need no quotes. */
export function plain(values: readonly unknown[]): string {
  let text = "";
  for (const value of values) text += value === null ? ",NULL" : `,${value}`;
  return `{${text.slice(1)}}`;
}

const SPECIAL = /["\\]/;
const EVERY_SPECIAL = /["\\]/g;

/** The literal of a list of texts. */
export function quoted(values: readonly (string | null)[]): string {
  let text = "";
  for (const value of values) text += value === null ? ",NULL" : `,${quote(value)}`;
  return `{${text.slice(1)}}`;
}

function quote(value: string): string {
  return `"${SPECIAL.test(value) ? value.replace(EVERY_SPECIAL, "\\$&") : value}"`;
}
