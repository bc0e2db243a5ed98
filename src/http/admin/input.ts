import { t } from "elysia";
import { text } from "../text.ts";

/** Row ids in addresses; anything else is an address that does not exist. */
export const idParams = t.Object({ id: t.String({ pattern: "^[1-9][0-9]{0,14}$" }) });

/** Page numbers from 1 to 2,000 (PAGES_MAX of the pager): counting further costs the store more. */
export const pageNumber = t.Optional(t.String({ pattern: "^([1-9][0-9]{0,2}|1[0-9]{3}|2000)?$" }));

/** A free text of a filter. */
export const filterText = (maxLength: number) => t.Optional(text(maxLength));

/** One of a closed list; forms send an empty value for "any". */
export const oneOf = <const T extends string>(values: readonly T[]) =>
  t.Optional(t.Union([t.Literal(""), ...values.map((value) => t.Literal(value))]));

export const pageOf = (value: string | undefined): number => Number(value || 1);

/** Blank input means "no filter". */
export const textOf = <T extends string>(value: T | undefined): Exclude<T, ""> | null => {
  const trimmed = value?.trim();
  return trimmed === undefined || trimmed === "" ? null : (trimmed as Exclude<T, "">);
};

export const PER_PAGE = 50;
