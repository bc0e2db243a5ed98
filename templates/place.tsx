/** @jsxRuntime automatic @jsxImportSource preact */
import { REGION_MAX, type SearchParams, searchFields, searchHref } from "./search-link.ts";
import type { Words } from "./words/words.ts";

export interface PlaceProps {
  params: SearchParams;
  words: Words;
  /** What the region is called; null: there is none. */
  region: string | null;
}

/** Where the reader wants pages from: a choice, never a guess. A form that needs no script. */
export function Place({ params, words, region }: PlaceProps) {
  if (region === null || params.region !== null) return null;
  return (
    <section class="facet">
      <h2 id="place">{words.places.title}</h2>
      <a class="facet-link" href={searchHref(params, { region })} data-live>
        {words.places.whole(region)}
      </a>
      <form class="period" action="/search" method="get" aria-labelledby="place" data-live>
        {searchFields({ ...params, page: 1 }).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <label>
          {words.places.near}
          <input type="text" name="region" maxLength={REGION_MAX} autocomplete="off" required />
        </label>
        <button class="button button-quiet" type="submit">
          {words.search.apply}
        </button>
      </form>
    </section>
  );
}
