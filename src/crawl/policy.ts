import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import { type AdmissionFacts, readAdmissionFacts } from "../db/admission-facts.ts";
import type { Db } from "../db/connect.ts";
import { readTrapRules, type TrapRulesRead } from "../db/trap-rules.ts";
import type { AdmissionPolicy } from "../frontier/admit.ts";
import { causeFirst, type Log } from "../log.ts";
import { decidingSuffixes, isBelow } from "../text/region/profile.ts";
import { SeededHosts } from "./seeded-hosts.ts";
import { Traps } from "./traps.ts";

const REFRESH_MS = 2_000;

interface TrapFacts {
  changes: number;
  read: TrapRulesRead;
}

/**
 * What admission must know of the store, held in memory and read anew every two seconds: seeded
 * hosts and domains, blocks, patterns, hosts and frontier that are full. Admission itself stays
 * pure. Of quotas this is only the first word: each admission counts them down where it writes.
 */
export class PolicyCache {
  #facts: AdmissionFacts | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: Promise<void> | null = null;
  #stopped = false;
  readonly #seeded: SeededHosts;
  readonly #db: Db;
  readonly #config: Config;
  readonly #log: Log;
  readonly #removed: () => void;
  /** Hosts below these are of the region. */
  readonly #suffixes: readonly string[];
  /** URLs were removed before the last reading: what was under way then is over at the next. */
  #removedLately = false;

  readonly #traps: Traps;
  readonly #clock: Clock;
  #rules: TrapFacts = { changes: -1, read: { rules: new Map(), isWhole: true } };

  /** `removed`: URLs have left the store, in whatever process, and may be admitted anew. */
  constructor(deps: {
    db: Db;
    config: Config;
    clock: Clock;
    log: Log;
    traps?: Traps;
    removed?: () => void;
  }) {
    this.#traps = deps.traps ?? new Traps();
    this.#clock = deps.clock;
    this.#seeded = new SeededHosts(deps.db, deps.clock);
    this.#db = deps.db;
    this.#config = deps.config;
    this.#log = deps.log;
    const { region } = deps.config;
    this.#suffixes = region === null ? [] : decidingSuffixes(region.profile);
    this.#removed = deps.removed ?? (() => {});
  }

  async start(): Promise<void> {
    await this.refresh();
    const again = () => {
      this.#timer = setTimeout(() => {
        void this.refresh()
          .catch((error) => this.#log.warn("policy.refresh_failed", { error: causeFirst(error) }))
          .finally(() => !this.#stopped && again());
      }, REFRESH_MS);
    };
    again();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#reading?.catch(() => {});
  }

  /** One at a time: whoever asks while it runs gets that one. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { hostUrlsMax } = this.#config.scope;
    const [facts] = await Promise.all([
      readAdmissionFacts(this.#db, hostUrlsMax),
      this.#seeded.refresh(),
    ]);
    const isLifted = await this.#readTraps(facts.trapChanges);
    const removedNow = this.#facts !== null && this.#facts.removedCount !== facts.removedCount;
    this.#facts = facts;
    // A settle that was under way may say "known" of what has just been removed: so once more.
    if (removedNow || this.#removedLately || isLifted) this.#removed();
    this.#removedLately = removedNow;
  }

  /** Read only when something has changed. Tells whether something was lifted. */
  async #readTraps(changes: number): Promise<boolean> {
    if (changes !== this.#rules.changes) {
      this.#rules = { changes, read: await readTrapRules(this.#db) };
    }
    return this.#traps.update(this.#rules.read, this.#clock.now());
  }

  /** A person named this host just now: its links are in scope from here on. */
  addSeeded(host: string, domain: string): void {
    this.#seeded.add(host, domain);
  }

  /**
   * A host that another process seeded is crawled within milliseconds: before its links are judged
   * its seed must be known here, or all of them would be out of scope.
   */
  async catchUp(host: { name: string; seededAt: Date | null }): Promise<void> {
    // The first answer may have been asked for before the host was seeded.
    for (let reads = 0; reads < 2; reads++) {
      if (host.seededAt === null || this.#seeded.has(host.name)) return;
      await this.refresh();
    }
  }

  policy(): AdmissionPolicy {
    const facts = this.#required;
    const { scope } = this.#config;
    const suffixes = this.#suffixes;
    return {
      scope: scope.kind,
      depthMax: scope.depthMax,
      isSeededHost: (host) => this.#seeded.has(host),
      isSeededDomain: (domain) => this.#seeded.hasDomain(domain),
      isNamedOfRegion: (host) => suffixes.some((suffix) => isBelow(host, suffix)),
      isBlocked: (host, domain) => facts.blocks.has(host) || facts.blocks.has(domain),
      patterns: (host) => facts.patterns.get(host) ?? null,
      hostIsFull: (host) => facts.fullHosts.has(host),
      traps: (host) => this.#traps.rules(host),
      frontierIsFull: facts.urlCount >= scope.frontierUrlsMax,
    };
  }

  get #required(): AdmissionFacts {
    if (!this.#facts) throw new Error("the admission policy was read before it was started");
    return this.#facts;
  }
}
