/** Everything that a score is made of, in the order in which a person reads it. */
export const SIGNAL_NAMES = [
  "text",
  "quality",
  "authority",
  "regionPage",
  "regionHost",
  "freshness",
  "locality",
  "navigational",
  "rules",
] as const;

export type SignalName = (typeof SIGNAL_NAMES)[number];

export interface SignalSetting {
  enabled: boolean;
  weight: number;
}

/** What each weighs when nobody says otherwise; search/signals.ts says what each is. */
export const DEFAULT_WEIGHTS: Readonly<Record<SignalName, number>> = {
  text: 1,
  quality: 1,
  authority: 0.5,
  regionPage: 0.5,
  regionHost: 0.3,
  freshness: 0.3,
  locality: 0.3,
  navigational: 1,
  rules: 1,
};

/** What an operator sets for each signal; what is not named keeps the weight of the table. */
export type Ranking = Partial<Record<SignalName, SignalSetting>>;

/** As it is set, else as the table has it. */
export const settingOf = (ranking: Ranking, name: SignalName): SignalSetting =>
  ranking[name] ?? { enabled: true, weight: DEFAULT_WEIGHTS[name] };

/** Beyond it a signal would drown the words of the query. */
export const WEIGHT_MAX = 5;

export const isSignalName = (name: string): name is SignalName =>
  SIGNAL_NAMES.some((known) => known === name);

/** A weight as people write it: `0.8`, two decimals at most; null: it is none, or out of bounds. */
export function readWeight(text: string): number | null {
  if (!/^\d{1,2}(\.\d{1,2})?$/.test(text)) return null;
  const weight = Number(text);
  return weight <= WEIGHT_MAX ? weight : null;
}

export interface RankingRead {
  ranking: Ranking;
  /** Each with how to mend it; none: all of it is in `ranking`. */
  problems: string[];
}

/**
 * The setting `authority:0.8,freshness:off`. `off` keeps the weight that a signal has, for whoever
 * switches it on again. The words of the query have no weight: all others are relative to them.
 */
export function readRanking(text: string): RankingRead {
  const ranking: Ranking = {};
  const problems: string[] = [];
  const parts = text.split(",").map((part) => part.trim());
  for (const part of parts.filter((each) => each !== "")) {
    const [, name = "", value = ""] = /^([A-Za-z]+)\s*:\s*(\S+)$/.exec(part) ?? [];
    const weight = readWeight(value);
    if (!isSignalName(name)) {
      const names = SIGNAL_NAMES.join(", ");
      problems.push(`${JSON.stringify(part)} is no signal:weight or signal:off of ${names}`);
    } else if (ranking[name] !== undefined) {
      problems.push(`${name} is named twice`);
    } else if (value === "off" || value === "on") {
      ranking[name] = { enabled: value === "on", weight: DEFAULT_WEIGHTS[name] };
    } else if (name === "text") {
      problems.push("text takes on or off, for all other weights are relative to it");
    } else if (weight === null) {
      problems.push(
        `${name}:${value} is no weight from 0 to ${WEIGHT_MAX}, such as 0.8, on or off`,
      );
    } else {
      ranking[name] = { enabled: true, weight };
    }
  }
  return { ranking, problems };
}
