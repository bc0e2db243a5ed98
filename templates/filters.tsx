/** @jsxRuntime automatic @jsxImportSource preact */
import type { SearchResults } from "../src/search/search.ts";
import { Place } from "./place.tsx";
import {
  FILTERS,
  hasFilters,
  NO_FILTERS,
  type SearchParams,
  searchFields,
  searchHref,
} from "./search-link.ts";
import { labelOf, type Words } from "./words/words.ts";

export interface FiltersProps {
  params: SearchParams;
  facets: SearchResults["facets"];
  words: Words;
  /** What the region is called; null: there is none. */
  region: string | null;
}

const FACETS = ["lang", "host", "category", "year"] as const;
/** Values shown of one facet. */
const VALUES_MAX = 8;

/** What can narrow the search: facets with their counts, and a period. */
export function Filters(props: FiltersProps) {
  const { params, words } = props;
  return (
    <aside id="filters" class="search-filters" aria-label={words.search.filters} tabIndex={-1}>
      {FACETS.map((name) => (
        <Facet {...props} name={name} />
      ))}
      <Place params={params} words={words} region={props.region} />
      <Period params={params} words={words} />
      <Formats params={params} words={words} />
    </aside>
  );
}

/** The filters in effect, each to be taken off again. */
export function InEffect({ params, words }: Pick<FiltersProps, "params" | "words">) {
  if (!hasFilters(params)) return null;
  return (
    <ul class="chips" aria-label={words.search.filters}>
      {FILTERS.filter((name) => params[name] !== null).map((name) => {
        const shown = valueLabel(name, String(params[name]), words);
        return (
          <li>
            <a
              class="chip"
              href={searchHref(params, { [name]: null })}
              aria-label={words.search.remove(shown)}
              data-live
            >
              <bdi>{shown}</bdi> <span aria-hidden="true">×</span>
            </a>
          </li>
        );
      })}
      <li>
        <a class="chip-clear" href={searchHref(params, NO_FILTERS)} data-live>
          {words.search.clear}
        </a>
      </li>
    </ul>
  );
}

function Facet(props: FiltersProps & { name: (typeof FACETS)[number] }) {
  const { name, params, words } = props;
  const values = props.facets[name].slice(0, VALUES_MAX);
  if (values.length === 0 || params[name] !== null) return null;
  return (
    <section class="facet">
      <h2>{words.search[name]}</h2>
      <ul>
        {values.map(([value, count]) => (
          <li>
            <a
              class="facet-link"
              href={searchHref(params, { [name]: name === "year" ? Number(value) : value })}
              data-live
            >
              <bdi>{valueLabel(name, value, words)}</bdi>
            </a>
            <span class="facet-count">{words.number(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function valueLabel(name: (typeof FILTERS)[number], value: string, words: Words): string {
  if (name === "lang") return words.languageName(value);
  if (name === "category") return labelOf(words.places.categories, value);
  if (name === "region") return words.places.chosen(value);
  if (name === "from") return `≥ ${value}`;
  if (name === "to") return `≤ ${value}`;
  return value;
}

function Period({ params, words }: Pick<FiltersProps, "params" | "words">) {
  const kept = searchFields({ ...params, from: null, to: null, page: 1 });
  return (
    <section class="facet">
      <h2 id="period">{words.search.period}</h2>
      <form class="period" action="/search" method="get" aria-labelledby="period" data-live>
        {kept.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <label>
          {words.search.from}
          <input type="date" name="from" value={params.from ?? ""} />
        </label>
        <label>
          {words.search.to}
          <input type="date" name="to" value={params.to ?? ""} />
        </label>
        <button class="button button-quiet" type="submit">
          {words.search.apply}
        </button>
      </form>
    </section>
  );
}

/** The same search as a feed and for programs. */
export function Formats({ params, words }: Pick<FiltersProps, "params" | "words">) {
  return (
    <p class="formats">
      {words.search.formats} <a href={searchHref(params, {}, "/search.rss")}>RSS</a>{" "}
      <a href={searchHref(params, {}, "/api/search")}>JSON</a>
    </p>
  );
}
