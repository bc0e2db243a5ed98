import type { Database } from "bun:sqlite";
import { wishGroups } from "../host-wishes.ts";
import type { ParsedQuery } from "../query.ts";
import type { HiddenHosts } from "../search.ts";
import type { BestRows } from "./best.ts";
import { anyOf, type Match, within } from "./match.ts";
import type { Plan, PlannedAlternative } from "./plan.ts";
import { readPostings } from "./postings.ts";
import { hostToken, siteToken } from "./tokens.ts";
import { matchingOf, type Verifier } from "./verify.ts";

/*
 * What operator and reader wish of hosts, while candidates are chosen: documents of a host that is
 * raised must be among them, and those of a lowered one must not crowd others out.
 */

/** Documents of hosts with one factor. */
const FAVOURED_MAX = 2_000;
/** Postings of the words walked for it, by leaps, 10 ms at most; of more it is not asked. */
const WALKED_MAX = 200_000;
const HIDDEN_MAX = 1_000;

/** Weighs rows by the wishes; those of raised hosts join where only some rows were looked at. */
export function favourHosts(
  db: Database,
  { wishes }: ParsedQuery,
  plan: Plan,
  match: Match,
  best: BestRows,
): void {
  if (wishes === undefined) return;
  const any = anyWord({ plan, alternatives: [] });
  if (any === null) return;
  for (const { factor, hosts, isBelow } of wishGroups(wishes)) {
    const tokens = anyOf(hosts.map(isBelow ? siteToken : hostToken));
    const expression = within(match, `${any} AND ${tokens}`);
    const rows = readPostings(db, expression, match.dates, FAVOURED_MAX);
    if (factor > 1) best.add(rows, 0);
    best.favour(rows, factor);
  }
}

/** How many matches the reader's choice leaves out, and of which hosts; null: no host is. */
export function hiddenBy(
  db: Database,
  { wishes }: ParsedQuery,
  words: Matched,
  match: Match,
  verifier: Verifier | null,
): HiddenHosts | null {
  if (wishes === undefined || match.hidden === null) return null;
  const isAny = match.hasWords || words.plan.kept.length === 0;
  const any = isAny ? match.hidden.hosts : anyWord(words);
  if (any === null) return { count: null, hosts: [...wishes.blocked].sort() };
  const { must } = match;
  const expression = within({ must, not: match.hidden.not }, `${any} AND ${match.hidden.hosts}`);
  const rows = readPostings(db, expression, match.dates, HIDDEN_MAX);
  const isWhole = rows.length < HIDDEN_MAX;
  const left = verifier === null ? [...rows] : matchingOf(db, [...rows], verifier);
  return { count: isWhole ? left.length : null, hosts: hostsOf(db, left) };
}

/** By what the rows were found: the words, and those of the same meaning that were looked for. */
export interface Matched {
  plan: Plan;
  alternatives: readonly PlannedAlternative[];
}

function anyWord({ plan, alternatives }: Matched): string | null {
  const concepts = [...plan.kept, ...plan.completions];
  const walked = [...concepts, ...alternatives].reduce((sum, { cost }) => sum + cost, 0);
  if (concepts.length === 0 || walked > WALKED_MAX) return null;
  const words = anyOf(concepts.flatMap(({ forms }) => forms));
  const others = alternatives.map(({ expression }) => expression);
  return others.length === 0 ? words : `(${[words, ...others].join(" OR ")})`;
}

function hostsOf(db: Database, rows: readonly number[]): string[] {
  const statement = db.query<{ host: string }, [string]>(
    `select distinct p.host from json_each(?) as own
     cross join attributes a on a.row = own.value cross join places p on p.place = a.place`,
  );
  const found = statement.all(JSON.stringify(rows));
  return found.map(({ host }) => host).sort();
}
