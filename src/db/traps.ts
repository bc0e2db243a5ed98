import { type SQL, sql } from "drizzle-orm";
import type { ParameterRecord } from "../frontier/trap-parameters.ts";
import { plain } from "./bulk.ts";
import type { Db } from "./connect.ts";
import { increment } from "./counters.ts";
import { RowList } from "./row-list.ts";
import type { hostParameters, hostPatterns } from "./schema/traps.ts";
import { inTransaction, keep, run } from "./statement.ts";

export type PatternRow = typeof hostPatterns.$inferSelect;
export type ParameterRow = typeof hostParameters.$inferSelect;

/** Counts changes of what admission must know of traps, for whoever keeps a copy. */
export const TRAP_CHANGES = "traps";

/** Patterns kept of a host: more than a process keeps, so that none is lost between two of them. */
const PATTERNS_MAX = 48;
/** For the console. */
const SHOWN_MAX = 50;

export interface LearnedPattern {
  readonly hostId: number;
  readonly pattern: string;
  readonly pages: number;
  readonly dry: number;
  readonly barren: number;
  readonly seen: Uint8Array;
  readonly cutAt: number | null;
  readonly lookAt: number | null;
  /** Else it is written over what is there, and not where it was lifted meanwhile. */
  readonly isNew: boolean;
}

/** Writes what visits taught, each row once: the last one of a pattern holds. */
export async function saveLearned(
  db: Db,
  patterns: readonly LearnedPattern[],
  parameters: readonly (ParameterRecord & { readonly hostId: number })[],
): Promise<void> {
  if (patterns.length > 0) {
    const last = new Map<string, LearnedPattern>();
    for (const each of patterns) {
      const key = `${each.hostId} ${each.pattern}`;
      last.set(key, { ...each, isNew: each.isNew || last.get(key)?.isNew === true });
    }
    await savePatterns(db, PATTERNS.values([...last.values()].sort(byHost)));
    const hosts = [...new Set(patterns.map(({ hostId }) => hostId))];
    await forgetOldest(db, { hosts: plain(hosts) });
  }
  if (parameters.length > 0) {
    const last = new Map(parameters.map((each) => [`${each.hostId} ${each.name}`, each]));
    await saveParameters(db, PARAMETERS.values([...last.values()].sort(byHost)));
  }
}

const byHost = (a: { hostId: number }, b: { hostId: number }): number => a.hostId - b.hostId;

const PATTERNS = new RowList<LearnedPattern>("patterns", {
  host_id: ["integer", (row) => row.hostId],
  pattern: ["text", (row) => row.pattern],
  pages: ["integer", (row) => row.pages],
  dry: ["integer", (row) => row.dry],
  barren: ["integer", (row) => row.barren],
  seen: ["text", (row) => Buffer.from(row.seen).toString("base64")],
  cut_at: ["timestamptz", (row) => row.cutAt],
  look_at: ["timestamptz", (row) => row.lookAt],
  is_new: ["boolean", (row) => row.isNew],
});

const savePatterns = keep(
  () => sql`insert into host_patterns as p
      (host_id, pattern, pages, dry, barren, seen, cut_at, look_at)
    select host_id, pattern, pages, dry, barren, decode(seen, 'base64'), cut_at, look_at
    from ${PATTERNS.table} i
    where i.is_new or exists (
      select from host_patterns k where k.host_id = i.host_id and k.pattern = i.pattern)
    on conflict (host_id, pattern) do update set
      pages = excluded.pages, dry = excluded.dry, barren = excluded.barren, seen = excluded.seen,
      cut_at = excluded.cut_at, look_at = excluded.look_at, noted_at = clock_timestamp()`,
);

const forgetOldest = keep(
  () => sql`delete from host_patterns p using (
      select host_id, pattern, row_number() over (
        partition by host_id order by cut_at is null, noted_at desc
      ) as place
      from host_patterns where host_id = any(${sql.placeholder("hosts")}::integer[])
    ) r
    where r.place > ${sql.raw(String(PATTERNS_MAX))}
      and p.host_id = r.host_id and p.pattern = r.pattern`,
);

const PARAMETERS = new RowList<ParameterRecord & { readonly hostId: number }>("parameters", {
  host_id: ["integer", (row) => row.hostId],
  name: ["text", (row) => row.name],
  same: ["integer", (row) => row.same],
  different: ["integer", (row) => row.different],
  neutral_at: ["timestamptz", (row) => row.neutralAt],
});

const saveParameters = keep(
  () => sql`insert into host_parameters as p (host_id, name, same, different, neutral_at)
    select host_id, name, same, different, neutral_at from ${PARAMETERS.table} i
    on conflict (host_id, name) do update set same = excluded.same,
      different = excluded.different, neutral_at = excluded.neutral_at`,
);

export interface StoredTraps {
  readonly patterns: Omit<LearnedPattern, "hostId" | "isNew">[];
  readonly parameters: ParameterRecord[];
}

/** What is kept of these hosts, in their order. */
export async function readTraps(db: Db, hostIds: readonly number[]): Promise<StoredTraps[]> {
  const hosts = { hosts: plain(hostIds) };
  const [patterns, parameters] = await Promise.all([
    patternsOf(db, hosts),
    parametersOf(db, hosts),
  ]);
  const patternsBy = Map.groupBy(patterns, (row) => row.host_id);
  const parametersBy = Map.groupBy(parameters, (row) => row.host_id);
  return hostIds.map((id) => ({
    patterns: (patternsBy.get(id) ?? []).map(({ host_id: _, ...row }) => row),
    parameters: (parametersBy.get(id) ?? []).map(({ host_id: _, ...row }) => row),
  }));
}

interface KeptPattern {
  host_id: number;
  pattern: string;
  pages: number;
  dry: number;
  barren: number;
  seen: Uint8Array;
  cutAt: number | null;
  lookAt: number | null;
}

/** Epoch ms. */
export const inMillis = (column: string, name: string): SQL =>
  sql`(extract(epoch from ${sql.raw(column)}) * 1000)::float8 as ${sql.raw(`"${name}"`)}`;

const patternsOf = keep<KeptPattern>(
  () => sql`select host_id, pattern, pages, dry, barren, seen, ${inMillis("cut_at", "cutAt")},
      ${inMillis("look_at", "lookAt")}
    from host_patterns where host_id = any(${sql.placeholder("hosts")}::integer[])
    order by host_id, pattern`,
);

interface KeptParameter {
  host_id: number;
  name: string;
  same: number;
  different: number;
  neutralAt: number | null;
}

const parametersOf = keep<KeptParameter>(
  () => sql`select host_id, name, same, different, ${inMillis("neutral_at", "neutralAt")}
    from host_parameters where host_id = any(${sql.placeholder("hosts")}::integer[])
    order by host_id, name`,
);

export interface TrapsOfHost {
  /** Cut ones, the newest first. */
  readonly patterns: Pick<PatternRow, "pattern" | "pages" | "dry" | "cutAt" | "lookAt">[];
  readonly parameters: ParameterRow[];
  readonly refusals: { readonly reason: string; readonly value: number }[];
}

/** For the console. */
export async function trapsOfHost(db: Db, hostId: number): Promise<TrapsOfHost> {
  const host = sql`host_id = ${hostId}::integer`;
  const [patterns, parameters, refusals] = await Promise.all([
    run<KeptPattern>(
      db,
      sql`select pattern, pages, dry, ${inMillis("cut_at", "cutAt")},
          ${inMillis("look_at", "lookAt")} from host_patterns p
        where ${host} and p.cut_at is not null order by p.cut_at desc limit ${SHOWN_MAX}::integer`,
    ),
    run<KeptParameter>(
      db,
      sql`select host_id, name, same, different, ${inMillis("neutral_at", "neutralAt")}
        from host_parameters p where ${host} and p.neutral_at is not null
        order by p.name limit ${SHOWN_MAX}::integer`,
    ),
    run<{ reason: string; value: number }>(
      db,
      sql`select reason, value::float8 as value from host_refusals where ${host}
        order by reason limit ${SHOWN_MAX}::integer`,
    ),
  ]);
  const time = (ms: number | null) => (ms === null ? null : new Date(ms));
  return {
    patterns: patterns.map(({ cutAt, lookAt, ...row }) => ({
      ...row,
      cutAt: time(cutAt),
      lookAt: time(lookAt),
    })),
    parameters: parameters.map(({ host_id: hostId, neutralAt, ...row }) => ({
      ...row,
      hostId,
      neutralAt: time(neutralAt),
    })),
    refusals,
  };
}

/** Its patterns are open again, its parameters count; what they showed so far is forgotten. */
export function liftTraps(db: Db, hostId: number): Promise<void> {
  return inTransaction(db, async (tx) => {
    await forgetTraps(tx, hostId);
    await increment(tx, { [TRAP_CHANGES]: 1 });
  });
}

export async function forgetTraps(db: Db, hostId: number): Promise<void> {
  const host = sql`host_id = ${hostId}::integer`;
  await run(
    db,
    sql`with patterns as (delete from host_patterns where ${host})
      delete from host_parameters where ${host}`,
  );
}
