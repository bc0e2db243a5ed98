import type { ForwardData } from "../../text/forward-data.ts";
import { hashText } from "../../text/hash.ts";
import { impactOf, LEVEL_MAX } from "./impact.ts";

/*
 * Tokens of the full-text index. Words stand as they are; everything else begins with an
 * underscore, which no word has: t title, i what a document is about, l language, c category, o own
 * host, h host or a parent of it, a any document.
 */

/** Every document has it: what a query of filters alone matches. */
export const ANY_TOKEN = "_a";

export const titleToken = (term: string): string => `_t${term}`;
/** What all tokens begin with that say how much a document is about a term. */
export const impactPrefix = (term: string): string => `_i${term}_`;
/** The highest level comes first among them: see impacts.ts. */
const LEVEL_LETTERS = Array.from({ length: LEVEL_MAX + 2 }, (_, at) =>
  String.fromCharCode(97 + LEVEL_MAX - (at - 1)),
);
export const langToken = (lang: string): string => `_l${encode(lang)}`;
export const categoryToken = (category: string): string => `_c${encode(category)}`;
export const hostToken = (host: string): string => `_o${encode(host)}`;
export const siteToken = (host: string): string => `_h${encode(host)}`;

/** Labels of a host that `site:` can name, from the right. */
const LABELS_MAX = 8;

export interface TokenSource {
  host: string;
  lang: string | null;
  category: string | null;
  analysis: { terms: string; titleTerms: string; salientTerms: string };
}

/** All tokens of a document, as one text; `quality` is that of signals.ts. */
export function tokensOf(
  { host, lang, category, analysis }: TokenSource,
  forward: ForwardData,
  quality: number,
): string {
  const parts = [ANY_TOKEN, analysis.terms];
  if (analysis.titleTerms !== "") parts.push(`_t${analysis.titleTerms.replaceAll(" ", " _t")}`);
  if (analysis.salientTerms !== "") addImpacts(parts, analysis.salientTerms, forward, quality);
  if (lang !== null) parts.push(langToken(lang));
  if (category !== null) parts.push(categoryToken(category));
  parts.push(hostToken(host));
  const labels = host.split(".").slice(-LABELS_MAX);
  for (let at = 0; at < labels.length; at++) parts.push(siteToken(labels.slice(at).join(".")));
  return parts.join(" ");
}

function addImpacts(parts: string[], salient: string, forward: ForwardData, quality: number): void {
  const impact = impactOf(forward, quality);
  for (const term of salient.split(" ")) {
    const level = impact.levelOf(forward.find(hashText(term)));
    parts.push(`_i${term}_${LEVEL_LETTERS[level + 1]!}`);
  }
}

/** Letters and digits only, and no two texts the same. */
function encode(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, (char) => `_${char.charCodeAt(0).toString(16)}_`);
}
