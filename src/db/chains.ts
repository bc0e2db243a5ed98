import { type SQL, sql } from "drizzle-orm";
import type { UrlState } from "./admit-urls.ts";
import { bigints, uuids } from "./bulk.ts";
import type { Db } from "./connect.ts";
import type { HostState } from "./hosts.ts";
import { run } from "./statement.ts";

/** One URL on the way from a page to the one that stands for it. */
export interface ChainLink {
  readonly id: number;
  readonly state: UrlState;
  readonly reason: string | null;
  readonly hasDocument: boolean;
  readonly hostState: HostState;
  /** It is over, and leads on to another: a duplicate, a canonical, a redirect. */
  readonly leadsOn: boolean;
}

/** Where a chain ends, and with it whether its beginning needs a document of its own. */
export type ChainEnd =
  /** At a document, or at a page that is not decided yet. */
  | { readonly kind: "open" }
  /** At nothing: failed, refused, gone, blocked, too far away, redirects in a circle. */
  | { readonly kind: "dead" }
  /** In a circle of pages that name each other; `stays`: which of them is to be indexed. */
  | { readonly kind: "loop"; readonly stays: number };

/** What is further away than this from a page that names another is not found. */
const STEPS_MAX = 16;

/** From the URL of this key on; empty: it is not known. What a visit asks before it is settled. */
export async function chainFrom(db: Db, key: string): Promise<ChainLink[]> {
  const [chain] = (await walk(db, uuids([key]), sql`u.key`, STEPS_MAX)).values();
  return chain ?? [];
}

/** From each of these on, itself first. One step longer: a visit begins behind its own page. */
export async function chainsFrom(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, readonly ChainLink[]>> {
  if (ids.length === 0) return new Map();
  const chains = await walk(db, bigints(ids), sql`u.id`, STEPS_MAX + 1);
  return new Map([...chains].map(([root, chain]) => [Number(root), chain]));
}

interface LinkRow {
  root: string;
  id: string;
  state: UrlState;
  reason: string | null;
  has_document: boolean;
  host_state: HostState;
  leads_on: boolean;
}

/** The limits keep the planner to one row by its key a step, whatever it guesses. */
async function walk(
  db: Db,
  roots: SQL,
  column: SQL,
  stepsMax: number,
): Promise<Map<string, ChainLink[]>> {
  const link = (condition: SQL) => sql`lateral (
    select u.id, u.state, u.reason, u.target_id, u.interval_s is not null as has_document,
      h.state as host_state, coalesce(u.state = 'done'
        and u.reason in ('duplicate', 'canonical', 'redirected'), false) as leads_on
    from urls u join hosts h on h.id = u.host_id where ${condition} limit 1
  ) l`;
  const rows = await run<LinkRow>(
    db,
    sql`with recursive chain as (
        select r.root, 0 as step, l.* from unnest(${roots}) as r (root)
          cross join ${link(sql`${column} = r.root`)}
        union all
        select c.root, c.step + 1, l.* from chain c
          cross join ${link(sql`u.id = c.target_id`)}
        where c.leads_on and c.step < ${stepsMax}::integer
      )
      select root, id, state, reason, has_document, host_state, leads_on
      from chain order by root, step`,
  );
  const links = rows.map((row) => ({ root: row.root, link: linkOf(row) }));
  const byRoot = Map.groupBy(links, ({ root }) => root);
  return new Map([...byRoot].map(([root, some]) => [root, some.map(({ link }) => link)]));
}

const linkOf = ({ id, state, reason, ...row }: LinkRow): ChainLink => ({
  id: Number(id),
  state,
  reason,
  hasDocument: row.has_document,
  hostState: row.host_state,
  leadsOn: row.leads_on,
});

export function endOf(chain: readonly ChainLink[]): ChainEnd {
  const last = chain.at(-1);
  if (!last) return { kind: "dead" };
  if (!last.leadsOn) return { kind: isOpen(last) ? "open" : "dead" };
  // It leads on to a row that is not there, or the walk was ended in a circle or far away.
  const before = chain.findLastIndex((link, at) => link.id === last.id && at < chain.length - 1);
  const pages = chain.slice(before + 1).filter(({ reason }) => reason !== "redirected");
  if (before < 0 || pages.length === 0) return { kind: "dead" };
  // A duplicate takes itself for the page, a canonical does not; else the lowest id.
  const willing = pages.filter(({ reason }) => reason === "duplicate");
  const stays = Math.min(...(willing.length > 0 ? willing : pages).map(({ id }) => id));
  return { kind: "loop", stays };
}

/** Of these nobody knows when they are asked again. */
const SHUT: readonly HostState[] = ["dead", "blocked", "out_of_region"];

function isOpen({ state, hasDocument, hostState }: ChainLink): boolean {
  if (hasDocument) return true;
  return (state === "pending" || state === "in_progress") && !SHUT.includes(hostState);
}
