import { sql } from "drizzle-orm";
import type { StoredPattern } from "../frontier/host-traps.ts";
import type { Db } from "./connect.ts";
import { run } from "./statement.ts";
import { inMillis } from "./traps.ts";

/** Rows of rules that a process keeps: so many patterns of some thousand hosts. */
const RULES_MAX = 20_000;

export interface HostRules {
  readonly patterns: StoredPattern[];
  readonly neutral: string[];
}

export interface TrapRulesRead {
  /** By host name, of hosts that have a cut pattern or a neutral parameter. */
  readonly rules: ReadonlyMap<string, HostRules>;
  /** There was room for all: what is not among them is not in the store. */
  readonly isWhole: boolean;
}

export async function readTrapRules(db: Db): Promise<TrapRulesRead> {
  const rules = new Map<string, HostRules>();
  const of = (name: string): HostRules => {
    const own = rules.get(name) ?? { patterns: [], neutral: [] };
    rules.set(name, own);
    return own;
  };
  const patterns = await run<StoredPattern & { name: string }>(
    db,
    // Of a host with cuts the patterns that are open too: what is new there is never kept out.
    sql`select h.name, p.pattern, p.dry, ${inMillis("cut_at", "cutAt")}
      from (select distinct host_id from host_patterns where cut_at is not null) c
      join host_patterns p on p.host_id = c.host_id and (p.cut_at is not null or p.dry = 0)
      join hosts h on h.id = p.host_id
      order by p.noted_at desc limit ${RULES_MAX}::integer`,
  );
  for (const { name, ...pattern } of patterns) of(name).patterns.push(pattern);
  const parameters = await run<{ host: string; name: string }>(
    db,
    sql`select h.name as host, p.name from host_parameters p join hosts h on h.id = p.host_id
      where p.neutral_at is not null order by p.neutral_at desc limit ${RULES_MAX}::integer`,
  );
  for (const { host, name } of parameters) of(host).neutral.push(name);
  return { rules, isWhole: Math.max(patterns.length, parameters.length) < RULES_MAX };
}
