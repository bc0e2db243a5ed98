/** @jsxRuntime automatic @jsxImportSource preact */
import type { SearchResults } from "../src/search/search.ts";
import { type SearchParams, searchHref, WINDOW_MAX } from "./search-link.ts";
import type { Words } from "./words/words.ts";

export interface PagerProps {
  params: SearchParams;
  words: Words;
  results: Pick<SearchResults, "hits" | "total">;
}

/**
 * Earlier pages by number, later ones one at a time: folding by host makes their number unknown,
 * and no link may lead to an empty page.
 */
export function Pager({ params, words, results }: PagerProps) {
  const { page, perPage } = params;
  const isLast = results.hits.length < perPage || page * perPage >= results.total;
  const isDeep = (page + 1) * perPage > WINDOW_MAX;
  const before = Array.from({ length: page - 1 }, (_, index) => index + 1).slice(-5);
  const to = (number: number) => searchHref(params, { page: number });
  if (page === 1 && isLast) return null;
  return (
    <nav class="pager" aria-label={words.search.pages}>
      {page > 1 && (
        <a href={to(page - 1)} rel="prev" data-live>
          {words.search.previous}
        </a>
      )}
      <ol>
        {before.map((number) => (
          <li>
            <a href={to(number)} aria-label={words.search.page(number)} data-live>
              {words.number(number)}
            </a>
          </li>
        ))}
        <li>
          <a href={to(page)} aria-label={words.search.page(page)} aria-current="page" data-live>
            {words.number(page)}
          </a>
        </li>
      </ol>
      {!isLast && !isDeep && (
        <a href={to(page + 1)} rel="next" data-live>
          {words.search.next}
        </a>
      )}
      {!isLast && isDeep && <p class="muted">{words.search.capped}</p>}
    </nav>
  );
}
