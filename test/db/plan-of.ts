import { drizzle } from "drizzle-orm/postgres-js";
import type { Database, Db } from "../../src/db/connect.ts";

/** One node of what EXPLAIN says, as far as the tests read it. */
export interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Shared Hit Blocks"?: number;
  "Shared Read Blocks"?: number;
  Plans?: PlanNode[];
}

/** The plans of every statement that `work` sends; `analyze` carries them out once more. */
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
    const [row] = await sql.unsafe(`explain (${how}format json) ${query}`, params as never[]);
    plans.push(row!["QUERY PLAN"][0].Plan);
  }
  return plans;
}

export function pagesOf(plan: PlanNode): number {
  return (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
}

const LARGE = ["urls", "hosts", "documents", "content_owners", "index_repairs"];

/** Large tables that a plan reads from one end to the other. */
export function scansOf(plan: PlanNode): string[] {
  const table = plan["Relation Name"] ?? "";
  const own = plan["Node Type"] === "Seq Scan" && LARGE.includes(table) ? [table] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)];
}
