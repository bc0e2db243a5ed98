import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";

export type PartName = "postgres" | "carrier" | "index" | "disk";
export type Health = "up" | "slow" | "refused" | "down" | "low";

/** Cheap probe of one part; it must answer within a bound of its own. */
export type Probe = () => Promise<Health>;

const PROBE_EVERY_MS = 2_000;
const PROBE_DOWN_EVERY_MS = 500;
const PROBE_MS = 3_000;

/**
 * No page is fetched that cannot be kept: while a part is down claims pause and URLs are released
 * with their attempts unchanged. The first failure opens the breaker, a good probe closes it.
 */
export class Breaker {
  readonly #health = new Map<PartName, Health>();
  readonly #probes: Map<PartName, Probe>;
  readonly #onOpen = new Set<(part: PartName) => void>();
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #stop = new AbortController();
  #first: Promise<void>[] = [];
  #loops: Promise<void>[] = [];

  constructor(probes: Partial<Record<PartName, Probe>>, clock: Clock, log: Log) {
    this.#probes = new Map(Object.entries(probes) as [PartName, Probe][]);
    this.#clock = clock;
    this.#log = log;
    for (const part of this.#probes.keys()) this.#health.set(part, "up");
  }

  start(): void {
    const looks = [...this.#probes].map(([part, probe]) => ({
      first: this.#look(part, probe),
      part,
      probe,
    }));
    this.#first = looks.map(({ first }) => first);
    this.#loops = looks.map(({ first, part, probe }) => this.#watch(part, probe, first));
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#loops);
  }

  /** When every part has been looked at once. */
  async looked(): Promise<void> {
    await Promise.all(this.#first);
  }

  /** The part that keeps us from crawling, or null. */
  get open(): PartName | null {
    for (const [part, health] of this.#health) {
      if (health === "down" || health === "refused" || health === "low") return part;
    }
    return null;
  }

  health(part: PartName): Health {
    return this.#health.get(part) ?? "up";
  }

  isAway(part: PartName): boolean {
    return ["down", "refused"].includes(this.health(part));
  }

  /** Told by whoever met the failure; sooner than the next probe. */
  trip(part: PartName, detail: string): void {
    if (this.#health.get(part) === "up") this.#log.warn("part.failed", { part, detail });
    this.#set(part, "down");
  }

  onOpen(listener: (part: PartName) => void): () => void {
    this.#onOpen.add(listener);
    return () => this.#onOpen.delete(listener);
  }

  async #watch(part: PartName, probe: Probe, first: Promise<void>): Promise<void> {
    await first;
    while (!this.#stop.signal.aborted) {
      const wait = this.open === part ? PROBE_DOWN_EVERY_MS : PROBE_EVERY_MS;
      await this.#clock.sleep(wait, this.#stop.signal);
      if (!this.#stop.signal.aborted) await this.#look(part, probe);
    }
  }

  async #look(part: PartName, probe: Probe): Promise<void> {
    this.#set(part, await this.#probe(probe));
  }

  async #probe(probe: Probe): Promise<Health> {
    const timeout = new AbortController();
    const late = this.#clock.sleep(PROBE_MS, timeout.signal).then((): Health => "down");
    const answer = probe().catch((): Health => "down");
    const health = await Promise.race([answer, late]);
    timeout.abort();
    return health;
  }

  #set(part: PartName, health: Health): void {
    const before = this.open;
    const old = this.#health.get(part);
    this.#health.set(part, health);
    if (old !== health) this.#log.info("part.health", { part, health, was: old });
    const after = this.open;
    if (!before && after) for (const listener of this.#onOpen) listener(after);
  }
}
