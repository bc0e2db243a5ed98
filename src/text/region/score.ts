import { Evidence, type Hit, IN_HEADING, IN_TITLE } from "./evidence.ts";
import type { RegionLexicon } from "./lexicon.ts";
import { isBelow, type SignalKind } from "./profile.ts";

/** What of a page speaks for the region, or (below zero) for somewhere else. */
export interface RegionEvidence {
  readonly kind: SignalKind;
  readonly matched: string;
  readonly count: number;
  /** All of them add up to the points behind the score, but for what rounding takes. */
  readonly points: number;
}

export interface RegionVerdict {
  /** 0..1. */
  readonly score: number;
  readonly signals: readonly RegionEvidence[];
  /** Places of the region that it names, the most telling first. */
  readonly locations: readonly string[];
  readonly category: string | null;
}

export interface RegionPage {
  readonly host: string;
  readonly title: string;
  /** Language of the text, and tags that the page declares. */
  readonly lang: string | null;
  readonly tags: readonly string[];
  /** All visible text, header and footer too. */
  readonly blocks: readonly { readonly text: string; readonly region: number }[];
  /** Bit of `region` that is set in headings. */
  readonly headings: number;
}

/** Points that make a score of a half: no kind of evidence but the suffix gets there alone. */
const EVEN = 3;
const STEEPNESS = 1.1;
const SIGNALS_MAX = 24;
const LOCATIONS_MAX = 20;

/** The next of a kind is worth so much of the one before. */
const NEXT = { postal: 0.4, phone: 0.4, institution: 0.6 } as const;
/** Names in running text are worth this at most, by how dense they stand. */
const PLACES_MOST = 1.5;
/** Mentions in a hundred words that are worth two thirds of it. */
const PLACES_DENSITY = 0.8;
/** Few words are no density. */
const WORDS_MIN = 150;
/** What speaks for elsewhere takes this at most: who writes of a region may sit anywhere. */
const AGAINST_MOST = 3.5;
const TITLE_WORTH = 0.9;
const HEADING_WORTH = 0.4;

/** Deterministic, linear in the text; says how the score came about. */
export function scoreRegion(lexicon: RegionLexicon, page: RegionPage): RegionVerdict {
  const evidence = new Evidence(lexicon);
  evidence.read(page.title, IN_TITLE);
  for (const { text, region } of page.blocks) {
    evidence.read(text, (region & page.headings) === 0 ? 0 : IN_HEADING);
  }
  const hits = [...evidence.names.values(), ...evidence.numbers.values()];
  const signals = bounded([
    ...hostSignals(lexicon, page.host),
    ...languageSignals(lexicon, page),
    ...(["postal", "phone", "institution"] as const).flatMap((kind) => counted(kind, hits)),
    ...placed(hits.filter(isFor), evidence.words),
    ...placed(hits.filter(isAgainst), evidence.words),
  ]);
  const points = signals.reduce((sum, signal) => sum + signal.points, 0);
  return {
    score: rounded(1 / (1 + Math.exp((EVEN - points) * STEEPNESS))),
    signals: shown(signals),
    locations: locationsOf(hits),
    category: categoryOf(lexicon, hits),
  };
}

/** Less and less for each further sign of elsewhere. */
function bounded(signals: readonly RegionEvidence[]): RegionEvidence[] {
  const against = signals.reduce((sum, { points }) => sum + Math.max(0, -points), 0);
  if (against === 0) return [...signals];
  const share = (AGAINST_MOST * (1 - Math.exp(-against / AGAINST_MOST))) / against;
  return signals.map((signal) =>
    signal.points < 0 ? { ...signal, points: signal.points * share } : signal,
  );
}

/** The suffix that says the most. */
function hostSignals({ suffixes }: RegionLexicon, host: string): RegionEvidence[] {
  const below = suffixes.filter(({ suffix }) => isBelow(host, suffix));
  const best = strongest(below);
  return best === null ? [] : [one("suffix", `.${best.suffix}`, best.weight)];
}

/** A tag that another language's text contradicts was left by whoever made the template. */
function languageSignals({ languages }: RegionLexicon, page: RegionPage): RegionEvidence[] {
  const declared = page.tags.map((tag) => tag.trim().toLowerCase().replaceAll("_", "-"));
  const tags = declared.filter((tag) => page.lang === null || tag.split("-")[0] === page.lang);
  if (page.lang !== null) tags.push(page.lang);
  const said = languages.filter(({ tag }) =>
    tags.some((each) => each === tag || each.startsWith(`${tag}-`)),
  );
  const best = strongest(said);
  return best === null ? [] : [one("language", best.tag, best.weight)];
}

function strongest<T extends { weight: number }>(all: readonly T[]): T | null {
  return all.reduce<T | null>(
    (best, each) => (best === null || Math.abs(each.weight) > Math.abs(best.weight) ? each : best),
    null,
  );
}

const one = (kind: SignalKind, matched: string, points: number): RegionEvidence => ({
  kind,
  matched,
  count: 1,
  points,
});

const isFor = ({ name }: Hit): boolean => name.weight > 0;
const isAgainst = ({ name }: Hit): boolean => name.weight < 0;

/** Each further one of a kind is worth less: a list of shops is no better than three of them. */
function counted(kind: keyof typeof NEXT, hits: readonly Hit[]): RegionEvidence[] {
  const ofKind = hits.filter(({ name }) => name.kind === kind);
  return [ofKind.filter(isFor), ofKind.filter(isAgainst)].flatMap((side) =>
    side
      .sort((a, b) => Math.abs(b.name.weight) - Math.abs(a.name.weight))
      .map((hit, at) => evidenceOf(kind, hit, hit.name.weight * NEXT[kind] ** at)),
  );
}

/** Places of one side: how dense they stand, and whether title or headings name one. */
function placed(hits: readonly Hit[], words: number): RegionEvidence[] {
  const places = hits.filter(({ name }) => name.kind === "place");
  const mass = places.map(({ name, count }) => Math.abs(name.weight) * Math.sqrt(count));
  const all = mass.reduce((sum, each) => sum + each, 0);
  if (all === 0) return [];
  const density = (all * 100) / Math.max(words, WORDS_MIN);
  const running = PLACES_MOST * (1 - Math.exp(-density / PLACES_DENSITY));
  const inTitle = bestOf(places, IN_TITLE);
  const inHeading = inTitle === null ? bestOf(places, IN_HEADING) : null;
  return places.map((hit, at) => {
    const { weight } = hit.name;
    let points = (Math.sign(weight) * running * mass[at]!) / all;
    if (hit === inTitle) points += weight * TITLE_WORTH;
    if (hit === inHeading) points += weight * HEADING_WORTH;
    return evidenceOf("place", hit, points);
  });
}

function bestOf(hits: readonly Hit[], where: number): Hit | null {
  const there = hits.filter((hit) => (hit.where & where) !== 0);
  return there.reduce<Hit | null>(
    (best, hit) =>
      best === null || Math.abs(hit.name.weight) > Math.abs(best.name.weight) ? hit : best,
    null,
  );
}

const evidenceOf = (kind: SignalKind, { name, count }: Hit, points: number): RegionEvidence => ({
  kind,
  matched: name.written,
  count,
  points,
});

/** The most telling ones; the others in one, so that the sum stays. */
function shown(signals: readonly RegionEvidence[]): RegionEvidence[] {
  const sorted = [...signals].sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
  const first = sorted.slice(0, SIGNALS_MAX);
  const rest = sorted.slice(SIGNALS_MAX);
  if (rest.length > 0) {
    const points = rest.reduce((sum, signal) => sum + signal.points, 0);
    first.push({ kind: rest[0]!.kind, matched: `${rest.length} more`, count: rest.length, points });
  }
  return first.map((signal) => ({ ...signal, points: rounded(signal.points) }));
}

function locationsOf(hits: readonly Hit[]): string[] {
  const places = hits.filter((hit) => hit.name.kind === "place" && isFor(hit));
  const told = ({ name, count, where }: Hit) => name.weight * (count + where);
  places.sort((a, b) => told(b) - told(a));
  return [...new Set(places.map(({ name }) => name.written))].slice(0, LOCATIONS_MAX);
}

const CATEGORY_ENOUGH = 4;

/** The category whose words stand there the most; titles count four times, headings twice. */
function categoryOf({ categories }: RegionLexicon, hits: readonly Hit[]): string | null {
  const told = new Array<number>(categories.length).fill(0);
  for (const { name, count, where } of hits) {
    if (name.kind !== "category") continue;
    told[name.category]! += Math.min(count, 3) + ((where & IN_TITLE) !== 0 ? 4 : 0) + (where & 1);
  }
  const most = Math.max(...told);
  return most >= CATEGORY_ENOUGH ? categories[told.indexOf(most)]! : null;
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
