import { HASH_START, hashUnit } from "../hash.ts";
import { foldName } from "./letters.ts";
import type { RegionProfile, SignalKind } from "./profile.ts";

/** A name that is looked for in texts. */
export interface Name {
  /** As the profile has it. */
  readonly written: string;
  readonly folded: string;
  readonly kind: "place" | "institution" | "category";
  readonly weight: number;
  /** How it must be written: `Laval` not `laval`, `SAAQ` not `Saaq`. */
  readonly case: "any" | "capital" | "capitals";
  /** Number of the category. */
  readonly category: number;
}

interface Pattern {
  readonly weight: number;
  readonly whole: RegExp;
}

export interface Patterns {
  /** What they may begin with, by unit: most numbers of a page are none of them. */
  readonly firsts: Uint8Array;
  readonly all: readonly Pattern[];
}

/** Names by their first word, in a table of numbers: most words of a page are none of them. */
export interface RegionLexicon {
  readonly title: string;
  readonly suffixes: readonly { suffix: string; weight: number }[];
  readonly languages: readonly { tag: string; weight: number }[];
  readonly postal: Patterns;
  readonly phones: Patterns;
  readonly categories: readonly string[];
  /** Hash of a first word, then the place of its names + 1. */
  readonly table: Int32Array;
  readonly names: readonly (readonly Name[])[];
}

/** Words of each category, in any language: seeds/categories.json. */
export type Categories = Readonly<Record<string, readonly string[]>>;

export function compileProfile(profile: RegionProfile, categories: Categories): RegionLexicon {
  const valuesOf = (kind: SignalKind) =>
    profile.signals
      .filter((signal) => signal.kind === kind)
      .flatMap(({ weight, values }) => values.map((value) => ({ value, weight })));
  const patterns = (kind: "postal" | "phone"): Patterns => {
    const signals = profile.signals.filter((signal) => signal.kind === kind);
    const firsts = new Uint8Array(128);
    for (const value of signals.flatMap(({ values }) => values)) allowFirst(firsts, value);
    const all = signals.map(({ weight, values }) => ({ weight, whole: patternOf(values) }));
    return { firsts, all };
  };
  const topics = Object.keys(categories);
  const names = [
    ...valuesOf("place").flatMap(({ value, weight }) => namesOf(value, "place", weight)),
    ...valuesOf("institution").flatMap(({ value, weight }) =>
      namesOf(value, "institution", weight),
    ),
    ...topics.flatMap((topic, at) =>
      categories[topic]!.flatMap((word) => namesOf(word, "category", 1, at)),
    ),
  ];
  return {
    title: profile.title,
    suffixes: valuesOf("suffix").map(({ value, weight }) => ({ suffix: value, weight })),
    languages: valuesOf("language").map(({ value, weight }) => ({
      tag: value.toLowerCase(),
      weight,
    })),
    postal: patterns("postal"),
    phones: patterns("phone"),
    categories: topics,
    ...tableOf(names),
  };
}

function namesOf(value: string, kind: Name["kind"], weight: number, category = -1): Name[] {
  const isCapitals = value === value.toUpperCase() && value !== value.toLowerCase();
  const isCapital = value[0] !== value[0]!.toLowerCase();
  const letters = isCapitals ? "capitals" : isCapital ? "capital" : "any";
  const folded = foldName(value);
  const name: Name = { written: value, folded, kind, weight, case: letters, category };
  const short = folded.replace(/\bsaint\b/g, "st").replace(/\bsainte\b/g, "ste");
  return kind !== "place" || short === folded ? [name] : [name, { ...name, folded: short }];
}

/** One expression for a list; without repetition, so that it is linear in what it reads. */
function patternOf(values: readonly string[]): RegExp {
  const parts = values.map((value) => value.replaceAll("#", "\\d").replaceAll("@", "[A-Z]"));
  return new RegExp(`^(?:${parts.join("|")})$`);
}

const ELEMENT = /(\[[^\]]+\]|.)(\??)/y;

function allowFirst(firsts: Uint8Array, pattern: string): void {
  ELEMENT.lastIndex = 0;
  for (let found = ELEMENT.exec(pattern); found !== null; found = ELEMENT.exec(pattern)) {
    const one = patternOf([found[1]!]);
    for (let unit = 0; unit < firsts.length; unit++) {
      if (one.test(String.fromCharCode(unit))) firsts[unit] = 1;
    }
    if (found[2] === "") return;
  }
}

/** Place of a hash in the table: where it stands, or the free one where it would. */
export function placeOf(table: Int32Array, hash: number): number {
  const mask = table.length / 2 - 1;
  let slot = (hash ^ (hash >>> 15)) & mask;
  while (table[slot * 2 + 1] !== 0 && table[slot * 2] !== hash) slot = (slot + 1) & mask;
  return slot * 2;
}

function tableOf(names: readonly Name[]): Pick<RegionLexicon, "table" | "names"> {
  const groups = Map.groupBy(names, ({ folded }) => hashOf(folded.split(" ", 1)[0]!));
  let size = 1024;
  while (size < groups.size * 4) size *= 2;
  const table = new Int32Array(size * 2);
  const lists: Name[][] = [];
  for (const [hash, group] of groups) {
    const place = placeOf(table, hash);
    // The longest first: `Rivière-du-Loup` is not `Rivière`.
    lists.push(group.sort((a, b) => b.folded.length - a.folded.length));
    table[place] = hash;
    table[place + 1] = lists.length;
  }
  return { table, names: lists };
}

function hashOf(word: string): number {
  let hash = HASH_START;
  for (let at = 0; at < word.length; at++) hash = hashUnit(hash, word.charCodeAt(at));
  return hash;
}
