import { statfs } from "node:fs/promises";
import type { Config } from "../config.ts";
import type { Database } from "../db/connect.ts";
import type { Backend } from "../queue/backend.ts";
import type { SearchIndex } from "../search/port.ts";
import type { Health, PartName, Probe } from "./breaker.ts";

const SLOW_MS = 1_000;
const MEGABYTE = 1024 * 1024;

/** Cheap looks at every part that a crawl cannot do without. */
export function createProbes(parts: {
  database: Database;
  backend: Backend;
  index: SearchIndex;
  config: Config;
}): Record<PartName, Probe> {
  const { database, backend, index, config } = parts;
  return {
    postgres: () => probePostgres(database),
    carrier: () => backend.probe(),
    index: () => index.health(),
    disk: () => probeDisk(config.data.dir, config.data.diskMinFreeMb),
  };
}

/** A store that is full or read-only still answers reads: it is asked whether it takes writes. */
async function probePostgres({ sql }: Database): Promise<Health> {
  const began = performance.now();
  try {
    const [row] = await sql`select pg_is_in_recovery() or
      current_setting('transaction_read_only') = 'on' as closed`;
    if (row?.closed) return "refused";
    return performance.now() - began > SLOW_MS ? "slow" : "up";
  } catch (error) {
    const { code } = error as { code?: string };
    return code !== undefined && /^(28|53)/.test(code) ? "refused" : "down";
  }
}

async function probeDisk(dir: string, freeMinMb: number): Promise<Health> {
  const { bavail, bsize } = await statfs(dir);
  return (bavail * bsize) / MEGABYTE < freeMinMb ? "low" : "up";
}
