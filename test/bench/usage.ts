import { readFileSync } from "node:fs";
import type postgres from "postgres";
import { spread } from "./figures.ts";

export interface Usage {
  readonly perSecond: number;
  /** Microseconds of CPU a row: of the backends of our connections, and of this process. */
  readonly storeMicros: number;
  readonly ownMicros: number;
}

/** What some work on so many rows costs. Where cores are shared CPU says more than a rate. */
export async function usageOf(
  sql: postgres.Sql,
  rows: number,
  work: () => Promise<unknown>,
): Promise<Usage> {
  const [storeBefore, own, began] = [await storeMs(sql), process.cpuUsage(), performance.now()];
  await work();
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(own);
  const store = (await storeMs(sql)) - storeBefore;
  return {
    perSecond: Math.round(rows / seconds),
    storeMicros: Math.round((store * 1_000) / rows),
    ownMicros: Math.round((user + system) / rows),
  };
}

/** CPU that the backends of our connections have used, where Linux tells. */
async function storeMs(sql: postgres.Sql): Promise<number> {
  const rows = await sql`select pid from pg_stat_activity where datname = current_database()`;
  let nanos = 0;
  for (const { pid } of rows) {
    try {
      nanos += Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]);
    } catch {
      // Another machine, or another system: no figure.
    }
  }
  return nanos / 1e6;
}

/** Milliseconds that each of `times` calls takes. */
export async function spreadOf(times: number, call: (n: number) => Promise<unknown>) {
  const taken: number[] = [];
  for (let n = 0; n < times; n++) {
    const began = performance.now();
    await call(n);
    taken.push(performance.now() - began);
  }
  return spread(taken, 2);
}
