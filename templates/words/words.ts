import type { SubmitRefusal } from "../../src/crawl/submit.ts";
import type { Breakdown } from "../../src/search/signals.ts";
import type { LayoutWords } from "../layout.tsx";
import type { BotWords } from "./bot.ts";
import { en } from "./en.ts";
import type { Formats } from "./formats.ts";
import { fr } from "./fr.ts";
import type { HostRuleWords } from "./host-rules.ts";
import type { PlaceWords } from "./places.ts";
import { pt } from "./pt.ts";
import type { RefusalWords } from "./refusals.ts";
import { ru } from "./ru.ts";
import type { SignInWords } from "./sign-in.ts";

/** Languages that the public pages speak. `lang=` in a URL never means these: it is a filter. */
export type Language = "en" | "fr" | "pt" | "ru";

export const LANGUAGES: readonly Language[] = ["en", "fr", "pt", "ru"];

const DICTIONARIES: Record<Language, Words> = { en, fr, pt, ru };

export const wordsOf = (language: Language): Words => DICTIONARIES[language];

export const isLanguage = (value: string): value is Language =>
  (LANGUAGES as readonly string[]).includes(value);

/** What a dictionary calls something; a name that it does not know is shown as it is. */
export function labelOf(
  labels: Readonly<Record<string, string>>,
  name: string,
  fallback = name,
): string {
  return Object.hasOwn(labels, name) ? labels[name]! : fallback;
}

/** Every text of the public pages. A dictionary that misses one does not compile. */
export interface Words extends Formats {
  /** The language in its own words. */
  name: string;
  layout: LayoutWords;
  languageTitle: string;
  error: ErrorWords;
  refusal: RefusalWords;
  signIn: SignInWords;
  search: SearchWords;
  places: PlaceWords;
  explain: ExplainWords;
  hostRules: HostRuleWords;
  submit: SubmitWords;
  cached: CachedWords;
  bot: BotWords;
}

export interface ErrorWords {
  badRequest: string;
  back: string;
  /** Readable faults of a query parameter. */
  integer(parameter: string, min: number, max: number): string;
  window(max: number): string;
  choice(parameter: string, choices: readonly string[]): string;
  date(parameter: string): string;
  tooLong(parameter: string, max: number): string;
  malformed(parameter: string): string;
}

export interface SearchWords {
  title: string;
  titleOf(query: string): string;
  label: string;
  placeholder: string;
  button: string;
  suggestions: string;
  intro: string;
  indexed(documents: number): string;
  tipsTitle: string;
  tips: readonly { readonly example: string; readonly means: string }[];
  keys: string;
  count(total: number, capped: boolean): string;
  announce(total: number, capped: boolean): string;
  page(page: number): string;
  took(ms: number): string;
  results: string;
  sort: string;
  relevance: string;
  date: string;
  filters: string;
  clear: string;
  remove(filter: string): string;
  lang: string;
  host: string;
  category: string;
  year: string;
  from: string;
  to: string;
  apply: string;
  period: string;
  formats: string;
  published: string;
  crawled: string;
  untitled: string;
  more(count: number, host: string): string;
  /** Near duplicates that are left out. */
  similar(count: number): string;
  /** Before what a language model wrote of a page. */
  summary: string;
  cached: string;
  why: string;
  didYouMean: string;
  none(query: string): string;
  noneFilters: string;
  noneIndex: string;
  noneHints: readonly string[];
  noneEmptyIndex: string;
  beyond: string;
  firstPage: string;
  withoutFilters: string;
  crawlThis: string;
  crawlThisText: string;
  previous: string;
  next: string;
  pages: string;
  capped: string;
  unavailable: string;
  unavailableText: string;
  retry: string;
  offline: string;
  degraded(parts: readonly string[]): string;
  storeDown: string;
  hostMenu(host: string): string;
  blockHost: string;
  unblockHost: string;
  raiseHost: string;
  lowerHost: string;
  raised: string;
  hidden(count: number): string;
  feedOf(query: string): string;
}

export interface ExplainWords {
  score: string;
  neutral: string;
  names: Record<keyof Breakdown, string>;
  notes: Record<keyof Breakdown, string>;
}

export interface SubmitWords {
  title: string;
  intro: string;
  label: string;
  hint: string;
  button: string;
  queued: string;
  known: string;
  review: string;
  refused: string;
  off: string;
  offText: string;
  missing: string;
  unavailable: string;
  another: string;
  reasons: Record<SubmitRefusal, string>;
}

export interface CachedWords {
  title(title: string): string;
  notice(date: string): string;
  back: string;
  missing: string;
  missingText: string;
  noarchive: string;
  noarchiveText: string;
  empty: string;
}
