import type { Config } from "../config.ts";
import { type AdmissionFacts, readAdmissionFacts } from "../db/admission-facts.ts";
import type { Db } from "../db/connect.ts";
import type { AdmissionPolicy } from "../frontier/admit.ts";
import type { Log } from "../log.ts";

const REFRESH_MS = 2_000;

/**
 * What admission must know of the store, held in memory and read anew every two seconds: seeded hosts
 * and domains, blocks, patterns, hosts and frontier that are full. Admission itself stays pure.
 */
export class PolicyCache {
  #facts: AdmissionFacts | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: Promise<void> = Promise.resolve();
  #stopped = false;
  readonly #db: Db;
  readonly #config: Config;
  readonly #log: Log;

  constructor(deps: { db: Db; config: Config; log: Log }) {
    this.#db = deps.db;
    this.#config = deps.config;
    this.#log = deps.log;
  }

  async start(): Promise<void> {
    await this.refresh();
    const again = () => {
      this.#timer = setTimeout(() => {
        this.#reading = this.refresh().catch((error) =>
          this.#log.warn("policy.refresh_failed", { error: String(error) }),
        );
        void this.#reading.finally(() => !this.#stopped && again());
      }, REFRESH_MS);
    };
    again();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#reading;
  }

  async refresh(): Promise<void> {
    this.#facts = await readAdmissionFacts(this.#db, this.#config.scope.hostUrlsMax);
  }

  /** A person named this host just now: its links are in scope from here on. */
  addSeeded(host: string, domain: string): void {
    this.#facts?.seededHosts.add(host);
    this.#facts?.seededDomains.add(domain);
  }

  isBlocked(host: string, domain: string): boolean {
    return this.#required.blocks.has(host) || this.#required.blocks.has(domain);
  }

  policy(): AdmissionPolicy {
    const facts = this.#required;
    const { scope } = this.#config;
    return {
      scope: scope.kind,
      depthMax: scope.depthMax,
      isSeededHost: (host) => facts.seededHosts.has(host),
      isSeededDomain: (domain) => facts.seededDomains.has(domain),
      isBlocked: (host, domain) => facts.blocks.has(host) || facts.blocks.has(domain),
      patterns: (host) => facts.patterns.get(host) ?? null,
      hostIsFull: (host) => facts.fullHosts.has(host),
      frontierIsFull: facts.urlCount >= scope.frontierUrlsMax,
    };
  }

  get #required(): AdmissionFacts {
    if (!this.#facts) throw new Error("the admission policy was read before it was started");
    return this.#facts;
  }
}
