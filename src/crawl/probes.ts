import { statfs } from "node:fs/promises";
import type { Config } from "../config.ts";
import type { Database } from "../db/connect.ts";
import { sqlState } from "../db/store-errors.ts";
import { takesWrites } from "../db/store-health.ts";
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

async function probePostgres({ db }: Database): Promise<Health> {
  const began = performance.now();
  try {
    if (!(await takesWrites(db))) return "refused";
    return performance.now() - began > SLOW_MS ? "slow" : "up";
  } catch (error) {
    return /^(28|53)/.test(sqlState(error) ?? "") ? "refused" : "down";
  }
}

async function probeDisk(dir: string, freeMinMb: number): Promise<Health> {
  const { bavail, bsize } = await statfs(dir);
  return (bavail * bsize) / MEGABYTE < freeMinMb ? "low" : "up";
}
