import { hashText } from "../text/hash.ts";
import {
  isAtLevel,
  isSameText,
  levelOf,
  shinglesOf,
  type TextSample,
  textHashOf,
  wordsOf,
} from "../text/shingles.ts";
import type { CanonicalUrl } from "../url/canonical.ts";
import { type Parameter, parametersOf, queryOf, withQuery } from "../url/pattern.ts";

/**
 * A parameter is neutral after so much evidence that pages which differ in it alone say the same,
 * and none that they do not: 4 pairs of pages of 200 characters and more, or 12 shorter ones, which
 * are too often equal by chance ("Not found").
 */
const EVIDENCE_MIN = 12;
const EVIDENCE_LONG = 3;
const EVIDENCE_SHORT = 1;
/** It is learned anew after this: a site changes. */
export const NEUTRAL_MS = 30 * 86_400_000;
/** Parameters of one URL that are looked at; longer queries are forms. */
const OF_URL_MAX = 8;
/** Parameters kept of a host. */
const NAMES_MAX = 32;
/** Longer names are no names. */
const NAME_CHARS_MAX = 60;
/** Pages that the next one is compared with, by what they share. */
const RECENT_MAX = 192;
/** After this a page may have changed by itself. */
const RECENT_MS = 3_600_000;
/** Shingles kept of a page, the lowest; two pages that share less than this of them differ. */
const KEPT_SHINGLES = 8;
const ALIKE_SHARE = 0.75;

export interface ParameterRecord {
  readonly name: string;
  same: number;
  different: number;
  neutralAt: number | null;
}

/** Parameters by which two pages of one text may differ: of more none is blamed. */
const BLAMED_MAX = 3;

/** A page, by what it shares with others but for one parameter. */
interface Recent {
  /** The parameter that the URL has besides; null: it has none. */
  readonly name: string | null;
  readonly written: string;
  readonly sample: TextSample;
  readonly at: number;
}

/** The last page of a text. */
interface Told {
  readonly parameters: readonly Parameter[];
  readonly linksHash: number;
  readonly pathsHash: number;
}

/** What parameters are judged by: the text of a page, and where it leads. */
export interface PageShown {
  readonly sample: TextSample;
  /** Of 200 characters and more. */
  readonly isLong: boolean;
  /** See parse/links.ts; 0: not known. */
  readonly linksHash: number;
  readonly pathsHash: number;
}

/** What one host's query parameters have shown. */
export class HostParameters {
  readonly #records = new Map<string, ParameterRecord>();
  /** By the hash of a URL less some parameters. */
  readonly #recent = new Map<number, Recent>();
  /** By the hash of path and text. */
  readonly #told = new Map<number, Told>();
  #neutral: ReadonlySet<string> = new Set();

  get records(): Iterable<ParameterRecord> {
    return this.#records.values();
  }

  get neutral(): ReadonlySet<string> {
    return this.#neutral;
  }

  adopt(record: ParameterRecord): void {
    const own = this.#records.get(record.name);
    if (own !== undefined && evidenceOf(own) > evidenceOf(record)) return;
    this.#records.set(record.name, record);
    this.#count();
  }

  /** A page was read; gives the records by which other parameters are neutral than before. */
  note(url: CanonicalUrl, shown: PageShown, now: number): ParameterRecord[] {
    const query = queryOf(url);
    if (wordsOf(shown.sample) === 0) return [];
    if (query === "" && this.#recent.size === 0) return [];
    const all = parametersOf(query);
    if (all.length > OF_URL_MAX) return [];
    const before = this.#neutral;
    this.#expire(now);
    const bare = query === "" ? url : url.slice(0, url.length - query.length - 1);
    if (all.length > 0) this.#weighSame(bare, all, shown, now);
    this.#weighDifferent(bare, all, shown.sample, now);
    this.#count();
    return [...this.#records.values()].filter(
      ({ name, neutralAt }) => before.has(name) !== (neutralAt !== null),
    );
  }

  /** It shall be learned anew. */
  forget(record: ParameterRecord): void {
    record.same = 0;
    record.different = 0;
    record.neutralAt = null;
    this.#count();
  }

  /** One text at one path: what the URLs differ in changes nothing, each of it. */
  #weighSame(bare: string, all: readonly Parameter[], shown: PageShown, now: number): void {
    const { sample, isLong, linksHash, pathsHash } = shown;
    const hash = hashText(bare) ^ textHashOf(sample);
    const before = this.#told.get(hash);
    remember(this.#told, hash, { parameters: all, linksHash, pathsHash });
    if (before === undefined) return;
    const blamed = differing(before.parameters, all).filter((name) => !this.#neutral.has(name));
    if (blamed.length === 0 || blamed.length > BLAMED_MAX) return;
    // What only shows other links is another page: a gallery without words.
    const leadsAlike = haveSameNames(before.parameters, all)
      ? before.linksHash === linksHash
      : before.pathsHash === pathsHash;
    if (!leadsAlike) return;
    for (const name of blamed) {
      const record = this.#record(name);
      if (record === null) continue;
      record.same += isLong ? EVIDENCE_LONG : EVIDENCE_SHORT;
      if (record.different === 0 && record.same >= EVIDENCE_MIN) record.neutralAt ??= now;
    }
  }

  /** Pages that differ in one parameter alone, and in what seems to be neutral, and not alike. */
  #weighDifferent(bare: string, all: readonly Parameter[], sample: TextSample, now: number): void {
    const neutral = all.filter(({ name }) => this.#neutral.has(name));
    const meant = all.filter(({ name }) => !this.#neutral.has(name));
    if (neutral.length === 1) this.#compare(withQuery(bare, meant), neutral[0]!, sample, now);
    if (neutral.length === 0) this.#compare(withQuery(bare, meant), null, sample, now);
    const firm = meant.filter(({ name }) => !this.#seemsNeutral(name));
    for (const left of meant) {
      const others = (firm.includes(left) ? firm : meant).filter((each) => each !== left);
      this.#compare(withQuery(bare, others), left, sample, now);
    }
  }

  #seemsNeutral(name: string): boolean {
    const record = this.#records.get(name);
    return record !== undefined && record.same > 0 && record.different === 0;
  }

  #compare(key: string, parameter: Parameter | null, sample: TextSample, now: number): void {
    const hash = hashText(key);
    const before = this.#recent.get(hash);
    const name = parameter?.name ?? null;
    const written = parameter?.written ?? "";
    if (before === undefined || now - before.at > RECENT_MS) {
      remember(this.#recent, hash, { name, written, sample: kept(sample), at: now });
      return;
    }
    const subject = name ?? before.name;
    // The same page once more, or one that has another parameter in the same place.
    if (subject === null || before.written === written) return;
    if (name !== null && before.name !== null && name !== before.name) return;
    if (isSameText(before.sample, sample) || isAlike(before.sample, sample)) return;
    const record = this.#record(subject);
    if (record === null) return;
    record.different++;
    record.neutralAt = null;
  }

  #record(name: string): ParameterRecord | null {
    const known = this.#records.get(name);
    if (known !== undefined) return known;
    if (this.#records.size >= NAMES_MAX || name === "" || name.length > NAME_CHARS_MAX) return null;
    const record = { name, same: 0, different: 0, neutralAt: null };
    this.#records.set(name, record);
    return record;
  }

  #expire(now: number): void {
    if (this.#neutral.size === 0) return;
    for (const record of this.#records.values()) {
      if (record.neutralAt !== null && now - record.neutralAt >= NEUTRAL_MS) this.forget(record);
    }
  }

  #count(): void {
    const neutral = [...this.#records.values()].filter(({ neutralAt }) => neutralAt !== null);
    this.#neutral = new Set(neutral.map(({ name }) => name));
  }
}

function remember<T>(map: Map<number, T>, hash: number, value: T): void {
  map.delete(hash);
  map.set(hash, value);
  if (map.size > RECENT_MAX) map.delete(map.keys().next().value!);
}

/** Names of parameters whose values differ, or that only one of two queries has. */
function differing(a: readonly Parameter[], b: readonly Parameter[]): string[] {
  const [as, bs] = [writtenOf(a), writtenOf(b)];
  const names = new Set([...a, ...b].map(({ name }) => name));
  return [...names].filter((name) => as.get(name) !== bs.get(name));
}

const writtenOf = (all: readonly Parameter[]): Map<string, string> =>
  new Map(all.map(({ name, written }) => [name, written]));

const haveSameNames = (a: readonly Parameter[], b: readonly Parameter[]): boolean =>
  a.length === b.length && a.every(({ name }) => b.some((each) => each.name === name));

const evidenceOf = ({ same, different }: ParameterRecord): number => same + different;

/** As much of a sample as a comparison needs: the header, and its lowest shingles. */
function kept(sample: TextSample): TextSample {
  const lowest = shinglesOf(sample).slice().sort().subarray(0, KEPT_SHINGLES);
  const header = sample.subarray(0, sample.length - shinglesOf(sample).length);
  const copy = new Int32Array(header.length + lowest.length);
  copy.set(header);
  copy.set(lowest, header.length);
  return copy as TextSample;
}

/** Perhaps the same page with a clock or a counter on it: that tells neither way. */
function isAlike(before: TextSample, now: TextSample): boolean {
  const level = levelOf(now);
  const lowest = shinglesOf(before).filter((hash) => isAtLevel(hash, level));
  // Of texts so short, or so unlike in length, the length alone tells.
  if (lowest.length < 2) return Math.abs(wordsOf(before) - wordsOf(now)) <= wordsOf(now) / 4;
  const all = new Set(shinglesOf(now));
  let shared = 0;
  for (const hash of lowest) if (all.has(hash)) shared++;
  return shared >= lowest.length * ALIKE_SHARE;
}
