import { type CanonicalUrl, canonicalUrl, URL_LENGTH_MAX } from "./canonical.ts";

/**
 * A path that is canonical as it stands: no escape, no query, no session, no segment that is empty
 * or begins with a dot. A final slash may be.
 */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9\-_~!$&'()*+,=:@][A-Za-z0-9\-._~!$&'()*+,=:@]*)*\/?$/;

/** Origins met lately that are canonical as they are written; of all pages of a thread. */
const ORIGINS_MAX = 4_096;
const origins = new Set<string>();

/**
 * Canonical URLs of the links of one page. It says what `canonicalUrl` says; plain paths, which
 * most links are, need no parsing behind an origin that is known.
 */
export class Resolver {
  readonly #base: string;
  readonly #origin: string;

  constructor(base: string) {
    this.#base = base;
    const root = canonicalUrl("/", base);
    this.#origin = root.kind === "canonical" ? root.url.slice(0, -1) : "";
  }

  /** Null: refused. */
  canonical(href: string): CanonicalUrl | null {
    return this.#plain(href) ?? this.#parsed(href);
  }

  #plain(href: string): CanonicalUrl | null {
    if (href.startsWith("/")) {
      const isPlain = this.#origin !== "" && PLAIN_PATH.test(href);
      return isPlain ? bounded(this.#origin + href) : null;
    }
    const path = pathAt(href);
    if (path < 0 || !origins.has(href.slice(0, path))) return null;
    return PLAIN_PATH.test(href.slice(path)) ? bounded(href) : null;
  }

  #parsed(href: string): CanonicalUrl | null {
    const result = canonicalUrl(href, this.#base);
    if (result.kind === "refused") return null;
    const path = pathAt(href);
    if (path > 0 && result.url.startsWith(href.slice(0, path + 1))) {
      if (origins.size >= ORIGINS_MAX) origins.clear();
      // Not a part of `href`, which would keep its whole page in memory.
      origins.add(result.url.slice(0, path));
    }
    return result.url;
  }
}

/** Where the path of an absolute URL begins; -1: it is none, or has no path. */
function pathAt(href: string): number {
  if (!href.startsWith("http://") && !href.startsWith("https://")) return -1;
  return href.indexOf("/", 8);
}

const bounded = (url: string): CanonicalUrl | null =>
  url.length <= URL_LENGTH_MAX ? (url as CanonicalUrl) : null;
