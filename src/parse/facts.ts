import { type Values, valueIn } from "./attributes.ts";
import { BOILER, MAIN } from "./elements.ts";

/** What elements and attributes of a page say, as written; resolved and judged by page.ts. */
export interface Facts {
  title: string | null;
  ogTitle: string | null;
  h1: string | null;
  description: string | null;
  ogDescription: string | null;
  base: string | null;
  htmlLang: string | null;
  metaLang: string | null;
  ogLocale: string | null;
  readonly canonicals: string[];
  readonly headings: string[];
  readonly links: RawLink[];
  /** `<link rel=alternate>` of a feed's type. */
  readonly feeds: string[];
  /** Elements with a usable address, those past the cap too. */
  linkCount: number;
  /** `<meta name=robots>`, `<meta name=TOKEN>`: content as written. */
  readonly robots: string[];
  tdmReservation: string | null;
  /** Written dates by how far they are trusted, the best first. */
  readonly dates: { meta: string[]; item: string[]; time: string[] };
  readonly jsonLd: string[];
  /** The script being read is JSON-LD. */
  isJsonLd: boolean;
  heading: string;
  readonly robotsToken: string;
}

export interface RawLink {
  readonly href: string;
  readonly nofollow: boolean;
}

export function createFacts(robotsToken: string): Facts {
  return {
    title: null,
    ogTitle: null,
    h1: null,
    description: null,
    ogDescription: null,
    base: null,
    htmlLang: null,
    metaLang: null,
    ogLocale: null,
    canonicals: [],
    headings: [],
    links: [],
    feeds: [],
    linkCount: 0,
    robots: [],
    tdmReservation: null,
    dates: { meta: [], item: [], time: [] },
    jsonLd: [],
    isJsonLd: false,
    heading: "",
    robotsToken,
  };
}

/** Raw links looked at; more than are kept, for many are the same page. */
export const RAW_LINKS_MAX = 20_000;
/** Of metas, dates and canonicals: a page has a handful. */
const SAYINGS_MAX = 50;
const HEADINGS_MAX = 500;

export function noteHeading(facts: Facts, text: string, region: number): void {
  if (facts.heading === "h1") facts.h1 ??= text;
  if ((region & BOILER) === 0 && facts.headings.length < HEADINGS_MAX) facts.headings.push(text);
}

export function noteElement(facts: Facts, name: string, values: Values, region: number): void {
  switch (name) {
    case "a":
    case "area":
      noteLink(facts, valueIn(values, "href"), valueIn(values, "rel"));
      break;
    case "frame":
      noteLink(facts, valueIn(values, "src"), null);
      break;
    case "link":
      noteRelation(facts, values);
      break;
    case "meta":
      noteMeta(facts, values);
      break;
    case "base":
      facts.base ??= valueIn(values, "href");
      break;
    case "html":
      facts.htmlLang ??= valueIn(values, "lang") ?? valueIn(values, "xml:lang");
      break;
    case "script":
      facts.isJsonLd = /^\s*application\/ld\+json/i.test(valueIn(values, "type") ?? "");
      break;
    case "time":
      noteTime(facts, values, region);
      break;
    case "h1":
    case "h2":
    case "h3":
      facts.heading = name;
  }
}

/** What no crawler can fetch is told by its first letters, without parsing it as a URL. */
const UNFETCHABLE = /^(?:#|(?:javascript|mailto|tel|data|sms|blob|about|file|ftp|whatsapp):)/i;
const NOFOLLOW = /(?:^|[\s,])(?:nofollow|ugc|sponsored)(?:[\s,]|$)/i;

function noteLink(facts: Facts, value: string | null, rel: string | null): void {
  if (value === null) return;
  const href = value.trim();
  if (href === "" || UNFETCHABLE.test(href)) return;
  facts.linkCount++;
  if (facts.links.length >= RAW_LINKS_MAX) return;
  facts.links.push({ href, nofollow: rel !== null && NOFOLLOW.test(rel) });
}

/** `<link>`: canonical; pages of the same thing (next, prev, other languages) are links. */
function noteRelation(facts: Facts, values: Values): void {
  const href = valueIn(values, "href")?.trim();
  const rel = valueIn(values, "rel");
  if (href === undefined || href === "" || rel === null) return;
  const relations = rel.toLowerCase().split(/\s+/);
  if (relations.includes("canonical")) keep(facts.canonicals, href);
  if (relations.includes("alternate") && FEED_TYPE.test(valueIn(values, "type") ?? "")) {
    keep(facts.feeds, href);
  }
  const isTranslation = relations.includes("alternate") && valueIn(values, "hreflang") !== null;
  if (isTranslation || relations.includes("next") || relations.includes("prev")) {
    noteLink(facts, href, rel);
  }
}

const FEED_TYPE = /^\s*application\/(?:rss\+xml|atom\+xml|feed\+json)\b/i;

function noteMeta(facts: Facts, values: Values): void {
  const content = valueIn(values, "content");
  if (content === null) return;
  const equivalent = valueIn(values, "http-equiv")?.trim().toLowerCase();
  if (equivalent === "refresh") noteLink(facts, refreshTarget(content), null);
  if (equivalent === "content-language") facts.metaLang ??= content;
  const itemprop = valueIn(values, "itemprop")?.trim().toLowerCase();
  if (itemprop === "datepublished") keep(facts.dates.item, content);
  const said = valueIn(values, "property") ?? valueIn(values, "name");
  if (said === null) return;
  noteNamedMeta(facts, said.trim().toLowerCase(), content);
  // `<meta property=… name=robots>`: both names count.
  const name = valueIn(values, "name");
  if (name !== null && name !== said) noteNamedMeta(facts, name.trim().toLowerCase(), content);
}

const META_DATES = new Set([
  "article:published_time",
  "og:article:published_time",
  "og:published_time",
  "date",
  "pubdate",
  "publishdate",
  "publish-date",
  "publish_date",
  "publication_date",
  "published_at",
  "datepublished",
  "dc.date",
  "dc.date.issued",
  "dc.date.created",
  "dcterms.date",
  "dcterms.issued",
  "dcterms.created",
  "parsely-pub-date",
  "sailthru.date",
  "citation_publication_date",
  "citation_date",
]);

function noteNamedMeta(facts: Facts, name: string, content: string): void {
  if (name === "robots" || name === facts.robotsToken) keep(facts.robots, content);
  if (META_DATES.has(name)) keep(facts.dates.meta, content);
  if (name === "description") facts.description ??= content;
  if (name === "og:title") facts.ogTitle ??= content;
  if (name === "og:description") facts.ogDescription ??= content;
  if (name === "og:locale") facts.ogLocale ??= content;
  if (name === "tdm-reservation") facts.tdmReservation ??= content;
}

function noteTime(facts: Facts, values: Values, region: number): void {
  const datetime = valueIn(values, "datetime");
  if (datetime === null) return;
  const isPublished =
    valueIn(values, "pubdate") !== null ||
    valueIn(values, "itemprop")?.trim().toLowerCase() === "datepublished";
  if (isPublished) keep(facts.dates.item, datetime);
  else if ((region & (MAIN | BOILER)) === MAIN) keep(facts.dates.time, datetime);
}

/** `5; url='/next'` by the HTML standard's reading; null: the page only reloads itself. */
function refreshTarget(content: string): string | null {
  const found = /^\s*[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|([^"'\s].*))/i.exec(
    content,
  );
  return found === null ? null : (found[1] ?? found[2] ?? found[3] ?? null);
}

function keep(sayings: string[], saying: string): void {
  if (sayings.length < SAYINGS_MAX) sayings.push(saying);
}
