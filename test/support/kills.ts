import { expect } from "bun:test";
import { seededChance } from "./chance.ts";
import { Program } from "./program.ts";
import { startSite } from "./site.ts";
import {
  allAccesses,
  expectEachPageOnce,
  type Size,
  seedEveryHost,
  shortestGap,
  untilAsked,
  untilAskedAgain,
  untilOver,
} from "./whole-crawl.ts";

export interface KillRun extends Size {
  kills: number;
  delayMs: number;
  seed: number;
  samples: number;
}

export interface KillReport {
  /** Of each restart: ms from its readiness to the first request, and from its spawn. */
  resumedMs: { sinceReady: number; sinceSpawn: number }[];
  shortestGapMs: number;
  /**
   * Requests for pages above one a page: what was in hand at the kills, and the site's failures.
   */
  askedTwice: number;
}

/**
 * A crawl whose processes, Postgres among them, are all killed at seeded moments and started again
 * on
 * the same folder. Answers null where the site is not to be had.
 */
export async function crawlThroughKills(run: KillRun): Promise<KillReport | null> {
  const site = await startSite({ ...run, links: 8, kb: 2, fail: 0.1, log: true });
  if (!site) return null;
  const program = new Program({
    env: {
      CRAWL_DELAY_MS: `${run.delayMs}`,
      RETRY_BASE_MS: "200",
      FETCH_ALLOW_CIDRS: "127.0.0.0/8",
    },
  });
  const chance = seededChance(run.seed);
  const resumedMs: KillReport["resumedMs"] = [];
  try {
    await program.start();
    await seedEveryHost(program, site, run);
    for (const asked of moments(run, chance)) {
      await untilAsked(site, asked);
      await program.killEverything();
      const spawnedAt = Date.now();
      await program.start();
      const readyAt = Date.now();
      const sinceSpawn = await untilAskedAgain(site, spawnedAt);
      resumedMs.push({ sinceSpawn, sinceReady: sinceSpawn - (readyAt - spawnedAt) });
    }
    await untilOver(program, run);
    await expectEachPageOnce(program, site, run, run.samples);
    expect(await program.stop({ keep: true })).toBe(0);
    const accesses = await allAccesses(site);
    const pages = accesses.filter(({ path }) => path !== "/robots.txt").length;
    const askedTwice = pages - run.hosts * run.pages;
    return { resumedMs, shortestGapMs: shortestGap(accesses)!.ms, askedTwice };
  } finally {
    await program.killEverything();
    await program.stop();
    await site.stop();
  }
}

/** Counts of pages at which everything is killed: one in each of equal parts of the crawl. */
function moments({ hosts, pages, kills }: KillRun, chance: () => number): number[] {
  const part = (hosts * pages * 0.9) / kills;
  return Array.from({ length: kills }, (_, at) => Math.max(1, Math.floor(part * (at + chance()))));
}
