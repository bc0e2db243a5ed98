import type { Hit, SearchRequest, SearchResults } from "../../src/search/search.ts";
import type { Segment } from "../../src/search/snippet.ts";

/** A page of the small library that stands in for an index in tests of the public pages. */
export interface Book {
  id: number;
  url: string;
  host: string;
  lang: string | null;
  category: string | null;
  title: string;
  text: string;
  publishedAt: number | null;
  crawledAt: number;
  noarchive?: boolean;
  summary?: string;
}

const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-03-01T12:00:00Z");

const TEXTS: readonly (readonly [lang: string, title: string, text: string])[] = [
  [
    "en",
    "Tidal power in the bay",
    "The tidal barrage turns the flow of the sea into power for the whole bay. Engineers measure " +
      "each tide and plan the gates by the tables of the harbour office.",
  ],
  [
    "en",
    "Harbour timetable and fares",
    "Ferries leave the harbour every half hour. Fares for the crossing are paid on board; the " +
      "tidal timetable changes with the season.",
  ],
  [
    "fr",
    "L’énergie marémotrice",
    "Le barrage produit de l’énergie à chaque marée. Les ingénieurs mesurent le courant et " +
      "règlent les vannes selon l’horaire du port. Tidal est le mot anglais.",
  ],
  [
    "pt",
    "Energia das marés",
    "A barragem transforma a força do mar em energia. As marés (tidal, em inglês) medem-se no " +
      "porto todos os dias.",
  ],
  [
    "ru",
    "Энергия приливов",
    "Плотина превращает течение моря в энергию. Приливы (tidal) измеряют в порту каждый день.",
  ],
];

const HOSTS = [
  "sea.example",
  "harbour.example",
  "www.bay.example",
  "marees.example",
  "news.example",
];

/** 120 pages on five hosts in four languages, all of them about tides. */
export const BOOKS: readonly Book[] = Array.from({ length: 120 }, (_, index) => {
  const [lang, title, text] = TEXTS[index % TEXTS.length]!;
  const host = HOSTS[Math.floor(index / 5) % HOSTS.length]!;
  return {
    id: index + 1,
    url: `https://${host}/${lang}/tidal-power/${index + 1}?section=${encodeURIComponent(lang)}`,
    host,
    lang,
    category: index % 4 === 0 ? "news" : null,
    title: index < 5 ? title : `${title} (${index + 1})`,
    text,
    publishedAt: index % 3 === 2 ? null : NOW - index * 9 * DAY_MS,
    crawledAt: NOW - index * DAY_MS,
    noarchive: index === 1,
  };
});

/** Finds the books that hold any word of the query. A stand-in: no ranking worth the name. */
export function searchBooks(books: readonly Book[], request: SearchRequest): SearchResults {
  const words: string[] = request.query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const { from, to } = request;
  const { raised, blocked } = request.wishes ?? { raised: new Set(), blocked: new Set() };
  const all = books.filter(
    (book) =>
      words.some((word) => `${book.title} ${book.text}`.toLowerCase().includes(word)) &&
      (request.lang === undefined || book.lang === request.lang) &&
      (request.category === undefined || book.category === request.category) &&
      (request.host === undefined || book.host === request.host) &&
      (from === undefined || book.crawledAt >= from) &&
      (to === undefined || book.crawledAt <= to),
  );
  const isHidden = ({ host }: Book) => blocked.has(host) && host !== request.host;
  const [hidden, matches] = [true, false].map((is) =>
    all.filter((book) => isHidden(book) === is),
  ) as [Book[], Book[]];
  const folds = request.collapse === undefined && request.host === undefined;
  const kept = folds ? twoPerHost(matches) : matches;
  if (request.sort === "date") kept.sort((a, b) => (b.publishedAt ?? 0) - (a.publishedAt ?? 0));
  if (raised.size > 0) kept.sort((a, b) => Number(raised.has(b.host)) - Number(raised.has(a.host)));
  const start = (request.page - 1) * request.perPage;
  return {
    query: request.query,
    total: matches.length,
    totalCapped: false,
    page: request.page,
    perPage: request.perPage,
    tookMs: 3.2,
    backend: "embedded",
    degraded: [],
    ...(blocked.size === 0
      ? {}
      : { hidden: { count: hidden.length, hosts: [...new Set(hidden.map(({ host }) => host))] } }),
    folded: 0,
    hits: kept
      .slice(start, start + request.perPage)
      .map((book, at) => hitOf(book, at, words, folds)),
    facets: {
      lang: counts(matches.map((book) => book.lang ?? "")),
      host: counts(matches.map((book) => book.host)),
      category: counts(matches.flatMap(({ category }) => category ?? [])),
      year: counts(matches.map((book) => String(new Date(book.crawledAt).getUTCFullYear()))),
    },
    didYouMean: words.includes("tydal") ? request.query.replace(/tydal/i, "tidal") : null,
  };
}

/** Two of each host in a row of ten, as folding by host leaves them. */
function twoPerHost(books: readonly Book[]): Book[] {
  const seen = new Map<string, number>();
  return books.filter(({ host }) => {
    const before = seen.get(host) ?? 0;
    seen.set(host, before + 1);
    return before < 6;
  });
}

function hitOf(book: Book, at: number, words: readonly string[], folds: boolean): Hit {
  return {
    id: book.id,
    url: book.url,
    host: book.host,
    lang: book.lang,
    title: segments(book.title, words),
    snippet: segments(book.text, words),
    summary: book.summary ?? null,
    publishedAt: book.publishedAt === null ? null : new Date(book.publishedAt),
    crawledAt: new Date(book.crawledAt),
    folded: 0,
    moreFromHost: folds && at % 2 === 1 ? 22 : 0,
    score: 12.4 - at,
    explain: {
      text: 11.2 - at,
      quality: 0.93,
      authority: 0.4,
      regionPage: 0,
      regionHost: 0,
      freshness: 0.8,
      locality: 0,
      navigational: at === 0 ? 2 : 1,
      rules: 1,
    },
  };
}

function segments(text: string, words: readonly string[]): Segment[] {
  return text
    .split(/([\p{L}\p{N}]+)/u)
    .filter((piece) => piece !== "")
    .map((piece) => ({ text: piece, match: words.includes(piece.toLowerCase()) }));
}

function counts(values: readonly string[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const value of values) sums.set(value, (sums.get(value) ?? 0) + 1);
  return [...sums].sort((a, b) => b[1] - a[1]);
}
