import type { IndexDocument } from "../../src/search/document.ts";
import type { Analysis } from "../../src/text/analysis.ts";
import { hashesOf } from "../../src/text/fingerprint.ts";
import { digest } from "../../src/text/forward.ts";
import { packText } from "../../src/text/packed.ts";
import { packAnalysis, unpackAnalysis } from "../../src/text/packed-analysis.ts";

export const CRAWLED_AT = new Date("2025-06-01T00:00:00Z");

export type Given = Partial<Omit<IndexDocument, "analysis" | "text">> & {
  id: number;
  headings?: string;
  text?: string;
};

/** A document as a page would give it; what is not given is plain. */
export function documentOf(given: Given): IndexDocument {
  const { id, headings = "", ...rest } = given;
  const url = given.url ?? `https://${given.host ?? "a.example"}/page/${id}`;
  const host = given.host ?? new URL(url).hostname;
  const text = given.text ?? "";
  const title = given.title ?? "";
  const lang = given.lang === undefined ? "en" : given.lang;
  const fields = { title, headings, body: text, anchors: "", host, path: new URL(url).pathname };
  const { analysis, simhash } = digest(fields, lang);
  return {
    id,
    url,
    host,
    lang,
    title,
    description: "",
    publishedAt: null,
    crawledAt: CRAWLED_AT,
    contentHash: hashesOf(text).contentHash,
    linkDensity: 0,
    noarchive: false,
    regionScore: null,
    locations: [],
    category: null,
    simhash,
    ...rest,
    analysis: packAnalysis(analysis),
    text: packText(text),
  };
}

export const analysisOf = (document: IndexDocument): Analysis => unpackAnalysis(document.analysis)!;
