import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Batcher } from "../../batch.ts";
import type { Log } from "../../log.ts";
import type { Ranking } from "../../ranking.ts";
import type { IndexDocument } from "../document.ts";
import {
  type CandidateFilter,
  type CandidateSet,
  type Enrichment,
  type HostRank,
  type IndexEntry,
  IndexUnavailable,
  type IndexVersion,
  type PutOptions,
  type PutResult,
  type SearchIndex,
  type WordCount,
} from "../port.ts";
import type { ParsedQuery } from "../query.ts";
import type { SearchRequest, SearchResults } from "../search.ts";
import { packChanges } from "./cargo.ts";
import { ThreadLink } from "./link.ts";
import { type LoadedCandidates, unpackCandidates } from "./load.ts";
import type { Change } from "./writer.ts";

export interface SqliteIndexOptions {
  dataDir: string;
  log: Log;
  /** Bound of the file in pages of 8 KiB. */
  pagesMax?: number;
}

const READERS = 2;
/** Documents in one transaction, and how long the first of them waits for company. */
const BATCH_MAX = 200;
const BATCH_WAIT_MS = 2;
/** A batch of 10 costs three times as much a document as one of 50. */
const BATCH_BUSY_WAIT_MS = 40;
/** Documents waiting at most; the next ones are told at once. */
const WAITING_MAX = 4_000;
/** How long a document waits for a file that somebody else holds. */
const PUT_WAIT_MS = 5_000;
/** Beyond it the writer thread itself hangs: a disk that does not answer. */
const WRITER_TIMEOUT_MS = 15_000;
const READ_TIMEOUT_MS = 10_000;
const PROBE_TIMEOUT_MS = 1_500;
const PROBE_SLOW_MS = 500;
const CLOSE_TIMEOUT_MS = 5_000;

const CLOSED: PutResult = { kind: "unavailable", detail: "the index is closed" };

/** Opens DATA_DIR/search.sqlite. A file that cannot be opened now heals later: health() tells. */
export async function openSqliteIndex(options: SqliteIndexOptions): Promise<SearchIndex> {
  mkdirSync(options.dataDir, { recursive: true });
  const index = new SqliteIndex(options);
  await index.start();
  return index;
}

class SqliteIndex implements SearchIndex {
  readonly backend = "embedded";
  readonly #writer: ThreadLink;
  readonly #readers: readonly ThreadLink[];
  /** Reads that take a millisecond, and would wait behind a search for thirty. */
  readonly #shortReader: ThreadLink;
  readonly #checkpointer: ThreadLink;
  readonly #batcher: Batcher<Waiting, PutResult>;
  readonly #log: Log;
  #waiting = 0;
  /** The last batch could not be written. */
  #didRefuse = false;
  #closing: Promise<void> | null = null;

  constructor({ dataDir, log, pagesMax }: SqliteIndexOptions) {
    const path = join(dataDir, "search.sqlite");
    const thread = (name: string, settings: object) =>
      new ThreadLink(new URL(`./${name}-thread.ts`, import.meta.url), { path, ...settings }, log);
    this.#log = log;
    this.#writer = thread("writer", { pagesMax: pagesMax ?? null });
    this.#checkpointer = thread("checkpoint", {});
    this.#readers = Array.from({ length: READERS }, () => thread("reader", {}));
    this.#shortReader = thread("reader", {});
    // Two at once: one is written while the next one travels.
    this.#batcher = new Batcher((changes) => this.#write(changes), {
      itemsMax: BATCH_MAX,
      waitMs: BATCH_WAIT_MS,
      busyWaitMs: BATCH_BUSY_WAIT_MS,
      parallel: 2,
    });
  }

  async start(): Promise<void> {
    const answer = await this.#writer.ask<PutResult>("connect", null, WRITER_TIMEOUT_MS);
    const result = answer.kind === "answered" ? answer.value : answer;
    void this.#checkpointer.ask("start", null, WRITER_TIMEOUT_MS);
    if ("detail" in result) this.#log.warn("index.not_open", { detail: result.detail });
  }

  put(document: IndexDocument, options: PutOptions = {}): Promise<PutResult> {
    return this.#change({ kind: "put", document, ...options });
  }

  remove(ids: readonly number[]): Promise<PutResult> {
    return this.#change({ kind: "remove", ids: [...ids] });
  }

  rankHosts(ranks: readonly HostRank[]): Promise<PutResult> {
    return this.#tell("rank", { ranks });
  }

  enrich(updates: readonly Enrichment[]): Promise<PutResult> {
    return this.#tell("enrich", { updates });
  }

  async #tell(operation: string, what: object): Promise<PutResult> {
    if (this.#closing !== null) return CLOSED;
    const argument = { ...what, deadlineAt: now() + PUT_WAIT_MS };
    const answer = await this.#writer.ask<PutResult>(operation, argument, WRITER_TIMEOUT_MS);
    if (answer.kind === "answered") return answer.value;
    return { kind: "unavailable", detail: answer.detail };
  }

  ranks(hosts: readonly string[]): Promise<HostRank[]> {
    return this.#readShort("ranks", hosts);
  }

  async candidates(
    query: ParsedQuery,
    filter: CandidateFilter,
    ranking: Ranking = {},
  ): Promise<CandidateSet> {
    const argument = { query, filter, ranking };
    return unpackCandidates(await this.#read<LoadedCandidates>("candidates", argument));
  }

  answer(request: SearchRequest, ranking: Ranking): Promise<Omit<SearchResults, "tookMs">> {
    return this.#read("answer", { request, ranking });
  }

  async texts(ids: readonly number[]): Promise<Map<number, string>> {
    return new Map(await this.#read<[number, string][]>("texts", ids));
  }

  async summaries(ids: readonly number[]): Promise<Map<number, string>> {
    return new Map(await this.#read<[number, string][]>("summaries", ids));
  }

  words(prefix: string, limit: number): Promise<WordCount[]> {
    return this.#readShort("words", { prefix, limit });
  }

  similar(word: string, limit: number): Promise<WordCount[]> {
    return this.#read("similar", { word, limit });
  }

  titles(prefix: string, limit: number): Promise<{ title: string; url: string }[]> {
    return this.#readShort("titles", { prefix, limit });
  }

  ids(after: number, limit: number): Promise<IndexEntry[]> {
    return this.#read("ids", { after, limit });
  }

  versions(ids: readonly number[]): Promise<IndexVersion[]> {
    return this.#readShort("versions", ids);
  }

  count(): Promise<number> {
    return this.#readShort("count", null);
  }

  async health(): Promise<"up" | "slow" | "refused" | "down"> {
    if (this.#closing !== null) return "down";
    const began = performance.now();
    const [write, read] = await Promise.all([
      this.#writer.ask<"up" | "refused" | "down">("probe", null, PROBE_TIMEOUT_MS),
      this.#shortReader.ask<number>("count", null, PROBE_TIMEOUT_MS),
    ]);
    if (read.kind === "failed") return "down";
    // A writer that does not answer in time is at work, or waits for the lock of another process.
    if (write.kind === "failed") return this.#didRefuse ? "refused" : "slow";
    if (write.value !== "up") return write.value;
    return performance.now() - began > PROBE_SLOW_MS ? "slow" : "up";
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#batcher.drain();
    const threads = [this.#checkpointer, ...this.#readers, this.#shortReader, this.#writer];
    await Promise.all(threads.map((thread) => thread.stop(CLOSE_TIMEOUT_MS)));
  }

  async #change(change: Change): Promise<PutResult> {
    if (this.#closing !== null) return CLOSED;
    if (this.#waiting >= WAITING_MAX) {
      return { kind: "unavailable", detail: `${WAITING_MAX} changes wait already` };
    }
    this.#waiting++;
    try {
      return await this.#batcher.add({ change, deadlineAt: now() + PUT_WAIT_MS });
    } finally {
      this.#waiting--;
    }
  }

  async #write(batch: Waiting[]): Promise<readonly PutResult[]> {
    const cargo = packChanges(batch.map((waiting) => waiting.change));
    const { deadlineAt } = batch[0]!;
    const argument = { cargo, deadlineAt, giveUpAt: now() + WRITER_TIMEOUT_MS };
    const answer = await this.#writer.ask<PutResult[]>("apply", argument, WRITER_TIMEOUT_MS, [
      cargo.bytes.buffer,
    ]);
    this.#didRefuse =
      answer.kind === "failed" || answer.value.some((result) => result.kind === "unavailable");
    if (answer.kind === "answered") return answer.value;
    return batch.map(() => ({ kind: "unavailable", detail: answer.detail }));
  }

  #read<T>(operation: string, argument: unknown): Promise<T> {
    return this.#readBy(this.#idlest(), operation, argument);
  }

  #readShort<T>(operation: string, argument: unknown): Promise<T> {
    return this.#readBy(this.#shortReader, operation, argument);
  }

  async #readBy<T>(reader: ThreadLink, operation: string, argument: unknown): Promise<T> {
    if (this.#closing !== null) throw new IndexUnavailable("the index is closed");
    const answer = await reader.ask<T>(operation, argument, READ_TIMEOUT_MS);
    if (answer.kind === "failed") throw new IndexUnavailable(answer.detail);
    return answer.value;
  }

  #idlest(): ThreadLink {
    return this.#readers.reduce((one, other) => (other.load < one.load ? other : one));
  }
}

interface Waiting {
  change: Change;
  deadlineAt: number;
}

/** The same clock in every thread of the process. */
const now = (): number => performance.timeOrigin + performance.now();
