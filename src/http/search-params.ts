import {
  DEFAULT_PARAMS,
  QUERY_MAX,
  REGION_MAX,
  type SearchParams,
  WINDOW_MAX,
} from "../../templates/search-link.ts";
import type { Words } from "../../templates/words/words.ts";

export type ParamsResult =
  | { kind: "params"; params: SearchParams }
  /** `params` holds what could be read, so that a page can show the query again. */
  | { kind: "faulty"; params: SearchParams; faults: Fault[] };

/** What is wrong with one parameter; `faultText` says it in a language. */
export type Fault =
  | { kind: "integer"; parameter: string; min: number; max: number }
  | { kind: "window"; max: number }
  | { kind: "choice"; parameter: string; choices: readonly string[] }
  | { kind: "date"; parameter: string }
  | { kind: "too long"; parameter: string; max: number }
  | { kind: "malformed"; parameter: string };

const PER_PAGE_MAX = 100;
const DAY_MS = 86_400_000;

type Read = Pick<Reader, "text" | "integer" | "choice" | "day">;

/** Reads the parameters of a search URL; empty ones count as absent, of repeated ones the first. */
export function readSearchParams(
  query: URLSearchParams,
  defaults: Partial<SearchParams> = {},
): ParamsResult {
  const reader = new Reader(query);
  const params = readAll(reader, { ...DEFAULT_PARAMS, ...defaults });
  if (params.page * params.perPage > WINDOW_MAX) {
    reader.faults.push({ kind: "window", max: WINDOW_MAX });
  }
  const { faults } = reader;
  return faults.length === 0 ? { kind: "params", params } : { kind: "faulty", params, faults };
}

function readAll(read: Read, defaults: SearchParams): SearchParams {
  return {
    q: cleanQuery(read.text("q", /^/, QUERY_MAX) ?? ""),
    page: read.integer("page", 1, WINDOW_MAX) ?? defaults.page,
    perPage: read.integer("per_page", 1, PER_PAGE_MAX) ?? defaults.perPage,
    sort: read.choice("sort", ["relevance", "date"]) ?? defaults.sort,
    lang: read.text("lang", /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i)?.toLowerCase() ?? null,
    host: hostOf(read.text("host", /^[^\s/?#@\\\p{C}]+$/u, 260)),
    category: read.text("category", /^[^\p{C}]+$/u, 100),
    region: read.text("region", /^[^\p{C}]+$/u, REGION_MAX),
    year: read.integer("year", 1000, 9999),
    from: read.day("from"),
    to: read.day("to"),
    collapse: read.choice("collapse", ["host", "none"]),
    explain: read.choice("explain", ["0", "1"]) === "1",
  };
}

/** Control characters and halves of characters are no words: they become spaces. */
export const cleanQuery = (text: string): string => text.replace(/[\p{Cc}\p{Cs}]+/gu, " ").trim();

/** First and last millisecond of the days asked for, since the epoch. */
export function periodOf({ from, to }: SearchParams): { from?: number; to?: number } {
  return {
    ...(from === null ? {} : { from: Date.parse(from) }),
    ...(to === null ? {} : { to: Date.parse(to) + DAY_MS - 1 }),
  };
}

export function faultText(fault: Fault, { error }: Words): string {
  switch (fault.kind) {
    case "integer":
      return error.integer(fault.parameter, fault.min, fault.max);
    case "window":
      return error.window(fault.max);
    case "choice":
      return error.choice(fault.parameter, fault.choices);
    case "date":
      return error.date(fault.parameter);
    case "too long":
      return error.tooLong(fault.parameter, fault.max);
    case "malformed":
      return error.malformed(fault.parameter);
  }
}

/** The name as the index holds it: lower case, other scripts as punycode. */
function hostOf(text: string | null): string | null {
  if (text === null) return null;
  return URL.parse(`http://${text}`)?.hostname ?? text.toLowerCase();
}

class Reader {
  readonly faults: Fault[] = [];
  readonly #query: URLSearchParams;

  constructor(query: URLSearchParams) {
    this.#query = query;
  }

  text(parameter: string, shape: RegExp, max = 40): string | null {
    const value = this.#value(parameter);
    if (value === null) return null;
    if (value.length > max) return this.#fault({ kind: "too long", parameter, max });
    return shape.test(value) ? value : this.#fault({ kind: "malformed", parameter });
  }

  integer(parameter: string, min: number, max: number): number | null {
    const value = this.#value(parameter);
    if (value === null) return null;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    return this.#fault({ kind: "integer", parameter, min, max });
  }

  choice<const Choice extends string>(
    parameter: string,
    choices: readonly Choice[],
  ): Choice | null {
    const value = this.#value(parameter);
    if (value === null) return null;
    return (
      choices.find((each) => each === value) ?? this.#fault({ kind: "choice", parameter, choices })
    );
  }

  /** `2026-01-31`, or a longer ISO time, of which the day counts. */
  day(parameter: string): string | null {
    const value = this.#value(parameter);
    if (value === null) return null;
    const day = /^(\d{4}-\d{2}-\d{2})(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/.exec(value)?.[1] ?? "";
    const time = Date.parse(day);
    const isReal = Number.isFinite(time) && new Date(time).toISOString().startsWith(day);
    return isReal ? day : this.#fault({ kind: "date", parameter });
  }

  #value(parameter: string): string | null {
    return this.#query.get(parameter)?.trim() || null;
  }

  #fault(fault: Fault): null {
    this.faults.push(fault);
    return null;
  }
}
