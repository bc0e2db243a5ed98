/** @jsxRuntime automatic @jsxImportSource preact */
import { isLanguageTag } from "./hits.tsx";
import { Link } from "./link.tsx";
import { Message, type PublicChrome, PublicPage } from "./public-page.tsx";
import { DEFAULT_PARAMS, searchHref } from "./search-link.ts";
import { wordsOf } from "./words/words.ts";

/** The text of a page as it was understood when it was fetched. */
export interface CachedText {
  url: string;
  title: string;
  lang: string | null;
  text: string;
  crawledAt: Date;
}

export interface CachedPageProps {
  chrome: PublicChrome;
  /** The query that led here, to go back to its results. */
  q: string;
  cached: { kind: "found"; document: CachedText } | { kind: "missing" } | { kind: "noarchive" };
}

export function CachedPage({ chrome, q, cached }: CachedPageProps) {
  const words = wordsOf(chrome.lang);
  const back = [q === "" ? "/" : searchHref({ ...DEFAULT_PARAMS, q }), words.cached.back] as const;
  if (cached.kind !== "found") {
    const [title, text] =
      cached.kind === "missing"
        ? [words.cached.missing, words.cached.missingText]
        : [words.cached.noarchive, words.cached.noarchiveText];
    return (
      <PublicPage chrome={chrome} title={title} head={<NoIndex />}>
        <Message title={title} text={text} links={[back]} />
      </PublicPage>
    );
  }
  const { document } = cached;
  const title = document.title.trim() === "" ? words.search.untitled : document.title;
  return (
    <PublicPage chrome={chrome} title={words.cached.title(title)} head={<NoIndex />}>
      <div class="prose">
        <p>
          <a href={back[0]}>{back[1]}</a>
        </p>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        <p class="muted">
          {words.cached.notice(words.date(document.crawledAt))} <Link href={document.url} />
        </p>
        <CachedBody document={document} empty={words.cached.empty} />
      </div>
    </PublicPage>
  );
}

function CachedBody({ document, empty }: { document: CachedText; empty: string }) {
  if (document.text.trim() === "") return <p>{empty}</p>;
  return (
    <div
      class="cached-text"
      dir="auto"
      {...(isLanguageTag(document.lang) ? { lang: document.lang } : {})}
    >
      {document.text}
    </div>
  );
}

/** A copy must not be found beside its original. */
const NoIndex = () => <meta name="robots" content="noindex, nofollow" />;
