import type { CanonicalUrl } from "./canonical.ts";
import { pathAndQuery } from "./scope.ts";

/** The shapes that a URL shares with others of its host. */
export interface UrlPatterns {
  /** Path with digits and titles folded, names of the parameters; null: the URL has its own. */
  readonly narrow: string | null;
  /** The same path with any query; without one, all that is below its first folder. */
  readonly broad: string | null;
  /** `broad` is of a folder. */
  readonly isFolder: boolean;
}

/** A pattern is a key in the store: what is longer ends here. */
const PATTERN_CHARS_MAX = 200;
/** A segment like this is the title of one page: `how-to-bake-good-bread`. */
const TITLE = /^(?:[^-_]+[-_]){3,}[^-_]*$|^.{40,}$/;
const DIGITS = /\d+/g;

export function patternsOf(url: CanonicalUrl): UrlPatterns {
  const subject = pathAndQuery(url);
  const question = subject.indexOf("?");
  const path = question < 0 ? subject : subject.slice(0, question);
  const folded = foldPath(path);
  if (question >= 0) {
    const names = parametersOf(subject.slice(question + 1)).map(({ name }) => name);
    const distinct = [...new Set(names.map((name) => name.replace(DIGITS, "0")))].sort();
    return {
      narrow: cut(`${folded}?${distinct.join("&")}`),
      broad: cut(`${folded}?*`),
      isFolder: false,
    };
  }
  const second = path.indexOf("/", 1);
  const isBelow = second > 0 && second < path.length - 1;
  return {
    narrow: folded === path ? null : cut(folded),
    broad: isBelow ? cut(`${foldPath(path.slice(0, second))}/**`) : null,
    isFolder: true,
  };
}

function foldPath(path: string): string {
  const bare = path.replace(DIGITS, "0");
  if (!bare.includes("-") && !bare.includes("_") && bare.length < 40) return bare;
  return bare
    .split("/")
    .map((segment) => (TITLE.test(segment) ? "*" : segment))
    .join("/");
}

const cut = (pattern: string): string => pattern.slice(0, PATTERN_CHARS_MAX);

export interface Parameter {
  readonly name: string;
  /** As it is written, name and all. */
  readonly written: string;
}

/** Of a query as it is written, without its question mark. */
export function parametersOf(query: string): Parameter[] {
  if (query === "") return [];
  return query.split("&").map((written) => {
    const end = written.indexOf("=");
    return { name: end < 0 ? written : written.slice(0, end), written };
  });
}

/** The query of a URL; empty: it has none. */
export function queryOf(url: string): string {
  const question = url.indexOf("?");
  return question < 0 ? "" : url.slice(question + 1);
}

/** The URL less the parameters of these names; the order of the others stays. */
export function withoutParameters(url: CanonicalUrl, names: ReadonlySet<string>): CanonicalUrl {
  const query = queryOf(url);
  if (query === "") return url;
  const all = parametersOf(query);
  const kept = all.filter(({ name }) => !names.has(name));
  if (kept.length === all.length) return url;
  const bare = url.slice(0, url.length - query.length - 1);
  return withQuery(bare, kept);
}

export function withQuery(bare: string, parameters: readonly Parameter[]): CanonicalUrl {
  const query = parameters.map(({ written }) => written).join("&");
  return (query === "" ? bare : `${bare}?${query}`) as CanonicalUrl;
}
