import type postgres from "postgres";
import { robotsGate } from "../../src/crawl/crew.ts";
import { mendDue } from "../../src/crawl/mend-index.ts";
import { runTurn } from "../../src/crawl/turn.ts";
import { comeDue } from "../../src/db/due.ts";
import { dueHosts } from "../../src/db/hosts.ts";
import type { TestCrawl } from "./crawl.ts";

type Sql = postgres.Sql;

/** What the crawl remembers or promises, by table. Workers live in the present: they stay. */
const TIMES = {
  urls: ["next_crawl_at", "admitted_at", "visited_at", "crawled_at"],
  hosts: ["next_turn_at", "next_fetch_at", "state_at"],
  robots: ["fetched_at", "expires_at"],
  sitemaps: ["next_fetch_at", "fetched_at", "found_at"],
} as const;

/**
 * As if `ms` had passed: every time that the crawl has written lies so much earlier. No clock is
 * touched, neither the store's nor the program's, and each decision is the real one. Nothing may be
 * in progress: a visit would see the time move under it.
 */
export async function letPass(sql: Sql, ms: number): Promise<void> {
  await sql.begin(async (tx) => {
    for (const [table, columns] of Object.entries(TIMES)) {
      const moved = columns.map((column) => `${column} = ${column} - $1 * interval '1 ms'`);
      await tx.unsafe(`update ${table} set ${moved.join(", ")}`, [ms]);
    }
  });
}

/** What the process itself remembers by its clock is gone, as after a restart. */
export function forgetRobots({ crew }: TestCrawl): void {
  crew.turns.robots = robotsGate(crew.turns);
}

/**
 * What a scheduler would do, at once: every turn that is due is run, until none is, and the index
 * is mended.
 */
export async function crawlDue({ database, crew, index }: TestCrawl): Promise<void> {
  const never = new AbortController().signal;
  for (;;) {
    await comeDue(database.db, 1_000);
    const due = await dueHosts(database.db, 100);
    if (due.length === 0) break;
    await Promise.all(due.map(({ id }) => runTurn(crew.turns, id, never)));
  }
  await mendDue({ db: database.db, index });
}
