import { ENDS, type LanguageModel, loadLanguageModel, STARTS, slotOf } from "./language-model.ts";

/** Languages that a page says it is in, the most specific saying first. */
export interface DeclaredLanguages {
  html: string | null;
  header: string | null;
  meta: string | null;
  locale: string | null;
}

/**
 * Primary subtag of a page's language, lower case: what the page declares, unless its text is
 * clearly in another one; null when neither tells. Templates declare `en` for everything.
 */
export async function languageOf(
  declared: DeclaredLanguages,
  text: string,
): Promise<string | null> {
  const said =
    primarySubtag(declared.html) ??
    primarySubtag(declared.header) ??
    primarySubtag(declared.meta) ??
    primarySubtag(declared.locale);
  const heard = detectLanguage(await loadLanguageModel(), text);
  if (heard === null || !heard.isReliable) return said;
  if (said === null) return heard.lang;
  if (said === heard.lang || areAlike(said, heard.lang)) return said;
  return heard.grams >= CONTRADICTION_GRAMS ? heard.lang : said;
}

/** A text must be this long to prove a declaration wrong. */
const CONTRADICTION_GRAMS = 25;

/** Other codes for languages that we know by one. */
const SAME: Record<string, string> = {
  nb: "no",
  nn: "no",
  iw: "he",
  ji: "yi",
  in: "id",
  fil: "tl",
  cmn: "zh",
  yue: "zh",
  prs: "fa",
};

/** `fr` of `fr-CA, en`; null for what is no language tag. */
export function primarySubtag(tag: string | null): string | null {
  const subtag = /^\s*([a-z]{2,3})(?:[-_,;\s]|$)/i.exec(tag ?? "")?.[1]?.toLowerCase();
  if (subtag === undefined || subtag === "und" || subtag === "mul" || subtag === "zxx") return null;
  return SAME[subtag] ?? subtag;
}

/** Languages that the model does not know, or hardly tells apart, with those it takes them for. */
const ALIKE: readonly string[][] = [
  ["id", "ms", "jv", "su"],
  ["hr", "bs", "sr", "sh", "cnr", "sl"],
  ["pt", "gl", "es", "ast", "an"],
  ["ca", "oc", "es", "fr"],
  ["it", "co", "sc", "scn", "fur", "vec", "lmo"],
  ["bg", "mk", "sr"],
  ["nl", "af", "fy", "li"],
  ["de", "lb", "als", "gsw", "nds", "yi"],
  ["no", "da", "sv", "fo"],
  ["ru", "uk", "be", "kk", "ky", "tt", "ba", "mn", "tg"],
  ["tr", "az", "uz", "tk"],
  ["hi", "mr", "ne", "sa", "bho"],
  ["fa", "ur", "ps", "ku", "ckb", "ug", "ar"],
  ["zh", "ja"],
  ["cs", "sk"],
];

function areAlike(a: string, b: string): boolean {
  return ALIKE.some((group) => group.includes(a) && group.includes(b));
}

export interface Detection {
  lang: string;
  isReliable: boolean;
  /** Distinct n-grams looked at: how much text there was. */
  grams: number;
}

const SAMPLE_CHARS = 700;
const WORD_BYTES_MAX = 70;
const NOT_LETTERS = /[^\p{L}]+(?<!['`’])/gu;

const encoder = new TextEncoder();
const bytes = new Uint8Array(SAMPLE_CHARS * 3);

/** The language that the text sounds like, by n-grams of its bytes; null: no letters. */
export function detectLanguage(model: LanguageModel, text: string): Detection | null {
  const sample = text.slice(0, SAMPLE_CHARS).toLowerCase().replace(NOT_LETTERS, " ");
  const { written } = encoder.encodeInto(sample, bytes);
  const scores = new Int32Array(model.codes.length);
  const tally: Tally = { scores, slots: new Set(), unknown: new Set(), grams: 0 };
  for (let at = 0; at < written; ) {
    let end = at;
    while (end < written && bytes[end] !== 0x20) end++;
    if (end > at) addWord(model, tally, at, Math.min(end, at + WORD_BYTES_MAX));
    at = end + 1;
  }
  return tally.grams === 0 ? null : bestOf(model, tally);
}

interface Tally {
  readonly scores: Int32Array;
  /** Each n-gram counts once: slots of the model, and the bytes of what it does not have. */
  readonly slots: Set<number>;
  readonly unknown: Set<number>;
  grams: number;
}

/** Four bytes with a stride of three, then the last four. */
function addWord(model: LanguageModel, tally: Tally, start: number, end: number): void {
  let at = start;
  for (; at + 4 < end; at += 3) addGram(model, tally, at, at + 4, at === start ? STARTS : 0);
  const mark = (at === start ? STARTS : 0) | ENDS;
  addGram(model, tally, Math.max(start, end - 4), end, mark);
}

/** What eld took off every score to keep its file small. */
const BASE_SCORE = 53;

function addGram(
  model: LanguageModel,
  tally: Tally,
  start: number,
  end: number,
  mark: number,
): void {
  let gram = 0;
  for (let at = start; at < end; at++) gram = (gram << 8) | (bytes[at] as number);
  const slot = slotOf(model, gram >>> 0, mark);
  const isKnown = model.marks[slot] !== 0;
  const seen = isKnown ? tally.slots : tally.unknown;
  const identity = isKnown ? slot : gram;
  if (seen.has(identity)) return;
  seen.add(identity);
  tally.grams++;
  if (!isKnown) return;
  const { scores } = model;
  let at = model.offsets[slot] as number;
  for (let left = scores[at++] as number; left > 0; left--) {
    const lang = scores[at++] as number;
    tally.scores[lang] = (tally.scores[lang] as number) + (scores[at++] as number) + BASE_SCORE;
  }
}

/** Share of the best possible score below which a text is not in any language we know. */
const SCORE_MIN = 0.58;
const LEAD_MIN = 0.01;
const GRAMS_MIN = 3;

function bestOf(model: LanguageModel, tally: Tally): Detection | null {
  let best = 0;
  let second = 0;
  let lang = -1;
  for (const [at, score] of tally.scores.entries()) {
    if (score > best) [best, second, lang] = [score, best, at];
    else if (score > second) second = score;
  }
  if (lang < 0) return null;
  const scaled = (score: number) => score / (score + 25 * tally.grams);
  const isReliable =
    tally.grams >= GRAMS_MIN &&
    scaled(best) >= SCORE_MIN &&
    scaled(best) - scaled(second) >= LEAD_MIN;
  return { lang: model.codes[lang] as string, isReliable, grams: tally.grams };
}
