import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isSignalName, type Ranking, WEIGHT_MAX } from "../ranking.ts";
import { HOST_FACTORS, type HostFactor, isHostFactor } from "../search/host-wishes.ts";

/** What an admin saved on the console, as it lies beside the index. */
export interface SavedRanking {
  ranking: Ranking;
  /** Hosts that are raised or lowered, with all below them. */
  hosts: Readonly<Record<string, HostFactor>>;
}

export const NOTHING_SAVED: SavedRanking = { ranking: {}, hosts: {} };

/** What a search is ranked by. */
export interface RankingInEffect {
  ranking: Ranking;
  factors: ReadonlyMap<string, number>;
}

/** The weights of the table ← a setting ← what an admin saved. */
export const inEffect = (configured: Ranking, saved: SavedRanking): RankingInEffect => ({
  ranking: { ...configured, ...saved.ranking },
  factors: new Map(Object.entries(saved.hosts).map(([host, word]) => [host, HOST_FACTORS[word]])),
});

const fileIn = (dataDir: string): string => join(dataDir, "ranking.json");

/** What was last known, for who searches without the store. What cannot be read says nothing. */
export async function readLastRanking(dataDir: string): Promise<SavedRanking> {
  try {
    return savedIn(JSON.parse(await readFile(fileIn(dataDir), "utf8")));
  } catch {
    return NOTHING_SAVED;
  }
}

/** Whole or not at all: two processes may write at once, and one may be killed. */
export async function writeLastRanking(dataDir: string, text: string): Promise<void> {
  const aside = `${fileIn(dataDir)}.${randomUUID()}`;
  await writeFile(aside, text);
  await rename(aside, fileIn(dataDir));
}

function savedIn(value: unknown): SavedRanking {
  const { ranking: signals, hosts: words } = value as Record<string, object>;
  const ranking: Ranking = {};
  for (const [name, own] of Object.entries(signals ?? {})) {
    const { enabled, weight } = own as { enabled: unknown; weight: unknown };
    const isWeight = typeof weight === "number" && weight >= 0 && weight <= WEIGHT_MAX;
    if (isSignalName(name) && isWeight) ranking[name] = { enabled: enabled === true, weight };
  }
  const hosts = Object.entries(words ?? {}).filter(([, word]) => isHostFactor(String(word)));
  return { ranking, hosts: Object.fromEntries(hosts) as SavedRanking["hosts"] };
}
