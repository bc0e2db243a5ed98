import type { TextSample } from "../text/shingles.ts";
import type { CanonicalUrl } from "../url/canonical.ts";
import { patternsOf } from "../url/pattern.ts";
import { HostParameters, type PageShown, type ParameterRecord } from "./trap-parameters.ts";
import { cutOf, HostPatterns, LOOK_MS, type PatternRecord } from "./trap-patterns.ts";

/** Why a URL is not asked for, by what its host has shown. */
export type TrapReason = "pattern cut" | "same page";

/** What admission must know of the traps of a host. */
export interface TrapRules {
  /** The pattern that keeps a URL out; null: none does. */
  cutOf(url: CanonicalUrl): { readonly pattern: string } | null;
  /** Parameters that change no page. */
  readonly neutral: ReadonlySet<string>;
}

/** What the store says of the patterns of a host. */
export interface StoredPattern {
  readonly pattern: string;
  readonly dry: number;
  readonly cutAt: number | null;
}

export function storedRules(
  patterns: readonly StoredPattern[],
  neutral: readonly string[],
): TrapRules {
  const records = new Map(patterns.map((each) => [each.pattern, each]));
  return {
    cutOf: (url) => cutOf(patternsOf(url), (pattern) => records.get(pattern)),
    neutral: new Set(neutral),
  };
}

/** What a visit taught. */
export interface Learned {
  readonly patterns: readonly PatternRecord[];
  readonly parameters: readonly ParameterRecord[];
  /** What admission must know has changed. */
  readonly changesRules: boolean;
}

export interface PageNoted extends PageShown {
  readonly url: CanonicalUrl;
  readonly sample: TextSample;
  /** It has not been read before, and nobody named it: only those tell of a trap. */
  readonly isFound: boolean;
  /** Those of it that were not known; null for one to another host. */
  readonly links: Iterable<CanonicalUrl | null>;
}

/** What the store was asked before it knew of a cut has been heard after so long. */
const KNOWN_AFTER_MS = 5_000;

/**
 * What one host has shown so far, as the process that visits it knows it.
 *
 * A page is news when its text is: under 80 % of its shingles were met in its pattern and in the
 * folder or script above, and more than a word or two differ, or 40 are its own; or when it links
 * to what is not known, of another pattern that is not barren itself. 12 pages of a pattern in a
 * row without news, 12 of one script whatever its parameters, 24 of a folder: it is cut. Of a broad
 * row one narrow pattern makes 6 at most, and one whose last page was new stays open.
 *
 * A parameter is neutral after four pairs of pages (twelve of short ones) that differ in it, at
 * most with two others, and have one text, in whatever order, and lead to the same; never when two
 * pages that differ in it alone are unlike. Nothing is for ever: one URL of a cut pattern is looked
 * at after 30 days, and a parameter is learned anew after as many.
 */
export class HostTraps implements TrapRules {
  readonly patterns = new HostPatterns();
  readonly parameters = new HostParameters();
  /** Patterns cut and parameters neutral that the store has told of: it can lift no others. */
  #told: { cut: ReadonlySet<string>; neutral: ReadonlySet<string> } = {
    cut: new Set(),
    neutral: new Set(),
  };

  get neutral(): ReadonlySet<string> {
    return this.parameters.neutral;
  }

  get hasRules(): boolean {
    return this.patterns.hasCut || this.neutral.size > 0;
  }

  cutOf(url: CanonicalUrl): PatternRecord | null {
    return this.patterns.cutOf(url);
  }

  note(page: PageNoted, now: number): Learned {
    const { url, sample, isFound, links } = page;
    const before = this.#cuts();
    const patterns = isFound ? this.patterns.note(url, sample, links, now) : [];
    const parameters = this.parameters.note(url, page, now);
    return {
      patterns,
      parameters,
      changesRules: parameters.length > 0 || this.#cuts() !== before,
    };
  }

  /** Is it time to look at one URL of a pattern that is cut? Says so once. */
  takesLook(record: PatternRecord, now: number): boolean {
    if (record.lookAt === null || now < record.lookAt) return false;
    record.lookAt = now + LOOK_MS;
    return true;
  }

  /** What the store has of the host, at the begin of a turn. */
  adopt(patterns: readonly PatternRecord[], parameters: readonly ParameterRecord[]): void {
    for (const record of patterns) this.patterns.adopt(record);
    for (const record of parameters) this.parameters.adopt(record);
    const cut = patterns.filter(({ cutAt }) => cutAt !== null).map(({ pattern }) => pattern);
    const neutral = parameters.filter(({ neutralAt }) => neutralAt !== null);
    this.#told = {
      cut: new Set([...this.#told.cut, ...cut]),
      neutral: new Set([...this.#told.neutral, ...neutral.map(({ name }) => name)]),
    };
  }

  /**
   * What the store told of once, and no longer does, an operator has lifted. Between turns it has
   * all that was learned; in a turn it may be late, and lacks what it has not been told yet.
   */
  reconcile(
    stored: { cut: ReadonlySet<string>; neutral: ReadonlySet<string> },
    now: number,
    { isInTurn }: { isInTurn: boolean },
  ): void {
    const cut = new Set<string>();
    for (const record of this.patterns.records) {
      const { pattern, cutAt } = record;
      if (cutAt === null) continue;
      if (stored.cut.has(pattern)) cut.add(pattern);
      else if (isInTurn && !this.#told.cut.has(pattern)) continue;
      else if (now - cutAt > KNOWN_AFTER_MS) this.patterns.lift(record);
      else cut.add(pattern);
    }
    const neutral = new Set<string>();
    for (const record of this.parameters.records) {
      const { name, neutralAt } = record;
      if (neutralAt === null) continue;
      if (stored.neutral.has(name)) neutral.add(name);
      else if (isInTurn && !this.#told.neutral.has(name)) continue;
      else if (now - neutralAt > KNOWN_AFTER_MS) this.parameters.forget(record);
      else neutral.add(name);
    }
    this.#told = { cut, neutral };
  }

  /** Which patterns are cut, as a text to compare. */
  #cuts(): string {
    if (!this.patterns.hasCut) return "";
    return [...this.patterns.records]
      .filter(({ cutAt }) => cutAt !== null)
      .map(({ pattern }) => pattern)
      .sort()
      .join("\n");
  }
}
