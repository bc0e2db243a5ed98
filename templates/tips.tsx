/** @jsxRuntime automatic @jsxImportSource preact */
import { DEFAULT_PARAMS, searchHref } from "./search-link.ts";
import type { Words } from "./words/words.ts";

/** The page before anything was asked: what is here, and how to ask. */
export function Tips({ words, documents }: { words: Words; documents: number | null }) {
  const { search } = words;
  return (
    <div class="tips">
      <h1 class="visually-hidden">{search.title}</h1>
      <p class="tips-intro">
        {search.intro} {documents !== null && search.indexed(documents)}
      </p>
      <section class="card">
        <h2>{search.tipsTitle}</h2>
        <dl>
          {search.tips.map(({ example, means }) => (
            <div>
              <dt>
                <a href={searchHref({ ...DEFAULT_PARAMS, q: example })} data-live>
                  <code>{example}</code>
                </a>
              </dt>
              <dd>{means}</dd>
            </div>
          ))}
        </dl>
        <p class="muted small keys">{search.keys}</p>
      </section>
    </div>
  );
}
