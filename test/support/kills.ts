import { expect } from "bun:test";
import { seededChance } from "./chance.ts";
import { withStore } from "./outage.ts";
import { Program } from "./program.ts";
import { type Access, startSite } from "./site.ts";
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
  /** Of each page that was answered twice: ms from the first time to the kill that followed. */
  inHandMs: number[];
  /** What the store knows in the end, by host and path. */
  found: Record<string, string>;
}

/**
 * A crawl whose processes, Postgres among them, are all killed at seeded moments and started
 * again on the same folder. Answers null where the site is not to be had.
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
  const killedAt: number[] = [];
  try {
    await program.start();
    await seedEveryHost(program, site, run);
    for (const asked of moments(run, chance)) {
      await untilAsked(site, asked);
      await program.killEverything();
      killedAt.push(Date.now());
      const spawnedAt = Date.now();
      await program.start();
      const readyAt = Date.now();
      const sinceSpawn = await untilAskedAgain(site, spawnedAt);
      resumedMs.push({ sinceSpawn, sinceReady: sinceSpawn - (readyAt - spawnedAt) });
    }
    await untilOver(program, run);
    await expectEachPageOnce(program, site, run, run.samples);
    const found = await everyUrl(program.dataDir);
    expect(await program.stop({ keep: true })).toBe(0);
    const accesses = await allAccesses(site);
    const inHandMs = inHand(accesses, killedAt);
    return { resumedMs, shortestGapMs: shortestGap(accesses)!.ms, inHandMs, found };
  } finally {
    await program.killEverything();
    await program.stop();
    await site.stop();
  }
}

function inHand(accesses: readonly Access[], killedAt: readonly number[]): number[] {
  const answered = accesses.filter(({ path, status }) => path !== "/robots.txt" && status === 200);
  const byPage = Map.groupBy(answered, ({ host, path }) => host + path);
  return [...byPage.values()].flatMap((answers) =>
    answers.slice(0, -1).map(({ t1 }) => (killedAt.find((at) => at >= t1) ?? Infinity) - t1),
  );
}

const everyUrl = (dataDir: string) =>
  withStore(dataDir, async (sql) => {
    const rows = await sql`select url, state, reason, title, u.content_hash as hash
      from urls u left join documents d on d.url_id = u.id`;
    const entries = rows.map(({ url, ...facts }): [string, string] => {
      const { hostname, pathname, search } = new URL(url);
      return [hostname + pathname + search, Object.values(facts).join(" | ")];
    });
    return Object.fromEntries(entries);
  });

/** Counts of pages at which everything is killed: one in each of equal parts of the crawl. */
function moments({ hosts, pages, kills }: KillRun, chance: () => number): number[] {
  const part = (hosts * pages * 0.9) / kills;
  return Array.from({ length: kills }, (_, at) => Math.max(1, Math.floor(part * (at + chance()))));
}
