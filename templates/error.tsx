/** @jsxRuntime automatic @jsxImportSource preact */
import { Layout } from "./layout.tsx";
import { type PublicChrome, PublicPage } from "./public-page.tsx";
import type { RefusalWords } from "./words/refusals.ts";

export interface ErrorPageProps extends ErrorBodyProps {
  chrome: PublicChrome;
}

export interface ErrorBodyProps {
  status: number;
  title: string;
  /** What happened and what the reader can do, in a sentence or two. */
  text: string;
  words: RefusalWords;
  /** For somebody who is signed in, at an address of the console. */
  isConsole: boolean;
}

/** A readable page for everything that did not work. */
export function ErrorPage({ chrome, ...body }: ErrorPageProps) {
  const frame = { chrome, title: body.title, mainClass: "page page-narrow" };
  return body.isConsole ? (
    <Layout area="console" {...frame}>
      <ErrorBody {...body} />
    </Layout>
  ) : (
    <PublicPage {...frame}>
      <ErrorBody {...body} />
    </PublicPage>
  );
}

/** The same as a fragment, for a request that swaps only part of a page. */
export function ErrorBody({ status, title, text, words, isConsole }: ErrorBodyProps) {
  return (
    <section class="error-page" role="alert" data-announce={text}>
      <p class="error-status">{status}</p>
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a class="button" href={isConsole ? "/admin" : "/"}>
          {isConsole ? "To the overview" : words.back}
        </a>
      </p>
    </section>
  );
}
