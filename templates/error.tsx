/** @jsxRuntime automatic @jsxImportSource preact */
import { type Chrome, Layout } from "./layout.tsx";

export interface ErrorPageProps {
  chrome: Chrome;
  status: number;
  title: string;
  /** What happened and what the reader can do, in a sentence or two. */
  message: string;
}

/** A readable page for everything that did not work. */
export function ErrorPage(props: ErrorPageProps) {
  const { chrome, title } = props;
  const isConsole = chrome.viewer !== null && chrome.path.startsWith("/admin");
  const area = isConsole ? "console" : "public";
  return (
    <Layout chrome={chrome} title={title} area={area} mainClass="page page-narrow">
      <ErrorBody {...props} back={isConsole ? CONSOLE : SEARCH} />
    </Layout>
  );
}

type Back = readonly [href: string, label: string];

const SEARCH: Back = ["/", "To the search page"];
const CONSOLE: Back = ["/admin", "To the overview"];

/** The same as a fragment, for a request that swaps only part of a page. */
export function ErrorBody(props: Omit<ErrorPageProps, "chrome"> & { back?: Back }) {
  const [href, label] = props.back ?? SEARCH;
  return (
    <section class="error-page" role="alert">
      <p class="error-status">{props.status}</p>
      <h1>{props.title}</h1>
      <p>{props.message}</p>
      <p>
        <a class="button" href={href}>
          {label}
        </a>
      </p>
    </section>
  );
}
