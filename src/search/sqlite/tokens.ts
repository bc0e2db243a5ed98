import type { ForwardData } from "../../text/forward-data.ts";
import { hashText } from "../../text/hash.ts";
import { impactOf } from "./impact.ts";

/*
 * Tokens of the full-text index. Words stand as they are; everything else begins with an
 * underscore, which no word has: t title, s salient, i by impact, l language, o own host, h host or
 * a parent of it, a any document.
 */

/** Every document has it: what a query of filters alone matches. */
export const ANY_TOKEN = "_a";

export const titleToken = (term: string): string => `_t${term}`;
export const salientToken = (term: string): string => `_s${term}`;
export const impactToken = (level: number) => {
  const prefix = `_i${level.toString(36)}`;
  return (term: string): string => prefix + term;
};
export const langToken = (lang: string): string => `_l${encode(lang)}`;
export const hostToken = (host: string): string => `_o${encode(host)}`;
export const siteToken = (host: string): string => `_h${encode(host)}`;

/** Labels of a host that `site:` can name, from the right. */
const LABELS_MAX = 8;

export interface TokenSource {
  host: string;
  lang: string | null;
  analysis: { terms: string; titleTerms: string; salientTerms: string };
}

/** All tokens of a document, as one text; `quality` is that of signals.ts. */
export function tokensOf(
  { host, lang, analysis }: TokenSource,
  forward: ForwardData,
  quality: number,
): string {
  const parts = [ANY_TOKEN, analysis.terms];
  if (analysis.titleTerms !== "") parts.push(`_t${analysis.titleTerms.replaceAll(" ", " _t")}`);
  if (analysis.salientTerms !== "") {
    parts.push(`_s${analysis.salientTerms.replaceAll(" ", " _s")}`);
    addImpacts(parts, analysis.salientTerms, forward, quality);
  }
  if (lang !== null) parts.push(langToken(lang));
  parts.push(hostToken(host));
  const labels = host.split(".").slice(-LABELS_MAX);
  for (let at = 0; at < labels.length; at++) parts.push(siteToken(labels.slice(at).join(".")));
  return parts.join(" ");
}

function addImpacts(parts: string[], salient: string, forward: ForwardData, quality: number): void {
  const impact = impactOf(forward, quality);
  for (const term of salient.split(" ")) {
    const level = impact.levelOf(forward.find(hashText(term)));
    if (level >= 0) parts.push(impactToken(level)(term));
  }
}

/** Letters and digits only, and no two texts the same. */
function encode(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, (char) => `_${char.charCodeAt(0).toString(16)}_`);
}
