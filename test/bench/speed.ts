import type { Site } from "../support/site.ts";
import type { CrawlSize } from "./bench-site.ts";
import { median, round, significant } from "./figures.ts";
import { runBare } from "./peer.ts";
import { crawlWithProgram } from "./program-crawl.ts";

export const SPEED_SITE = { hosts: 50, pages: 200, links: 30, kb: 12 };
const ROUNDS = 3;
/** Of a crawl: long enough that the start of a cold program is not most of it. */
const PAGES = 3_000;
/** The bare loop is faster by so much that it takes the whole site. */
const BARE_PAGES = SPEED_SITE.hosts * SPEED_SITE.pages;
/** A machine that others use tells less than this apart. */
const FLOOR = 0.7;

export interface SpeedRound {
  pages_per_second: number;
  /** Of the bare loop: the mean of the run before and the one after. */
  bare_pages_per_second: number;
  r: number;
}

export interface Speed {
  r: number;
  rounds: SpeedRound[];
}

export interface Baseline {
  r: number;
  cores: number;
}

/**
 * r: our pages per second as a share of those of a bare loop of fetch and parse, so that it says
 * something on any machine. Each crawl, by a program that starts cold, stands between two runs of
 * the loop; of three rounds the median counts.
 */
export async function measureSpeed(site: Site): Promise<Speed> {
  const size: CrawlSize = { ...SPEED_SITE, max: PAGES };
  // The first answers of the site are slower than all later ones.
  await bareSpeed(site);
  const rounds: SpeedRound[] = [];
  let before = await bareSpeed(site);
  for (let nth = 0; nth < ROUNDS; nth++) {
    const { pages_per_second } = await crawlWithProgram(site, { size });
    const after = await bareSpeed(site);
    rounds.push(roundOf(pages_per_second, before, after));
    before = after;
  }
  return { r: median(rounds.map(({ r }) => r)), rounds };
}

async function bareSpeed(site: Site): Promise<number> {
  const run = await runBare(site, { ...SPEED_SITE, max: BARE_PAGES });
  if (run.kind === "failed") throw new Error(`the bare loop: ${run.detail}`);
  return run.figures.pages_per_second;
}

export function roundOf(own: number, before: number, after: number): SpeedRound {
  const bare = (before + after) / 2;
  return {
    pages_per_second: own,
    bare_pages_per_second: round(bare, 1),
    r: significant(own / bare),
  };
}

export type Verdict = { kind: "fast enough" } | { kind: "slower"; detail: string };

export function verdictOf(speed: Speed, baseline: Baseline): Verdict {
  const least = significant(baseline.r * FLOOR);
  if (speed.r >= least) return { kind: "fast enough" };
  const detail = `r is ${speed.r}, and was ${baseline.r}: less than ${least} is a step back`;
  return { kind: "slower", detail };
}
