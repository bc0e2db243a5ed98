import { ShingleWindow } from "../text/shingle-window.ts";
import type { TextSample } from "../text/shingles.ts";
import type { CanonicalUrl } from "../url/canonical.ts";
import { patternsOf, type UrlPatterns } from "../url/pattern.ts";
import { leastOf, type Novelty, noveltyOf } from "./novelty.ts";

/** Pages in a row without anything new after which the pattern is cut. */
export const NARROW_DRY_MAX = 12;
export const QUERY_DRY_MAX = 12;
export const FOLDER_DRY_MAX = 24;
/** Of these a broad pattern counts so many of one narrow pattern at most: others may be better. */
const DRY_OF_ONE_MAX = 6;
/** A pattern with so many pages in a row without new text is no news to be linked to. */
const BARREN = 6;
/** One URL of a cut pattern is looked at again after this, and then each time. */
export const LOOK_MS = 30 * 86_400_000;
/** Patterns kept of a host; the one seen the longest ago makes room, those that are cut last. */
export const PATTERNS_MAX = 24;

export interface PatternRecord {
  readonly pattern: string;
  /** First visits of its URLs. */
  pages: number;
  /** The last so many of them brought neither new text nor a link to anything new. */
  dry: number;
  /** The same of the text alone. */
  barren: number;
  seen: ShingleWindow;
  cutAt: number | null;
  /** When one of its URLs is looked at again; null: it is not cut. */
  lookAt: number | null;
  /** The store has it. */
  isKept: boolean;
  /** Where the store lacks it, nobody has lifted it. */
  isNew: boolean;
}

export const newPattern = (pattern: string): PatternRecord => ({
  pattern,
  pages: 0,
  dry: 0,
  barren: 0,
  seen: new ShingleWindow(),
  cutAt: null,
  lookAt: null,
  isKept: false,
  isNew: true,
});

/** What one host's patterns have shown. */
export class HostPatterns {
  /** The last one seen is the last. */
  readonly #records = new Map<string, PatternRecord>();
  /** By broad pattern: of each narrow one, how many pages count in its dry row. */
  readonly #shares = new Map<string, Map<string, number>>();

  get records(): Iterable<PatternRecord> {
    return this.#records.values();
  }

  get hasCut(): boolean {
    for (const { cutAt } of this.#records.values()) if (cutAt !== null) return true;
    return false;
  }

  record(pattern: string | null): PatternRecord | undefined {
    return pattern === null ? undefined : this.#records.get(pattern);
  }

  /** Of two that know of a pattern, who has seen more of its pages knows it better. */
  adopt(record: PatternRecord): void {
    const own = this.#records.get(record.pattern);
    if (own !== undefined && own.pages > record.pages) own.isKept = true;
    else this.#keep(record);
  }

  /**
   * A page was read for the first time. `links`: those of it that were not known, null for one to
   * another host. Gives the records that are worth keeping: of a host without any sign of a trap
   * none.
   */
  note(
    url: CanonicalUrl,
    sample: TextSample,
    links: Iterable<CanonicalUrl | null>,
    now: number,
  ): PatternRecord[] {
    const patterns = patternsOf(url);
    const own = [patterns.narrow, patterns.broad].filter((each) => each !== null);
    const records = own.map((pattern) => this.#keep(this.record(pattern) ?? newPattern(pattern)));
    const novelty = leastOf(records.map(({ seen }) => noveltyOf(sample, seen)));
    const leads = novelty !== "new" && this.#leads(patterns, links);
    const kept = new Set<PatternRecord>();
    for (const record of records) {
      record.isNew = !record.isKept;
      const { dry: before, cutAt: cutBefore } = record;
      const isBroad = record.pattern === patterns.broad;
      record.pages++;
      record.seen.add(sample);
      record.barren = rowAfter(record.barren, novelty);
      const counts = !isBroad || novelty !== "none" || this.#counts(record, patterns.narrow);
      if (counts && !leads) record.dry = rowAfter(record.dry, novelty);
      if (leads || record.dry === 0) this.#moisten(record);
      else if (record.dry >= dryMax(patterns, isBroad) && cutBefore === null) {
        cutNow(record, now);
        record.isNew = true;
        if (isBroad) for (const each of this.#openBelow(record)) kept.add(each);
      }
      if (isWorthKeeping(record, before, cutBefore !== null)) kept.add(record);
    }
    for (const record of records) if (this.#isBelowCut(record, patterns)) kept.add(record);
    for (const record of kept) {
      if (!records.includes(record)) record.isNew = !record.isKept;
      record.isKept = true;
    }
    return [...kept];
  }

  /** What keeps a URL out; null: nothing does. */
  cutOf(url: CanonicalUrl): PatternRecord | null {
    return this.hasCut ? cutOf(patternsOf(url), (pattern) => this.record(pattern)) : null;
  }

  /** Of a host the store forgets all at once. */
  lift(record: PatternRecord): void {
    this.#moisten(record);
    record.barren = 0;
    for (const each of this.#records.values()) each.isKept = false;
  }

  /** Something new: the row begins anew, and the pattern is open. */
  #moisten(record: PatternRecord): void {
    record.dry = 0;
    record.cutAt = null;
    record.lookAt = null;
    this.#shares.delete(record.pattern);
  }

  #counts({ pattern }: PatternRecord, narrow: string | null): boolean {
    if (narrow === null) return true;
    const shares = this.#shares.get(pattern) ?? new Map<string, number>();
    this.#shares.set(pattern, shares);
    const share = shares.get(narrow) ?? 0;
    if (share >= DRY_OF_ONE_MAX) return false;
    shares.set(narrow, share + 1);
    return true;
  }

  /** Does a link lead out of the page's own patterns, to where there may be something new? */
  #leads(own: UrlPatterns, links: Iterable<CanonicalUrl | null>): boolean {
    for (const link of links) {
      if (link === null) return true;
      const to = patternsOf(link);
      if (to.narrow === own.narrow && (to.narrow !== null || to.broad === own.broad)) continue;
      if (!own.isFolder && to.broad === own.broad) continue;
      if (!this.#isBarren(to)) return true;
    }
    return false;
  }

  #isBarren({ narrow, broad, isFolder }: UrlPatterns): boolean {
    const record = this.record(narrow);
    if (record !== undefined) return record.barren >= BARREN;
    const wide = isFolder && narrow !== null ? undefined : this.record(broad);
    return wide !== undefined && wide.barren >= BARREN;
  }

  /** Narrow patterns whose last page was new: they stay open, and the store must know of it. */
  #openBelow({ pattern }: PatternRecord): PatternRecord[] {
    const stem = pattern.replace(/\*+$/, "");
    return [...this.#records.values()].filter(
      (each) => each.dry === 0 && each.pattern !== pattern && each.pattern.startsWith(stem),
    );
  }

  /** A narrow pattern that is open while its broad one is cut: the store must know of it. */
  #isBelowCut(record: PatternRecord, { broad }: UrlPatterns): boolean {
    return record.pattern !== broad && (this.record(broad)?.cutAt ?? null) !== null;
  }

  #keep(record: PatternRecord): PatternRecord {
    this.#records.delete(record.pattern);
    this.#records.set(record.pattern, record);
    if (this.#records.size > PATTERNS_MAX) this.#forgetOne();
    return record;
  }

  #forgetOne(): void {
    const open = this.#records.values().find(({ cutAt }) => cutAt === null);
    const { pattern } = open ?? this.#records.values().next().value!;
    this.#records.delete(pattern);
    this.#shares.delete(pattern);
  }
}

/** The record that keeps a URL out; null: none does. What is new in the narrow one wins. */
export function cutOf<R extends { cutAt: number | null; dry: number }>(
  { narrow, broad }: UrlPatterns,
  recordOf: (pattern: string) => R | undefined,
): R | null {
  const near = narrow === null ? undefined : recordOf(narrow);
  if (near !== undefined && near.cutAt !== null) return near;
  const far = broad === null ? undefined : recordOf(broad);
  if (far === undefined || far.cutAt === null) return null;
  return near !== undefined && near.dry === 0 ? null : far;
}

function rowAfter(row: number, novelty: Novelty): number {
  switch (novelty) {
    case "new":
      return 0;
    case "little":
      return Math.max(0, row - 2);
    case "none":
      return row + 1;
    case "unsure":
      return row;
    default:
      return novelty satisfies never;
  }
}

const dryMax = ({ isFolder }: UrlPatterns, isBroad: boolean): number =>
  isBroad ? (isFolder ? FOLDER_DRY_MAX : QUERY_DRY_MAX) : NARROW_DRY_MAX;

function cutNow(record: PatternRecord, now: number): void {
  record.cutAt = now;
  record.lookAt = now + LOOK_MS;
}

/** From the fourth dry page on, each fourth; and whatever ends such a row. */
function isWorthKeeping(record: PatternRecord, before: number, wasCut: boolean): boolean {
  if (wasCut || record.cutAt !== null) return true;
  if (record.dry < before) return record.isKept;
  return record.dry !== before && record.dry >= 4 && record.dry % 4 === 0;
}
