/** @jsxRuntime automatic @jsxImportSource preact */
import { isolated, shortened } from "./marked.tsx";
import { isNarrowed, NO_FILTERS, type SearchParams, searchHref } from "./search-link.ts";
import type { Words } from "./words/words.ts";

export interface NothingProps {
  params: SearchParams;
  words: Words;
  /** Matches in all: more than none when only this page is empty. */
  total: number;
  documents: number | null;
  acceptsSubmissions: boolean;
}

/** A longer query is cut where it is named again. */
const QUERY_SHOWN_MAX = 80;

/** Why nothing is shown, and what to try instead. */
export function Nothing(props: NothingProps) {
  const { params, words, total } = props;
  if (total > 0) {
    return (
      <div class="nothing">
        <p>{words.search.beyond}</p>
        <p>
          <a href={searchHref(params)} data-live>
            {words.search.firstPage}
          </a>
        </p>
      </div>
    );
  }
  return (
    <div class="nothing">
      <h2>{words.search.none(isolated(shortened(params.q, QUERY_SHOWN_MAX)))}</h2>
      <Reason {...props} />
      <CrawlThis {...props} />
    </div>
  );
}

function Reason({ params, words, documents }: NothingProps) {
  if (isNarrowed(params)) {
    return (
      <>
        <p>{words.search.noneFilters}</p>
        <p>
          <a href={searchHref(params, NO_FILTERS)} data-live>
            {words.search.withoutFilters}
          </a>
        </p>
      </>
    );
  }
  if (documents === 0) return <p>{words.search.noneEmptyIndex}</p>;
  return (
    <>
      <p>{words.search.noneIndex}</p>
      <ul>
        {words.search.noneHints.map((hint) => (
          <li>{hint}</li>
        ))}
      </ul>
    </>
  );
}

function CrawlThis({ params, words, acceptsSubmissions }: NothingProps) {
  const url = addressIn(params.q);
  if (url === null || !acceptsSubmissions) return null;
  return (
    <p class="crawl-this">
      {words.search.crawlThisText}{" "}
      <a class="button" href={`/submit?${new URLSearchParams({ url })}`}>
        {words.search.crawlThis}
      </a>
    </p>
  );
}

/** The web address that a query is, with its scheme; null when it is words. */
export function addressIn(query: string): string | null {
  const text = query.trim();
  if (/\s/.test(text)) return null;
  if (/^https?:\/\/[^/]+/i.test(text)) return URL.canParse(text) ? text : null;
  if (!/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(:\d{1,5})?([/?#].*)?$/u.test(text))
    return null;
  return URL.canParse(`https://${text}`) ? `https://${text}` : null;
}
