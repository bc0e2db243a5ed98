import type { Clock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import { readNow, type SeededHost, seededHosts } from "../db/seeded-hosts.ts";

/** Hosts of one round trip: there may be a hundred thousand, and the main thread is not alone. */
const PAGE = 2_000;
/** What a transaction wrote is seen when it ends: so far back a reading begins anew. */
const OVERLAP_MS = 10_000;
/** Hosts that were forgotten leave then. */
const WHOLE_EVERY_MS = 300_000;

interface Names {
  hosts: Set<string>;
  domains: Set<string>;
}

/**
 * Which hosts a person named, held in memory: what has come since the last reading is added,
 * however many there are.
 */
export class SeededHosts {
  #names: Names = { hosts: new Set(), domains: new Set() };
  /** Named in this process since the last reading began: it may not have seen them. */
  readonly #lately = new Map<string, string>();
  /** Of the store's clock. */
  #readAt: Date | null = null;
  #wholeAt = Number.NEGATIVE_INFINITY;
  readonly #db: Db;
  readonly #clock: Clock;

  constructor(db: Db, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  has(host: string): boolean {
    return this.#names.hosts.has(host);
  }

  hasDomain(domain: string): boolean {
    return this.#names.domains.has(domain);
  }

  add(host: string, domain: string): void {
    this.#lately.set(host, domain);
    this.#names.hosts.add(host);
    this.#names.domains.add(domain);
  }

  async refresh(): Promise<void> {
    this.#lately.clear();
    const now = await readNow(this.#db);
    const isWhole = this.#clock.now() - this.#wholeAt >= WHOLE_EVERY_MS;
    if (isWhole) await this.#readAll();
    else await this.#readInto(this.#names, new Date(this.#readAt!.getTime() - OVERLAP_MS));
    this.#readAt = now;
  }

  async #readAll(): Promise<void> {
    const beganAt = this.#clock.now();
    const names: Names = { hosts: new Set(), domains: new Set() };
    await this.#readInto(names, null);
    for (const [host, domain] of this.#lately) {
      names.hosts.add(host);
      names.domains.add(domain);
    }
    this.#names = names;
    this.#wholeAt = beganAt;
  }

  async #readInto({ hosts, domains }: Names, since: Date | null): Promise<void> {
    let last: SeededHost | null = null;
    for (;;) {
      const page: SeededHost[] = await seededHosts(this.#db, { since, after: last, limit: PAGE });
      for (const { name, domain } of page) {
        hosts.add(name);
        domains.add(domain);
      }
      if (page.length < PAGE) return;
      last = page.at(-1)!;
    }
  }
}
