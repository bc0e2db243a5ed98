import { QUERY_MAX } from "../../../templates/search-link.ts";
import {
  isSignalName,
  type Ranking,
  readWeight,
  SIGNAL_NAMES,
  type SignalName,
  settingOf,
  WEIGHT_MAX,
} from "../../ranking.ts";
import type { SignalState } from "../ranking-deps.ts";
import { cleanQuery } from "../search-params.ts";

export interface WeightsRead {
  ranking: Ranking;
  faults: string[];
}

/** The field `weight_authority`, and `on_authority` of a box that is ticked. */
const weightField = (name: SignalName): string => `weight_${name}`;
const switchField = (name: SignalName): string => `on_${name}`;

/** Says in an address that boxes without a tick are switched off, and not merely left out. */
export const TRIED = "tried";

/** The weights of a form: every one of them. */
export function weightsOfForm(field: (name: string) => string | null): WeightsRead {
  const ranking: Ranking = {};
  const faults: string[] = [];
  for (const name of SIGNAL_NAMES) {
    const enabled = field(switchField(name)) !== null;
    const given = name === "text" ? "1" : (field(weightField(name)) ?? "").trim();
    // Some write a comma, as they learned it.
    const weight = readWeight(given.replace(",", "."));
    if (weight === null) faults.push(faultOf(weightField(name)));
    else ranking[name] = { enabled, weight };
  }
  return { ranking, faults };
}

const faultOf = (field: string): string =>
  `"${field}" must be a number from 0 to ${WEIGHT_MAX}, with two decimals at most.`;

/** Programs may send either; a browser sends the fields of the form. */
export const isWeightsForm = (body: unknown): boolean =>
  typeof body === "object" && body !== null && weightField("authority") in body;

export const weightsInEffect = (signals: readonly SignalState[]): Ranking =>
  Object.fromEntries(signals.map(({ name, enabled, weight }) => [name, { enabled, weight }]));

/** The weights of JSON, by signal: a number, `on` or `off`; what is not named stays as it is. */
export function weightsOfJson(body: unknown, signals: readonly SignalState[]): WeightsRead {
  const ranking = weightsInEffect(signals);
  const given = (body as { weights?: unknown } | null)?.weights;
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return { ranking, faults: ['"weights" must be an object of signals.'] };
  }
  const faults: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (!isSignalName(name)) {
      faults.push(`"${name.slice(0, 40)}" is none of ${SIGNAL_NAMES.join(", ")}.`);
      continue;
    }
    const weight = typeof value === "number" && name !== "text" ? readWeight(`${value}`) : null;
    if (value === "on" || value === "off") {
      ranking[name] = { ...settingOf(ranking, name), enabled: value === "on" };
    } else if (weight !== null) ranking[name] = { enabled: true, weight };
    else
      faults.push(`"${name}" must be on, off${name === "text" ? "" : ` or 0 to ${WEIGHT_MAX}`}.`);
  }
  return { ranking, faults };
}

/** What the address of the page says: a query to try, and weights, when a form sent them. */
export interface Trial extends WeightsRead {
  query: string;
  isTried: boolean;
}

export function trialOf(search: URLSearchParams, signals: readonly SignalState[]): Trial {
  const query = cleanQuery(search.get("q") ?? "").slice(0, QUERY_MAX);
  if (!search.has(TRIED)) {
    return { query, isTried: false, ranking: weightsInEffect(signals), faults: [] };
  }
  return { query, isTried: true, ...weightsOfForm((name) => search.get(name)) };
}
