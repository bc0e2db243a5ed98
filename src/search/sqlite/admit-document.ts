import type { Analysis } from "../../text/analysis.ts";
import { ForwardData } from "../../text/forward-data.ts";
import { unpackAnalysis } from "../../text/packed-analysis.ts";
import type { IndexDocument } from "../document.ts";
import { isId } from "./tables.ts";

/** Of a packed text; a page's is a few kilobytes, and never as long as this. */
const TEXT_BYTES_MAX = 1024 * 1024;
const TITLE_MAX = 1_000;
const URL_MAX = 8_192;
const HOST_MAX = 255;
const CATEGORY_MAX = 100;
const LOCATIONS_MAX = 20;

/** A document with its analysis unpacked. */
export type ReadDocument = Omit<IndexDocument, "analysis"> & { analysis: Analysis };

export type Checked =
  | { kind: "checked"; document: ReadDocument; forward: ForwardData }
  | { kind: "refused"; detail: string };

/** The document as SQLite can hold it: strings bounded, well-formed and without NUL. */
export function checkDocument(document: IndexDocument): Checked {
  const detail = faultOf(document);
  if (detail !== null) return { kind: "refused", detail };
  const analysis = unpackAnalysis(document.analysis);
  const forward = analysis && ForwardData.read(analysis.forward);
  if (!forward) return { kind: "refused", detail: "the analysis is damaged" };
  return {
    kind: "checked",
    forward,
    document: {
      ...document,
      analysis,
      url: clean(document.url, URL_MAX),
      host: clean(document.host, HOST_MAX).toLowerCase(),
      lang: document.lang === null ? null : clean(document.lang, 16),
      title: clean(document.title, TITLE_MAX),
      description: clean(document.description, TITLE_MAX),
      category: document.category === null ? null : clean(document.category, CATEGORY_MAX),
      locations: document.locations.slice(0, LOCATIONS_MAX),
      regionScore: within(document.regionScore),
      linkDensity: Number.isFinite(document.linkDensity) ? document.linkDensity : 0,
    },
  };
}

function faultOf(document: IndexDocument): string | null {
  if (!isId(document.id)) return `no id of a document: ${document.id}`;
  if (document.url.length > URL_MAX) return `the URL is longer than ${URL_MAX}`;
  if (document.text.length > TEXT_BYTES_MAX) return `the text has over ${TEXT_BYTES_MAX} bytes`;
  if (Number.isNaN(document.crawledAt.getTime())) return "crawledAt is no date";
  if (Number.isNaN(document.publishedAt?.getTime() ?? 0)) return "publishedAt is no date";
  return null;
}

function within(score: number | null): number | null {
  if (score === null || !Number.isFinite(score)) return null;
  return Math.min(Math.max(score, 0), 1);
}

const clean = (text: string, max: number): string =>
  text.slice(0, max).replaceAll("\0", " ").toWellFormed();
