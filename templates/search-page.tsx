/** @jsxRuntime automatic @jsxImportSource preact */
import { type PublicChrome, PublicPage } from "./public-page.tsx";
import { QUERY_MAX, type SearchParams, searchFields, searchHref } from "./search-link.ts";
import { SearchView, type SearchViewProps, titleOf } from "./search-view.tsx";
import { type Words, wordsOf } from "./words/words.ts";

export interface SearchPageProps extends SearchViewProps {
  chrome: PublicChrome;
}

/** The search page: the field, and below it what was found; `SearchView` alone is the fragment. */
export function SearchPage({ chrome, ...view }: SearchPageProps) {
  const words = wordsOf(chrome.lang);
  const { params } = view;
  return (
    <PublicPage
      chrome={chrome}
      title={titleOf(view)}
      scripts={["search.js", "suggest.js"]}
      head={<Alternates params={params} words={words} />}
    >
      <SearchForm params={params} words={words} isHome={view.answer.kind === "home"} />
      <p id="announce" class="visually-hidden" role="status" />
      <p id="trouble" aria-live="polite" />
      <div id="results" class={view.answer.kind === "home" ? "" : "results-tall"} tabIndex={-1}>
        <SearchView {...view} />
      </div>
    </PublicPage>
  );
}

function Alternates({ params, words }: { params: SearchParams; words: Words }) {
  return (
    <>
      <link
        rel="search"
        type="application/opensearchdescription+xml"
        href="/opensearch.xml"
        title="Trawl"
      />
      {params.q === "" ? (
        <meta name="description" content={words.search.intro} />
      ) : (
        <>
          <meta name="robots" content="noindex" />
          <link
            rel="alternate"
            type="application/rss+xml"
            href={searchHref(params, {}, "/search.rss")}
            title={words.search.feedOf(params.q)}
          />
        </>
      )}
    </>
  );
}

/** A plain form: what narrows the search goes along with new words, the page does not. */
function SearchForm(props: { params: SearchParams; words: Words; isHome: boolean }) {
  const { params, words } = props;
  const kept = searchFields({ ...params, q: "", page: 1 });
  return (
    <search>
      <form
        id="search"
        class="search-form"
        action="/search"
        method="get"
        data-offline={words.search.offline}
        data-too-long={words.error.tooLong("q", QUERY_MAX)}
      >
        <label class="visually-hidden" for="q">
          {words.search.label}
        </label>
        <div class="search-box">
          <input
            id="q"
            name="q"
            type="search"
            value={params.q}
            maxLength={QUERY_MAX}
            placeholder={words.search.placeholder}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            enterkeyhint="search"
            autofocus={props.isHome}
          />
          <div
            id="suggestions"
            role="listbox"
            tabIndex={-1}
            aria-label={words.search.suggestions}
            hidden
          />
        </div>
        <button class="button" type="submit">
          <svg class="search-icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
            <circle cx="8.5" cy="8.5" r="5.5" />
            <path d="m13 13 4.5 4.5" />
          </svg>
          <span>{words.search.button}</span>
        </button>
        {kept.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
      </form>
    </search>
  );
}
