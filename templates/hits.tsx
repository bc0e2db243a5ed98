/** @jsxRuntime automatic @jsxImportSource preact */
import type { Hit, SearchResults } from "../src/search/search.ts";
import { Explain } from "./explain.tsx";
import { Link } from "./link.tsx";
import { clipped, Marked, markWords, shortened, wordsIn } from "./marked.tsx";
import { readableUrl } from "./readable-url.ts";
import { type SearchParams, searchHref } from "./search-link.ts";
import type { Words } from "./words/words.ts";

/** Characters shown of what a page says of itself. */
const TITLE_MAX = 200;
const SNIPPET_MAX = 600;
const PATH_MAX = 160;
const SUMMARY_MAX = 400;

export interface HitsProps {
  hits: readonly Hit[];
  params: SearchParams;
  words: Words;
  /** Hosts that the reader wants first. */
  raised: ReadonlySet<string>;
  /** Places that the query names. */
  places: SearchResults["places"];
}

/** The results in their order. */
export function Hits(props: HitsProps) {
  const textMax = Math.max(...props.hits.map((hit) => hit.explain?.text ?? 0));
  const start = (props.params.page - 1) * props.params.perPage + 1;
  return (
    <ol class="hits" start={start}>
      {props.hits.map((hit) => (
        <li class="hit">
          <HitArticle {...props} hit={hit} textMax={textMax} />
        </li>
      ))}
    </ol>
  );
}

function HitArticle(props: HitsProps & { hit: Hit; textMax: number }) {
  const { hit, words, params } = props;
  const isUntitled = isBlank(hit.title);
  const inLanguage = isLanguageTag(hit.lang) ? { lang: hit.lang } : {};
  return (
    <article>
      <Address hit={hit} />
      <h2 class="hit-title" {...(isUntitled ? {} : inLanguage)}>
        <Link href={hit.url}>
          {isUntitled ? words.search.untitled : <Marked segments={clipped(hit.title, TITLE_MAX)} />}
        </Link>
      </h2>
      {!isBlank(hit.snippet) && (
        <p class="hit-snippet" {...inLanguage}>
          <bdi>
            <Marked segments={clipped(hit.snippet, SNIPPET_MAX)} />
          </bdi>
        </p>
      )}
      {hit.summary !== null && <Summary text={hit.summary} words={words} />}
      <ul class="hit-facts">
        <Dates hit={hit} words={words} />
        {props.raised.has(hit.host) && <li class="badge badge-info">{words.search.raised}</li>}
        <li>
          <a href={cachedHref(hit, params)}>{words.search.cached}</a>
        </li>
        {hit.moreFromHost > 0 && (
          <li>
            <a href={searchHref(params, { host: hit.host })} data-live>
              {words.search.more(hit.moreFromHost, hit.host)}
            </a>
          </li>
        )}
        {hit.folded > 0 && (
          <li>
            <a href={searchHref(params, { collapse: "none" })} data-live>
              {words.search.similar(hit.folded)}
            </a>
          </li>
        )}
        {hit.explain && (
          <li class="hit-explain">
            <Explain
              hit={hit}
              explain={hit.explain}
              textMax={props.textMax}
              words={words}
              isOpen={params.explain}
              isRaised={props.raised.has(hit.host)}
              because={placesSaid(props)}
            />
          </li>
        )}
      </ul>
    </article>
  );
}

/** What of query and choice stands behind the signals of places. */
function placesSaid({ places, params, words }: HitsProps): Record<string, string> {
  const asked = (places?.near ?? []).map(({ written }) => written);
  if (params.region !== null) asked.push(params.region);
  const elsewhere = places?.elsewhere ?? [];
  const said = elsewhere.length === 0 ? "" : words.places.elsewhere(elsewhere);
  return {
    ...(asked.length === 0 ? {} : { locality: words.places.asked(asked) }),
    ...(said === "" || asked.length > 0 ? {} : { regionPage: said, regionHost: said }),
  };
}

function Summary({ text, words }: { text: string; words: Words }) {
  return (
    <p class="hit-summary">
      <span class="hit-summary-by">{words.search.summary}</span>{" "}
      <bdi>{shortened(text, SUMMARY_MAX)}</bdi>
    </p>
  );
}

function Address({ hit }: { hit: Hit }) {
  const { host, path } = readableUrl(hit.url);
  const found = wordsIn([...clipped(hit.title, TITLE_MAX), ...clipped(hit.snippet, SNIPPET_MAX)]);
  return (
    <p class="hit-address">
      <bdi>
        <span class="hit-host">
          <Marked segments={clipped(markWords(host, found), PATH_MAX)} />
        </span>
        <Marked segments={clipped(markWords(path, found), PATH_MAX)} />
      </bdi>
    </p>
  );
}

function Dates({ hit, words }: { hit: Hit; words: Words }) {
  return (
    <>
      {hit.publishedAt !== null && (
        <li>
          <Day label={words.search.published} at={hit.publishedAt} words={words} />
        </li>
      )}
      <li>
        <Day label={words.search.crawled} at={hit.crawledAt} words={words} />
      </li>
    </>
  );
}

function Day({ label, at, words }: { label: string; at: Date; words: Words }) {
  if (Number.isNaN(at.getTime())) return null;
  return (
    <>
      {label} <time dateTime={at.toISOString()}>{words.date(at)}</time>
    </>
  );
}

function cachedHref(hit: Hit, params: SearchParams): string {
  const query = params.q === "" ? "" : `?${new URLSearchParams({ q: params.q })}`;
  return `/cached/${encodeURIComponent(hit.id)}${query}`;
}

const isBlank = (segments: Hit["title"]) => segments.every(({ text }) => text.trim() === "");

/** What a page says of its language is crawled text too. */
export const isLanguageTag = (lang: string | null): lang is string =>
  lang !== null && /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i.test(lang);
