/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { en } from "./words/en.ts";

/** Who is signed in; `csrf` goes into every form that changes something. */
export interface Viewer {
  name: string;
  role: "admin" | "viewer";
  csrf: string;
}

/** What every page needs to know of its request. */
export interface Chrome {
  /** Hashed path of an asset by its plain name, e.g. `app.css`. Throws for a name nobody serves. */
  asset(name: string): string;
  /** Language of the page's own words, as in `<html lang>`. */
  lang: string;
  /** Path of this request, without its query. */
  path: string;
  viewer: Viewer | null;
  /** Whether the public may submit pages. */
  acceptsSubmissions: boolean;
  /** htmx swaps the answer into a page: its content is wanted without the frame. */
  isFragment?: boolean;
}

/** The layout's own words; a translated page passes its own. */
export interface LayoutWords {
  skip: string;
  menu: string;
  search: string;
  submit: string;
  bot: string;
  status: string;
  console: string;
  signIn: string;
  signOut: string;
}

export interface LayoutProps {
  chrome: Chrome;
  /** Title of the page; the product's name is added. */
  title: string;
  area: "public" | "console";
  /** Own stylesheets and scripts by plain asset name, after the shared ones. */
  styles?: readonly string[];
  scripts?: readonly string[];
  /** More elements of `<head>`: feeds, OpenSearch, robots. */
  head?: ComponentChildren;
  /** Class of `<main>`, for a page that lays itself out differently. */
  mainClass?: string;
  words?: LayoutWords;
  /** More of the footer, such as the choice of a language. */
  footer?: ComponentChildren;
  children: ComponentChildren;
}

/** htmx never evaluates text, never reaches another origin and loads no extension but ours. */
const HTMX_CONFIG = JSON.stringify({
  extensions: "sse",
  prefix: "",
  includeIndicatorCSS: false,
  defaultTimeout: 15_000,
});

/** A whole page around its content. Every page of the program goes through here. */
export function Layout(props: LayoutProps) {
  const { chrome, area, styles = [], scripts = [], words = en.layout } = props;
  const title = props.title === "Trawl" ? props.title : `${props.title} · Trawl`;
  if (chrome.isFragment) {
    return (
      <>
        <title>{title}</title>
        {props.children}
      </>
    );
  }
  return (
    <html lang={chrome.lang}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content={HTMX_CONFIG} />
        {area === "console" && <meta name="robots" content="noindex, nofollow" />}
        <title>{title}</title>
        <link rel="icon" href={chrome.asset("icon.svg")} type="image/svg+xml" />
        {["app.css", ...styles].map((name) => (
          <link rel="stylesheet" href={chrome.asset(name)} />
        ))}
        {["htmx.js", "app.js", ...scripts].map((name) => (
          <script src={chrome.asset(name)} defer />
        ))}
        {props.head}
      </head>
      <body class={`area-${area}`}>
        <a class="skip-link" href="#main">
          {words.skip}
        </a>
        <header class="site-header">
          <a class="brand" href="/">
            <Mark />
            <span>Trawl</span>
          </a>
          {area === "console" ? (
            <ConsoleNav chrome={chrome} words={words} />
          ) : (
            <PublicNav chrome={chrome} words={words} />
          )}
        </header>
        <main id="main" class={props.mainClass ?? "page"} tabIndex={-1}>
          {props.children}
        </main>
        <footer class="site-footer">
          <ul class="footer-links">
            <li>
              <a href="/bot">{words.bot}</a>
            </li>
            <li>
              <a href="/status">{words.status}</a>
            </li>
          </ul>
          {props.footer}
        </footer>
      </body>
    </html>
  );
}

const CONSOLE_PAGES: readonly (readonly [path: string, label: string])[] = [
  ["/admin", "Overview"],
  ["/admin/hosts", "Hosts"],
  ["/admin/urls", "URLs"],
  ["/admin/search", "Search"],
  ["/admin/submissions", "Submissions"],
  ["/admin/audit", "Audit"],
  ["/admin/settings", "Settings"],
  ["/admin/users", "Users"],
];

function ConsoleNav({ chrome, words }: { chrome: Chrome; words: LayoutWords }) {
  return (
    <>
      <nav class="site-nav" aria-label="Console">
        <ul>
          {CONSOLE_PAGES.map(([path, label]) => (
            <NavItem path={path} label={label} current={chrome.path} />
          ))}
        </ul>
      </nav>
      {chrome.viewer && (
        <form class="account" method="post" action="/logout">
          <input type="hidden" name="csrf" value={chrome.viewer.csrf} />
          <span class="account-name">
            <bdi>{chrome.viewer.name}</bdi>
            <span class="muted"> ({chrome.viewer.role})</span>
          </span>
          <button class="button button-quiet" type="submit">
            {words.signOut}
          </button>
        </form>
      )}
    </>
  );
}

function PublicNav({ chrome, words }: { chrome: Chrome; words: LayoutWords }) {
  return (
    <nav class="site-nav" aria-label={words.menu}>
      <ul>
        <NavItem path="/" label={words.search} current={chrome.path} />
        {chrome.acceptsSubmissions && (
          <NavItem path="/submit" label={words.submit} current={chrome.path} />
        )}
        <NavItem
          path={chrome.viewer ? "/admin" : "/login"}
          label={chrome.viewer ? words.console : words.signIn}
          current={chrome.path}
        />
      </ul>
    </nav>
  );
}

function NavItem(props: { path: string; label: string; current: string }) {
  const { path, label, current } = props;
  const isRoot = path === "/" || path === "/admin";
  const here = current === path ? "page" : !isRoot && current.startsWith(`${path}/`);
  return (
    <li>
      <a href={path} {...(here === false ? {} : { "aria-current": here })}>
        {label}
      </a>
    </li>
  );
}

/** The mark: a net drawn by three lines. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d="M3 5c2.5 9 5.5 13 9 14 3.5-1 6.5-5 9-14" />
      <path d="M3 5c6 2.5 12 2.5 18 0" />
      <path d="M6.5 12.5c3.5 1.7 7.5 1.7 11 0M8.5 6.5 12 19l3.5-12.5" />
    </svg>
  );
}
