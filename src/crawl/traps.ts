import type { SettledLearning } from "../db/settle-group.ts";
import type { HostRules, TrapRulesRead } from "../db/trap-rules.ts";
import type { StoredTraps } from "../db/traps.ts";
import { HostTraps, type Learned, storedRules, type TrapRules } from "../frontier/host-traps.ts";
import { newPattern, type PatternRecord } from "../frontier/trap-patterns.ts";
import { ShingleWindow } from "../text/shingle-window.ts";

/** Hosts whose traps are remembered, more than have turns at once: up to 60 KB each, mostly 5. */
const HOSTS_MAX = 320;
/** A host with fewer URLs than this cannot have shown a trap. */
export const URLS_MIN = 8;

/** What this process knows of the traps of hosts: its own turns' first, else the store's. */
export class Traps {
  /** The last one asked for is the last. */
  readonly #hosts = new Map<string, HostTraps>();
  #stored: ReadonlyMap<string, TrapRules> = new Map();
  #rows: ReadonlyMap<string, HostRules> = new Map();

  /** Of a host that has a turn. */
  of(host: string): HostTraps {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const traps = new HostTraps();
    this.#keep(host, traps);
    return traps;
  }

  /** At the begin of a turn: others may have visited the host since. */
  open(host: string, stored: StoredTraps | null, now: number): HostTraps {
    const traps = this.of(host);
    this.#keep(host, traps);
    // Of what was lifted just now it must not leave alone what came due by that.
    if (stored !== null && traps.hasRules) {
      traps.reconcile(cutAndNeutral(stored), now, { isInTurn: false });
    }
    if (stored !== null) traps.adopt(stored.patterns.map(recordOf), stored.parameters);
    return traps;
  }

  rules(host: string): TrapRules | null {
    const own = this.#hosts.get(host);
    if (own?.hasRules) return own;
    return this.#stored.get(host) ?? null;
  }

  /** What the store says by now. Tells whether something was lifted. */
  update({ rules: rows, isWhole }: TrapRulesRead, now: number): boolean {
    const isLifted = rows !== this.#rows && anyLifted(this.#rows, rows);
    if (rows !== this.#rows) {
      this.#rows = rows;
      const entries = [...rows].map(
        ([host, { patterns, neutral }]) => [host, storedRules(patterns, neutral)] as const,
      );
      this.#stored = new Map(entries);
    }
    // What there was no room for is lifted at the host's next turn at the latest.
    for (const [host, traps] of isWhole ? this.#hosts : []) {
      if (traps.hasRules) traps.reconcile(setsOf(rows.get(host)), now, { isInTurn: true });
    }
    return isLifted;
  }

  #keep(host: string, traps: HostTraps): void {
    this.#hosts.delete(host);
    this.#hosts.set(host, traps);
    if (this.#hosts.size > HOSTS_MAX) this.#hosts.delete(this.#hosts.keys().next().value!);
  }
}

const setsOf = (rules: HostRules | undefined) => ({
  cut: new Set(rules?.patterns.filter(({ cutAt }) => cutAt !== null).map((each) => each.pattern)),
  neutral: new Set(rules?.neutral),
});

const cutAndNeutral = ({ patterns, parameters }: StoredTraps) => ({
  cut: new Set(patterns.filter(({ cutAt }) => cutAt !== null).map((each) => each.pattern)),
  neutral: new Set(parameters.filter(({ neutralAt }) => neutralAt !== null).map(nameOf)),
});

const recordOf = (row: StoredTraps["patterns"][number]): PatternRecord => ({
  ...newPattern(row.pattern),
  ...row,
  seen: ShingleWindow.of(row.seen),
  isKept: true,
});

const nameOf = ({ name }: { name: string }): string => name;

function anyLifted(
  before: ReadonlyMap<string, HostRules>,
  after: ReadonlyMap<string, HostRules>,
): boolean {
  for (const [host, rules] of before) {
    const [was, is] = [setsOf(rules), setsOf(after.get(host))];
    if (!was.cut.isSubsetOf(is.cut) || !was.neutral.isSubsetOf(is.neutral)) return true;
  }
  return false;
}

/** As it is at this moment; undefined: nothing of it must be kept. */
export function settledOf(hostId: number, learned: Learned): SettledLearning | undefined {
  const { patterns, parameters, changesRules } = learned;
  if (patterns.length === 0 && parameters.length === 0) return undefined;
  return {
    patterns: patterns.map(({ seen, isKept: _, ...record }) => ({
      ...record,
      hostId,
      seen: seen.bytes(),
    })),
    parameters: parameters.map((record) => ({ ...record })),
    changesRules,
  };
}
