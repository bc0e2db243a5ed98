/** What operator and reader wish for or against hosts, as it goes along with a search. */
export interface HostWishes {
  /** The operator's factors: of a host and of all below it. */
  readonly factors: ReadonlyMap<string, number>;
  /** Very hosts that the reader raised. */
  readonly raised: ReadonlySet<string>;
  /** Very hosts that the reader does not want to see. */
  readonly blocked: ReadonlySet<string>;
}

/** What an operator says of a host, in words, and what a score is multiplied by. */
export const HOST_FACTORS = { muchLower: 0.25, lower: 0.6, raise: 1.6, muchRaise: 3 } as const;

export type HostFactor = keyof typeof HOST_FACTORS;

export const isHostFactor = (word: string): word is HostFactor => Object.hasOwn(HOST_FACTORS, word);

/** "This site first": before what is as good, and before much that matches a little better. */
export const READER_FACTOR = 4;
export const RULES_MAX = 10;

export const NO_WISHES: HostWishes = {
  factors: new Map(),
  raised: new Set(),
  blocked: new Set(),
};

/** The factor of a host: the operator's, of the nearest name at or above it, and the reader's. */
export function hostFactor(wishes: HostWishes | undefined, host: string): number | null {
  if (wishes === undefined) return null;
  const own = operatorFactor(wishes.factors, host);
  return wishes.raised.has(host) ? (own ?? 1) * READER_FACTOR : own;
}

function operatorFactor(factors: HostWishes["factors"], host: string): number | null {
  if (factors.size === 0) return null;
  for (let name = host; ; ) {
    const factor = factors.get(name);
    if (factor !== undefined) return factor;
    const dot = name.indexOf(".");
    if (dot < 0) return null;
    name = name.slice(dot + 1);
  }
}

/** Hosts by the factor of their documents, and whether it holds for those below them too. */
export function wishGroups(
  wishes: HostWishes,
): { factor: number; hosts: string[]; isBelow: boolean }[] {
  const groups = new Map<number, string[]>();
  for (const [host, factor] of wishes.factors) {
    groups.set(factor, [...(groups.get(factor) ?? []), host]);
  }
  const ofOperator = [...groups].map(([factor, hosts]) => ({ factor, hosts, isBelow: true }));
  if (wishes.raised.size === 0) return ofOperator;
  const raised = { factor: READER_FACTOR, hosts: [...wishes.raised], isBelow: false };
  return [...ofOperator, raised];
}

/** Without what cannot change anything: undefined when nothing is left. */
export function wishesLeft(
  { factors, raised, blocked }: HostWishes,
  asked: readonly string[],
): HostWishes | undefined {
  // Who asks for a site wants to see it, whatever was chosen once.
  const isAsked = (host: string) =>
    asked.some((site) => host === site || host.endsWith(`.${site}`));
  const left = new Set([...blocked].filter((host) => !isAsked(host)));
  if (factors.size + raised.size + left.size === 0) return undefined;
  return { factors, raised, blocked: left };
}
