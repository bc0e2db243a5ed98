import { drizzle } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import { type Database, type Db, KEPT_PLANS } from "../../src/db/connect.ts";
import { isKept } from "../../src/db/statement.ts";

/** One node of what EXPLAIN says, as far as the tests read it. */
export interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Cond"?: string;
  "Shared Hit Blocks"?: number;
  "Shared Read Blocks"?: number;
  Plans?: PlanNode[];
  /** Made for a kept statement, where tables are not read whole along an index either. */
  isKept?: boolean;
}

/**
 * The plans of every statement that `work` sends, as the connection makes them that it runs on:
 * kept ones once for all values. `analyze` carries them out once more.
 */
export async function plansOf(
  { sql }: Database,
  work: (db: Db) => Promise<unknown>,
  { analyze = false } = {},
): Promise<PlanNode[]> {
  const statements: { query: string; params: unknown[] }[] = [];
  const logger = {
    logQuery: (query: string, params: unknown[]) => void statements.push({ query, params }),
  };
  await work(drizzle(sql, { casing: "snake_case", logger }));
  const how = analyze ? "analyze, buffers, " : "";
  const plans: PlanNode[] = [];
  for (const { query, params } of statements) {
    const [row] = isKept(query)
      ? await explainKept(sql, how, query, params)
      : await sql.unsafe(`explain (${how}format json) ${query}`, params as never[]);
    plans.push({ ...row!["QUERY PLAN"][0].Plan, isKept: isKept(query) });
  }
  return plans;
}

function explainKept(sql: postgres.Sql, how: string, query: string, params: readonly unknown[]) {
  return sql.begin(async (tx) => {
    for (const [name, value] of Object.entries(KEPT_PLANS)) {
      await tx.unsafe(`set local ${name} = '${value}'`);
    }
    await tx.unsafe(`prepare kept as ${query}`);
    const values = params.map(literal).join(", ");
    const rows = await tx.unsafe(
      `explain (${how}format json) execute kept${values === "" ? "" : `(${values})`}`,
    );
    await tx.unsafe("deallocate kept");
    return rows;
  });
}

const literal = (value: unknown) =>
  value === null ? "null" : `'${String(value).replaceAll("'", "''")}'`;

export function pagesOf(plan: PlanNode): number {
  return (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
}

/** Tables that grow with the crawl. */
const LARGE = new RegExp(
  "^(urls|hosts|documents|document_summaries|summary_waits|content_owners|page_keys|" +
    "index_repairs|robots|addresses|visits(_\\w+)?)$",
);

/** Large tables that a plan reads from one end to the other. */
export function scansOf(plan: PlanNode, isKept = plan.isKept ?? false): string[] {
  const { "Relation Name": table = "", "Node Type": type, "Index Cond": condition } = plan;
  const isAlong = isKept && /^Index (Only )?Scan$/.test(type) && !condition;
  const own = (type === "Seq Scan" || isAlong) && LARGE.test(table) ? [`${type} ${table}`] : [];
  return [...own, ...(plan.Plans ?? []).flatMap((each) => scansOf(each, isKept))];
}
