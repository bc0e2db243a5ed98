import {
  ENDS,
  type LanguageModel,
  loadLanguageModel,
  offsetAt,
  placeOf,
  STARTS,
} from "./language-model.ts";

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
/** Scratch, used again for each text. */
const bytes = new Uint8Array(SAMPLE_CHARS * 3);

/** The language that the text sounds like, by n-grams of its bytes; null: no letters. */
export function detectLanguage(model: LanguageModel, text: string): Detection | null {
  const sample = text.slice(0, SAMPLE_CHARS).toLowerCase().replace(NOT_LETTERS, " ");
  const { written } = encoder.encodeInto(sample, bytes);
  const tally = new Tally(model);
  for (let at = 0; at < written; ) {
    let end = at;
    while (end < written && bytes[end] !== 0x20) end++;
    if (end > at) tally.addWord(at, Math.min(end, at + WORD_BYTES_MAX));
    at = end + 1;
  }
  return tally.grams === 0 ? null : tally.best();
}

/** What eld took off every score to keep its file small. */
const BASE_SCORE = 53;
/** Share of the best possible score below which a text is not in any language we know. */
const SCORE_MIN = 0.58;
const LEAD_MIN = 0.01;
const GRAMS_MIN = 3;

class Tally {
  grams = 0;
  private readonly model: LanguageModel;
  private readonly scores: Int32Array;

  constructor(model: LanguageModel) {
    this.model = model;
    this.scores = new Int32Array(model.codes.length);
    known.fill(0);
    unknown.fill(0);
  }

  /** Four bytes with a stride of three, then the last four. */
  addWord(start: number, end: number): void {
    let mark = STARTS;
    let at = start;
    for (; at + 4 < end; at += 3) {
      this.addGram(at, at + 4, mark);
      mark = 0;
    }
    this.addGram(Math.max(start, end - 4), end, mark | ENDS);
  }

  best(): Detection | null {
    let best = 0;
    let second = 0;
    let lang = -1;
    for (let at = 0; at < this.scores.length; at++) {
      const score = this.scores[at]!;
      if (score > best) {
        second = best;
        best = score;
        lang = at;
      } else if (score > second) second = score;
    }
    if (lang < 0) return null;
    const isReliable =
      this.grams >= GRAMS_MIN &&
      this.scaled(best) >= SCORE_MIN &&
      this.scaled(best) - this.scaled(second) >= LEAD_MIN;
    return { lang: this.model.codes[lang]!, isReliable, grams: this.grams };
  }

  private addGram(start: number, end: number, mark: number): void {
    let gram = 0;
    for (let at = start; at < end; at++) gram = (gram << 8) | bytes[at]!;
    const { table, scores } = this.model;
    const place = placeOf(table, gram, mark);
    let at = offsetAt(table, place);
    if (at < 0) {
      if (isNew(unknown, gram)) this.grams++;
      return;
    }
    if (!isNew(known, place + 1)) return;
    this.grams++;
    for (let left = scores[at++]!; left > 0; left--) {
      const lang = scores[at++]!;
      this.scores[lang]! += scores[at++]! + BASE_SCORE;
    }
  }

  private scaled(score: number): number {
    return score / (score + 25 * this.grams);
  }
}

/** A power of two, four times the n-grams that a sample can have. */
const SEEN_SLOTS = 4_096;
/**
 * Each n-gram counts once: places in the model, and the bytes of what it does not have. Open
 * addressing; 0 is free, for no n-gram is made of zeros.
 */
const known = new Int32Array(SEEN_SLOTS);
const unknown = new Int32Array(SEEN_SLOTS);

/** Puts a number into a set; false when it was there. */
function isNew(seen: Int32Array, number: number): boolean {
  let slot = (Math.imul(number, 0x9e3779b1) >>> 20) & (SEEN_SLOTS - 1);
  for (; seen[slot] !== 0; slot = (slot + 1) & (SEEN_SLOTS - 1)) {
    if (seen[slot] === number) return false;
  }
  seen[slot] = number;
  return true;
}
