/*
 * Tokens of the full-text index. Words stand as they are; everything else begins with an
 * underscore, which no word has: t title, s salient, l language, o own host, h host or a parent of
 * it, a any document.
 */

/** Every document has it: what a query of filters alone matches. */
export const ANY_TOKEN = "_a";

export const titleToken = (term: string): string => `_t${term}`;
export const salientToken = (term: string): string => `_s${term}`;
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

/** All tokens of a document, as one text. */
export function tokensOf({ host, lang, analysis }: TokenSource): string {
  const parts = [ANY_TOKEN, analysis.terms];
  if (analysis.titleTerms !== "") parts.push(`_t${analysis.titleTerms.replaceAll(" ", " _t")}`);
  if (analysis.salientTerms !== "") parts.push(`_s${analysis.salientTerms.replaceAll(" ", " _s")}`);
  if (lang !== null) parts.push(langToken(lang));
  parts.push(hostToken(host));
  const labels = host.split(".").slice(-LABELS_MAX);
  for (let at = 0; at < labels.length; at++) parts.push(siteToken(labels.slice(at).join(".")));
  return parts.join(" ");
}

/** Letters and digits only, and no two texts the same. */
function encode(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, (char) => `_${char.charCodeAt(0).toString(16)}_`);
}
