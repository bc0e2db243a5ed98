import type { HostRow } from "../db/hosts.ts";
import { judgeClaims, type LastmodTrust } from "../db/lastmod-claims.ts";
import type { SitemapRow } from "../db/sitemaps.ts";
import { isOutage } from "../db/store-errors.ts";
import { BodyPieces } from "../fetch/pieces.ts";
import { causeFirst } from "../log.ts";
import type { SitemapEntry, SitemapPiece, SitemapState } from "../parse/sitemap.ts";
import { kindOfBody } from "../parse/sniff.ts";
import type { CanonicalUrl } from "../url/canonical.ts";
import { hostName } from "../url/host.ts";
import { admitEntries } from "./admit-entries.ts";
import type { CrawlDeps } from "./deps.ts";
import type { SitemapVerdict } from "./sitemap-finds.ts";

/** Bytes that are parsed at once: some ms of a parse thread. */
const PIECE_BYTES = 131_072;
const HEAD_BYTES = 4_096;
/** A site has its sitemaps on some hosts; each makes one known, whatever the frontier may hold. */
const OTHER_HOSTS_MAX = 100;
/** For what has arrived to be unpacked, parsed and admitted, once the answer is over. */
const END_WAIT_MS = 60_000;

/**
 * What a sitemap or feed says, taken in while it arrives: parsed piece by piece in a killable
 * thread, admitted in batches. What came before a trouble stays.
 */
export class SitemapReading {
  readonly sink: BodyPieces;
  what: "urls" | "index" | "feed" | "other" | null = null;
  /** URLs or sitemaps that it names. */
  entries = 0;
  admitted = 0;
  /** Where there was no room for its URLs. */
  readonly full = new Set<string>();
  /** It could not be read to its end, by no fault of its own. */
  isBroken = false;
  #trouble: string | null = null;
  /** Once something is dated: how far it is believed. */
  #trust: LastmodTrust | null = null;
  #kind: "sitemap" | "feed" | null = null;
  #state: SitemapState | null = null;
  readonly #others = new Set<string>();
  readonly #deps: CrawlDeps;
  readonly #host: HostRow;
  readonly #sitemap: SitemapRow;

  constructor(deps: CrawlDeps, host: HostRow, sitemap: SitemapRow) {
    this.#deps = deps;
    this.#host = host;
    this.#sitemap = sitemap;
    this.sink = new BodyPieces({
      pieceBytes: PIECE_BYTES,
      bytesMax: deps.config.fetch.sitemapBytesMax,
      wholeMax: deps.config.fetch.bytesMax,
      read: (bytes, isLast) => this.#readOrTell(bytes, isLast),
    });
  }

  /** What was wrong, if only with a part of it. */
  get trouble(): string | null {
    return this.#trouble ?? this.sink.problem;
  }

  /** The answer is over: reads what is left of it. */
  async end(): Promise<void> {
    const over = new AbortController();
    const ended = this.sink.end();
    const late = this.#deps.clock.sleep(END_WAIT_MS, over.signal);
    const first = await Promise.race([ended.then(() => "ended"), late]);
    over.abort();
    if (first === "ended") return;
    this.#break("it took too long to read");
    this.sink.close();
  }

  async #readOrTell(bytes: Uint8Array<ArrayBuffer>, isLast: boolean) {
    try {
      return await this.#read(bytes, isLast);
    } catch (error) {
      if (isOutage(error)) this.#deps.breaker.trip("postgres", causeFirst(error));
      else this.#deps.log.error("sitemap.crashed", { url: this.#sitemap.url, error });
      return this.#break(isOutage(error) ? "the store was away" : "internal error");
    }
  }

  async #read(bytes: Uint8Array<ArrayBuffer>, isLast: boolean): Promise<"more" | "whole" | "stop"> {
    this.#kind ??= kindOf(bytes);
    if (this.#kind === "feed" && !isLast) return "whole";
    const request = {
      kind: this.#kind,
      url: this.#sitemap.url,
      bytes,
      isLast,
      state: this.#state,
      charset: this.sink.charset,
      now: this.#deps.clock.now(),
    };
    const parsed = await this.#deps.threads.run(request, [bytes.buffer]);
    if (parsed.kind === "full") return this.#break("no parse thread had time for it");
    if (parsed.kind === "killed") {
      this.what = "other";
      this.#trouble = `parse ${parsed.why}`;
      return "stop";
    }
    if (parsed.value.kind !== "sitemap") throw new Error("a sitemap was read as a page");
    return await this.#take(parsed.value);
  }

  async #take(piece: SitemapPiece): Promise<"more" | "stop"> {
    this.#state = piece.state;
    this.what = piece.what ?? this.what;
    if (piece.what === "other") return "stop";
    if (piece.isCutShort) this.#trouble ??= this.sink.problem ?? "it ends before its end";
    this.entries += piece.entries.length;
    if (piece.what === "index") await this.#addChildren(piece.entries);
    else await this.#admit(piece.entries);
    return "more";
  }

  async #admit(entries: readonly SitemapEntry[]): Promise<void> {
    const via = this.what === "feed" ? "feed" : "sitemap";
    const isDated = entries.some(({ lastmod }) => lastmod !== null);
    if (isDated) this.#trust ??= await judgeClaims(this.#deps.db, this.#sitemap.id);
    const where = { host: this.#host, via, trust: this.#trust } as const;
    this.admitted += await admitEntries(this.#deps, where, entries, this.full);
  }

  async #addChildren(entries: readonly SitemapEntry[]): Promise<void> {
    const depth = this.#sitemap.depth + 1;
    const named = entries.filter(({ url }) => this.#isNear(url));
    if (named.length < entries.length) {
      this.#trouble ??= `some of its sitemaps: on more than ${OTHER_HOSTS_MAX} other hosts`;
    }
    const children = named.map(({ url }) => {
      return { url, kind: "sitemap", origin: "index", depth, hops: 0 } as const;
    });
    const verdicts = await this.#deps.finds.add(children, this.#host.name);
    for (const [verdict, why] of CHILD_TROUBLES) {
      const count = verdicts.filter((each) => each === verdict).length;
      if (count > 0) this.#trouble ??= `${count} of its sitemaps: ${why}`;
    }
  }

  /** Of its own host, or of one of the few others that it may name. */
  #isNear(url: string): boolean {
    const host = hostName(url as CanonicalUrl);
    if (host === this.#host.name || this.#others.has(host)) return true;
    if (this.#others.size >= OTHER_HOSTS_MAX) return false;
    this.#others.add(host);
    return true;
  }

  #break(why: string): "stop" {
    this.#trouble ??= why;
    this.isBroken = true;
    return "stop";
  }
}

const CHILD_TROUBLES: readonly (readonly [SitemapVerdict, string])[] = [
  ["depth", "nested too deep"],
  ["full", "more than are kept of a host"],
  ["scope", "out of scope"],
  ["blocked", "blocked"],
];

/** A JSON feed names its format; all else that is no feed is for the reader of sitemaps to tell. */
function kindOf(bytes: Uint8Array): "sitemap" | "feed" {
  const head = bytes.subarray(0, HEAD_BYTES);
  if (kindOfBody(head, "") === "feed") return "feed";
  const text = new TextDecoder().decode(head);
  const isJson = /^[\s\ufeff]*\{/.test(text);
  return isJson && /jsonfeed\.org\\?\/version/.test(text) ? "feed" : "sitemap";
}
