/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { LanguageForm } from "./language-form.tsx";
import { type Chrome, Layout } from "./layout.tsx";
import { type Language, wordsOf } from "./words/words.ts";

/** What every public page needs to know of its request. */
export interface PublicChrome extends Chrome {
  lang: Language;
  /** Path and query of this request, to come back to after a change of language. */
  here: string;
}

export interface PublicPageProps {
  chrome: PublicChrome;
  title: string;
  head?: ComponentChildren;
  /** Own stylesheets and scripts by plain asset name, after the shared ones. */
  styles?: readonly string[];
  scripts?: readonly string[];
  mainClass?: string;
  children: ComponentChildren;
}

/** A page for everybody, in the reader's language. */
export function PublicPage({ chrome, children, styles = [], ...rest }: PublicPageProps) {
  return (
    <Layout
      chrome={chrome}
      area="public"
      styles={["search.css", ...styles]}
      words={wordsOf(chrome.lang).layout}
      footer={<LanguageForm language={chrome.lang} back={chrome.here} />}
      {...rest}
    >
      {children}
    </Layout>
  );
}

/** A short message instead of a page: what is the matter, and where to go from here. */
export function Message(props: {
  title: string;
  text: string;
  links: readonly (readonly [href: string, label: string])[];
}) {
  return (
    <section class="message" role="alert">
      <h1>{props.title}</h1>
      <p>{props.text}</p>
      <ul class="message-links">
        {props.links.map(([href, label]) => (
          <li>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
