import type { IndexDocument } from "../../src/search/document.ts";
import {
  type Enrichment,
  type HostRank,
  type IndexEntry,
  IndexUnavailable,
  type IndexVersion,
  type PutOptions,
  type PutResult,
  type SearchIndex,
} from "../../src/search/port.ts";

/** An index in memory for tests of the crawl; its health can be taken away. */
export class MemoryIndex implements SearchIndex {
  readonly backend = "embedded";
  readonly documents = new Map<number, IndexDocument>();
  readonly told = new Map<string, HostRank>();
  isDown = false;
  readonly #summaries = new Map<number, { contentHash: string; summary: string }>();

  async put(document: IndexDocument, { isTruth = false }: PutOptions = {}): Promise<PutResult> {
    if (this.isDown) return { kind: "unavailable", detail: "taken away by the test" };
    const known = this.documents.get(document.id);
    if (!isTruth && known && known.crawledAt > document.crawledAt) return { kind: "superseded" };
    this.documents.set(document.id, document);
    const { id, contentHash, summary } = document;
    if (summary === null) this.#summaries.delete(id);
    else if (summary !== undefined && contentHash !== null) {
      this.#summaries.set(id, { contentHash, summary });
    }
    return { kind: "stored" };
  }

  async remove(ids: readonly number[]): Promise<PutResult> {
    if (this.isDown) return { kind: "unavailable", detail: "taken away by the test" };
    for (const id of ids) {
      this.documents.delete(id);
      this.#summaries.delete(id);
    }
    return { kind: "stored" };
  }

  async rankHosts(ranks: readonly HostRank[]): Promise<PutResult> {
    if (this.isDown) return { kind: "unavailable", detail: "taken away by the test" };
    for (const rank of ranks) {
      if (rank.authority === 0 && rank.region === null) this.told.delete(rank.host);
      else this.told.set(rank.host, rank);
    }
    return { kind: "stored" };
  }

  async ranks(hosts: readonly string[]): Promise<HostRank[]> {
    if (this.isDown) throw new IndexUnavailable("taken away by the test");
    return hosts.map((host) => this.told.get(host)).filter((rank) => rank !== undefined);
  }

  async enrich(updates: readonly Enrichment[]): Promise<PutResult> {
    if (this.isDown) return { kind: "unavailable", detail: "taken away by the test" };
    for (const { id, contentHash, summary } of updates) {
      if (summary === null) this.#summaries.delete(id);
      else if (this.documents.get(id)?.contentHash === contentHash) {
        this.#summaries.set(id, { contentHash, summary });
      }
    }
    return { kind: "stored" };
  }

  async summaries(ids: readonly number[]): Promise<Map<number, string>> {
    const found = ids.flatMap((id): [number, string][] => {
      const known = this.#summaries.get(id);
      const isOfText = known?.contentHash === this.documents.get(id)?.contentHash;
      return known !== undefined && isOfText ? [[id, known.summary]] : [];
    });
    return new Map(found);
  }

  candidates(): never {
    throw new Error("nobody searches here");
  }

  async texts(): Promise<Map<number, string>> {
    return new Map();
  }

  async words(): Promise<[]> {
    return [];
  }

  async similar(): Promise<[]> {
    return [];
  }

  async titles(): Promise<[]> {
    return [];
  }

  async ids(after: number, limit: number): Promise<IndexEntry[]> {
    return [...this.documents.values()]
      .filter(({ id }) => id > after)
      .sort((a, b) => a.id - b.id)
      .slice(0, limit)
      .map(({ id, contentHash, publishedAt, crawledAt }) => ({
        id,
        contentHash,
        date: (publishedAt ?? crawledAt).getTime(),
      }));
  }

  async versions(ids: readonly number[]): Promise<IndexVersion[]> {
    const found = ids.map((id) => this.documents.get(id)).filter((document) => !!document);
    return found.map(({ id, contentHash, crawledAt }) => ({
      id,
      contentHash,
      crawledAt: crawledAt.getTime(),
    }));
  }

  async count(): Promise<number> {
    return this.documents.size;
  }

  async health(): Promise<"up" | "down"> {
    return this.isDown ? "down" : "up";
  }

  async close(): Promise<void> {}
}
