/** @jsxRuntime automatic @jsxImportSource preact */
import type { Hit, SearchResults } from "../src/search/search.ts";
import { Filters, Formats, InEffect } from "./filters.tsx";
import { Hits } from "./hits.tsx";
import { HostButton, HostForm } from "./host-form.tsx";
import { isolated, shortened } from "./marked.tsx";
import { Nothing } from "./nothing.tsx";
import { Pager } from "./pager.tsx";
import { Message } from "./public-page.tsx";
import { hasFilters, type SearchParams, searchHref } from "./search-link.ts";
import { Tips } from "./tips.tsx";
import { type Language, labelOf, type Words, wordsOf } from "./words/words.ts";

export interface SearchViewProps {
  language: Language;
  params: SearchParams;
  answer: SearchAnswer;
  /** Pages in the index; null when nobody knows. */
  documents: number | null;
  acceptsSubmissions: boolean;
  /** What the region is called; null: there is none. */
  region: string | null;
}

export type SearchAnswer =
  | { kind: "home" }
  | { kind: "results"; results: SearchResults; choice: ChosenHits }
  | { kind: "unavailable" }
  /** A parameter that makes no sense; the messages are in the reader's language. */
  | { kind: "faulty"; messages: readonly string[] };

/** The hits, and what the reader's own choice of hosts did to them. */
export interface ChosenHits {
  hits: readonly Hit[];
  raised: ReadonlySet<string>;
  hidden: { count: number | null; hosts: readonly string[] };
}

/** What stands below the search field. A fragment of its own: the page swaps it as one types. */
export function SearchView(props: SearchViewProps) {
  const words = wordsOf(props.language);
  return (
    <div
      class="search-view"
      data-title={`${titleOf(props)} · Trawl`}
      data-announce={announced(props)}
      data-feed={searchHref(props.params, {}, "/search.rss")}
      {...(props.answer.kind === "unavailable" ? { "data-retry": true } : {})}
    >
      <Answer {...props} words={words} />
    </div>
  );
}

/** Characters of a query in titles and headings. */
const HEADING_MAX = 80;

export function titleOf({ params, language }: SearchViewProps): string {
  const words = wordsOf(language).search;
  return params.q === "" ? words.title : words.titleOf(isolated(shortened(params.q, HEADING_MAX)));
}

function announced({ answer, language }: SearchViewProps): string {
  const words = wordsOf(language).search;
  switch (answer.kind) {
    case "results":
      return words.announce(answer.results.total, answer.results.totalCapped);
    case "unavailable":
      return words.unavailable;
    case "faulty":
      return answer.messages.join(" ");
    case "home":
      return "";
  }
}

function Answer(props: SearchViewProps & { words: Words }) {
  const { answer, words, params } = props;
  switch (answer.kind) {
    case "home":
      return <Tips words={words} documents={props.documents} />;
    case "unavailable":
      return (
        <Message
          title={words.search.unavailable}
          text={words.search.unavailableText}
          links={[[searchHref(params, { page: params.page }), words.search.retry]]}
        />
      );
    case "faulty":
      return (
        <Message
          title={words.error.badRequest}
          text={answer.messages.join(" ")}
          links={[["/", words.error.back]]}
        />
      );
    case "results":
      return <Found {...props} results={answer.results} choice={answer.choice} />;
  }
}

type FoundProps = SearchViewProps & { words: Words; results: SearchResults; choice: ChosenHits };

function Found(props: FoundProps) {
  const { words, params, results, choice } = props;
  const hasHits = results.hits.length > 0;
  const hasAside = hasHits || hasFilters(params);
  return (
    <div class={hasAside ? "found" : "found found-alone"}>
      <section class="found-main" aria-label={words.search.results}>
        <h1 class="visually-hidden">{titleOf(props)}</h1>
        <Summary {...props} />
        <InEffect params={params} words={words} />
        <Degraded parts={results.degraded} words={words} />
        <DidYouMean {...props} />
        <Hidden choice={choice} words={words} />
        {hasHits ? (
          <Hits {...{ ...choice, params, words, places: results.places }} />
        ) : (
          <Nothing {...props} total={results.total} />
        )}
        <Pager {...props} />
        {!hasAside && <Formats params={params} words={words} />}
        <HostForm back={searchHref(params, { page: params.page })} />
      </section>
      {hasAside && (
        <Filters params={params} facets={results.facets} words={words} region={props.region} />
      )}
    </div>
  );
}

function Summary({ params, words, results }: FoundProps) {
  if (results.total === 0) return null;
  const { search } = words;
  return (
    <div class="summary">
      <p>
        <strong>{search.count(results.total, results.totalCapped)}</strong>
        <span class="muted">
          {params.page > 1 && ` · ${search.page(params.page)}`}
          {` · ${search.took(Math.round(results.tookMs))}`}
        </span>
      </p>
      <ul class="sorts" aria-label={search.sort}>
        {(["relevance", "date"] as const).map((sort) => (
          <li>
            <a
              href={searchHref(params, { sort })}
              data-live
              {...(params.sort === sort ? { "aria-current": "true" } : {})}
            >
              {search[sort]}
            </a>
          </li>
        ))}
        <li class="to-filters">
          <a href="#filters">{search.filters}</a>
        </li>
      </ul>
    </div>
  );
}

function Degraded({ parts, words }: { parts: readonly string[]; words: Words }) {
  const signals = parts.filter((part) => part !== "store");
  return (
    <>
      {parts.includes("store") && <p class="notice notice-warn">{words.search.storeDown}</p>}
      {signals.length > 0 && (
        <p class="notice notice-warn">
          {words.search.degraded(signals.map((name) => labelOf(words.explain.names, name)))}
        </p>
      )}
    </>
  );
}

function DidYouMean({ results, params, words }: FoundProps) {
  if (results.didYouMean === null) return null;
  return (
    <p class="did-you-mean">
      {words.search.didYouMean}{" "}
      <a href={searchHref(params, { q: results.didYouMean })} data-live>
        <bdi>{results.didYouMean}</bdi>
      </a>
      ?
    </p>
  );
}

function Hidden({ choice, words }: { choice: ChosenHits; words: Words }) {
  const { count, hosts } = choice.hidden;
  if (count === 0) return null;
  return (
    <div class="notice">
      <p>{count === null ? words.hostRules.hiddenSome : words.search.hidden(count)}</p>
      <ul class="hidden-hosts">
        {hosts.map((host) => (
          <li>
            <bdi>{host}</bdi>{" "}
            <HostButton host={host} choice="none">
              {words.search.unblockHost}
            </HostButton>
          </li>
        ))}
      </ul>
    </div>
  );
}
