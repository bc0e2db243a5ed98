import { decodeXML } from "entities";

/** What one element `url` or `sitemap` says, as written but for entities. */
export interface ScannedEntry {
  loc: string;
  lastmod: string | null;
  priority: string | null;
  /** Its translations: `xhtml:link rel=alternate hreflang`. */
  alternates: string[];
}

/** What must be known of the text before, to go on with the next piece; plain data. */
export interface ScanState {
  /** Local name of the root element, lower case; null: not met yet. */
  root: string | null;
  prefix: string;
  /** Text from the first element that is not over yet. */
  rest: string;
  /** Something without an end, too long to be kept, is passed over until this. */
  skipUntil: string | null;
  /** The root element has ended. */
  isOver: boolean;
  /** Its DTD defines entities: what refers to one is not known, and never will be. */
  definesEntities: boolean;
  /** Entries so far. */
  count: number;
}

export const SCAN_START: ScanState = {
  root: null,
  prefix: "",
  rest: "",
  skipUntil: null,
  isOver: false,
  definesEntities: false,
  count: 0,
};

/** An element that is longer is no entry, or nobody's. */
const REST_MAX = 64 * 1024;
const ALTERNATES_MAX = 100;
const ENTRY_OF_ROOT: Readonly<Record<string, string>> = { urlset: "url", sitemapindex: "sitemap" };

export const isSitemapRoot = (root: string | null): boolean =>
  root !== null && root in ENTRY_OF_ROOT;

interface Entry {
  at: number;
  loc: string | null;
  lastmod: string | null;
  priority: string | null;
  alternates: string[];
}

/** Something begins at `at` whose end is not in the text; `until`: what ends it. */
interface Open {
  at: number;
  until: string | null;
}

/**
 * Entries of a sitemap or sitemap index, piece by piece: names in any case and under any prefix,
 * markup that is broken as far as it can be read. Entities that a document defines stay what they
 * are, a DTD is passed over, nothing outside is ever read. An entry is told when it is whole.
 */
export class SitemapScan {
  readonly entries: ScannedEntry[] = [];
  #state: ScanState;
  #text = "";
  #pos = 0;
  #entry: Entry | null = null;

  constructor(state: ScanState) {
    this.#state = { ...state };
  }

  /** Reads as far as the text is whole; gives what the next piece needs. */
  push(text: string, isLast: boolean): ScanState {
    this.#text = this.#state.rest + text;
    this.#pos = 0;
    this.#entry = null;
    const open = this.#run();
    const rest =
      open === null ? "" : this.#text.slice((this.#entry as Entry | null)?.at ?? open.at);
    this.#state.rest = rest;
    if (rest.length > REST_MAX) this.#giveUp(open);
    if (isLast || rest.length > REST_MAX) this.#finish();
    if (isLast) this.#state.rest = "";
    return this.#state;
  }

  #giveUp(open: Open | null): void {
    const until = open?.until ?? null;
    this.#state.skipUntil = until;
    const overlap = (until?.length ?? 1) - 1;
    this.#state.rest = overlap === 0 ? "" : this.#text.slice(-overlap);
  }

  /** Null: all of it was read. */
  #run(): Open | null {
    if (this.#state.skipUntil !== null && !this.#skip(this.#state.skipUntil)) {
      return { at: Math.max(0, this.#text.length - 2), until: this.#state.skipUntil };
    }
    this.#state.skipUntil = null;
    for (;;) {
      const at = this.#text.indexOf("<", this.#pos);
      if (at < 0) return this.#entry === null ? null : { at: this.#text.length, until: null };
      const open = this.#token(at);
      if (open !== null) return open;
      if (this.#state.root !== null && !isSitemapRoot(this.#state.root)) return null;
    }
  }

  #skip(until: string): boolean {
    const end = this.#text.indexOf(until, this.#pos);
    if (end >= 0) this.#pos = end + until.length;
    return end >= 0;
  }

  #token(at: number): Open | null {
    const text = this.#text;
    const second = text[at + 1];
    if (second === undefined) return { at, until: null };
    if (second === "!" || second === "?") return this.#declaration(at, second);
    const end = text.indexOf(">", at);
    if (end < 0) return { at, until: null };
    this.#pos = end + 1;
    const tag = text.slice(at + 1, end);
    if (second === "/") {
      this.#closed(nameOf(tag.slice(1)));
      return null;
    }
    return this.#opened(tag, at);
  }

  #declaration(at: number, second: string): Open | null {
    const text = this.#text;
    // Too short to know what it is.
    if (second === "!" && text.length - at < 9) return { at, until: null };
    const until = endOfDeclaration(text, at, second);
    if (until === null) return { at, until: ">" };
    if (until === "]>") this.#state.definesEntities = true;
    this.#pos = at + 2;
    return this.#skip(until) ? null : { at, until };
  }

  #opened(tag: string, at: number): Open | null {
    const { prefix, local } = nameOf(tag);
    const state = this.#state;
    if (state.root === null) {
      state.root = local;
      state.prefix = prefix;
      return null;
    }
    const isOwn = prefix === state.prefix;
    const isEmpty = tag.endsWith("/");
    if (isOwn && local === ENTRY_OF_ROOT[state.root]) {
      this.#finish();
      if (!isEmpty) {
        this.#entry = { at, loc: null, lastmod: null, priority: null, alternates: [] };
      }
      return null;
    }
    if (this.#entry === null || isEmpty) {
      if (this.#entry !== null && local === "link") this.#alternate(this.#entry, tag);
      return null;
    }
    if (local === "link") this.#alternate(this.#entry, tag);
    if (!isOwn || (local !== "loc" && local !== "lastmod" && local !== "priority")) return null;
    const value = this.#value(local);
    if (value === "open") return { at, until: null };
    if (value !== null) this.#entry[local] ??= value.text;
    return null;
  }

  #closed({ prefix, local }: Name): void {
    const state = this.#state;
    if (state.root === null || prefix !== state.prefix) return;
    if (local === ENTRY_OF_ROOT[state.root]) this.#finish();
    if (local === state.root) state.isOver = true;
  }

  /** Text up to the end tag of `local`; null: it has none, for another tag comes first. */
  #value(local: string): { text: string } | "open" | null {
    const text = this.#text;
    let value = "";
    for (let from = this.#pos; ; ) {
      const at = text.indexOf("<", from);
      const end = at < 0 ? -1 : text.indexOf(">", at);
      if (end < 0) return "open";
      value += decodeXML(text.slice(from, at));
      const cdata = text.startsWith("<![CDATA[", at);
      if (!cdata && !text.startsWith("<!--", at)) {
        if (text[at + 1] !== "/" || nameOf(text.slice(at + 2, end)).local !== local) return null;
        this.#pos = end + 1;
        return { text: value };
      }
      const close = text.indexOf(cdata ? "]]>" : "-->", at + 4);
      if (close < 0) return "open";
      if (cdata) value += text.slice(at + 9, close);
      from = close + 3;
    }
  }

  #alternate(entry: Entry, tag: string): void {
    const isAlternate = /\srel\s*=\s*["']?alternate\b/i.test(tag) && /\shreflang\s*=/i.test(tag);
    const href = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag);
    const written = href?.[1] ?? href?.[2];
    if (!isAlternate || written === undefined || entry.alternates.length >= ALTERNATES_MAX) return;
    entry.alternates.push(decodeXML(written));
  }

  #finish(): void {
    const entry = this.#entry;
    this.#entry = null;
    if (entry === null || entry.loc === null) return;
    const { loc, lastmod, priority, alternates } = entry;
    if (this.#state.definesEntities && REFERENCE.test(loc)) return;
    this.#state.count++;
    this.entries.push({ loc, lastmod, priority, alternates });
  }
}

const REFERENCE = /&[a-z_][\w.:-]*;/i;

interface Name {
  prefix: string;
  local: string;
}

function nameOf(tag: string): Name {
  const name = (/^[^\s/>]{1,100}/.exec(tag)?.[0] ?? "").toLowerCase();
  const colon = name.indexOf(":");
  return colon < 0
    ? { prefix: "", local: name }
    : { prefix: name.slice(0, colon), local: name.slice(colon + 1) };
}

function endOfDeclaration(text: string, at: number, second: string): string | null {
  if (second === "?") return "?>";
  if (text.startsWith("<!--", at)) return "-->";
  if (text.startsWith("<![CDATA[", at)) return "]]>";
  // A DTD of its own is passed over with what it defines.
  const close = text.indexOf(">", at);
  const subset = text.indexOf("[", at);
  if (close < 0 && subset < 0) return null;
  return subset >= 0 && (close < 0 || subset < close) ? "]>" : ">";
}
