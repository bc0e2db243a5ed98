import { hashesOf } from "../text/fingerprint.ts";
import { digest } from "../text/forward.ts";
import type { RegionLexicon } from "../text/region/lexicon.ts";
import { scoreRegion } from "../text/region/score.ts";
import { type CanonicalUrl, canonicalUrl } from "../url/canonical.ts";
import { hostName } from "../url/host.ts";
import { decodeBody } from "./charset.ts";
import { cleanLine, cleanLines, cutAt } from "./clean.ts";
import { type Content, mainContent } from "./content.ts";
import { dateOfUrl, publishedAt } from "./dates.ts";
import { parseDirectives } from "./directives.ts";
import { HEADING } from "./elements.ts";
import { createFacts, type Facts } from "./facts.ts";
import { fieldsOf } from "./fields.ts";
import { datesOfJsonLd } from "./json-ld.ts";
import { languageOf } from "./language.ts";
import {
  baseOf,
  canonicalOf,
  distinctLinks,
  feedsOf,
  hashesOfLinks,
  linkedHosts,
} from "./links.ts";
import type { ParsedPage, ParseRequest, ParseResult } from "./parsed.ts";
import { type Block, scanPage } from "./scan.ts";
import { isBinaryText, kindOfBody } from "./sniff.ts";

const TITLE_CHARS_MAX = 500;
const DESCRIPTION_CHARS_MAX = 1_000;
const HEADINGS_CHARS_MAX = 8_000;
/** A long book; what follows is neither searched nor shown. */
const TEXT_CHARS_MAX = 200_000;

/**
 * Everything that one body tells; linear in its size. Throws only for a `url` that is none. With a
 * `region`, how far it is of there.
 */
export async function parsePage(
  request: ParseRequest,
  region: RegionLexicon | null = null,
): Promise<ParseResult> {
  const kind = kindOfBody(request.body, request.contentType);
  if (kind === "feed" || kind === "sitemap" || kind === "pdf" || kind === "binary") {
    return { kind: "not a page", what: kind };
  }
  const { text } = decodeBody(request.body, request.charset);
  if (isBinaryText(text)) return { kind: "not a page", what: "binary" };
  const facts = createFacts(request.robotsToken);
  if (kind === "text") {
    const content = plainContent(text);
    const blocks = [{ text: content.text, region: 0, linkChars: 0 }];
    return pageOf(request, facts, { content, blocks, region });
  }
  const { blocks } = scanPage(text, facts, kind === "xhtml");
  return pageOf(request, facts, { content: mainContent(blocks), blocks, region });
}

interface Said {
  readonly content: Content;
  /** All visible text. */
  readonly blocks: readonly Block[];
  readonly region: RegionLexicon | null;
}

/** Plain text has its paragraphs already: blank lines go, and the white space inside a line. */
function plainContent(text: string): Content {
  const lines = cutAt(text, TEXT_CHARS_MAX * 2)
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[\s]*/g, "\n");
  return { text: lines.trim(), linkDensity: 0 };
}

async function pageOf(request: ParseRequest, facts: Facts, said: Said): Promise<ParsedPage> {
  const { content } = said;
  const self = ownUrl(request.url);
  const base = baseOf(self, facts.base);
  const title = titleOf(facts);
  const text = cleanLines(content.text, TEXT_CHARS_MAX);
  const headings = cleanLines(facts.headings.join("\n"), HEADINGS_CHARS_MAX);
  const lang = await languageOf(
    {
      html: facts.htmlLang,
      header: request.contentLanguage,
      meta: facts.metaLang,
      locale: facts.ogLocale,
    },
    text,
  );
  const links = distinctLinks(facts.links, base, self);
  const described = facts.description ?? facts.ogDescription ?? "";
  return {
    kind: "page",
    title,
    description: cleanLine(described, DESCRIPTION_CHARS_MAX),
    lang,
    headings,
    text,
    publishedAt: publishedAt(datesOf(facts, self), request.fetchedAt ?? Number.POSITIVE_INFINITY),
    canonical: canonicalOf(saidCanonicals(request, facts), base, self),
    links,
    linkedHosts: linkedHosts(links, self),
    ...hashesOfLinks(links, self),
    feeds: feedsOf(facts.feeds, base),
    linkCount: facts.linkCount,
    linkDensity: content.linkDensity,
    directives: parseDirectives({
      metas: facts.robots,
      headers: request.robotsTag,
      reservations: [request.tdmReservation, facts.tdmReservation],
      robotsToken: request.robotsToken,
    }),
    ...hashesOf(text),
    region: regionOf({ request, facts, said, self, title, lang }),
    ...digest(fieldsOf({ url: self, title, headings, text }), lang),
  };
}

/** Addresses and phones stand in headers and footers: it sees more than the main text. */
function regionOf(given: {
  request: ParseRequest;
  facts: Facts;
  said: Said;
  self: CanonicalUrl;
  title: string;
  lang: string | null;
}): ParsedPage["region"] {
  const { request, facts, said, self, title, lang } = given;
  if (said.region === null) return null;
  const tags = [facts.htmlLang, facts.metaLang, facts.ogLocale, request.contentLanguage];
  return scoreRegion(said.region, {
    host: hostName(self),
    title,
    lang,
    tags: tags.filter((tag) => tag !== null),
    blocks: said.blocks,
    headings: HEADING,
  });
}

function titleOf(facts: Facts): string {
  for (const candidate of [facts.title, facts.ogTitle, facts.h1]) {
    const title = candidate === null ? "" : cleanLine(candidate, TITLE_CHARS_MAX);
    if (title !== "") return title;
  }
  return "";
}

function* datesOf(facts: Facts, self: string): Iterable<string> {
  yield* datesOfJsonLd(facts.jsonLd);
  yield* facts.dates.meta;
  yield* facts.dates.item;
  yield* facts.dates.time;
  const inUrl = dateOfUrl(self);
  if (inUrl !== null) yield inUrl;
}

function saidCanonicals(request: ParseRequest, facts: Facts): string[] {
  return request.linkCanonical === null
    ? facts.canonicals
    : [request.linkCanonical, ...facts.canonicals];
}

/** The frontier holds canonical URLs only; a request that is none is a mistake of ours. */
function ownUrl(url: string): CanonicalUrl {
  const result = canonicalUrl(url);
  if (result.kind === "refused") throw new Error(`a page cannot be at ${url}: ${result.reason}`);
  return result.url;
}
