import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The hard cases of the field: where each is shown, and by which test. */
const SHOWN: [number: number, file: string, title: string][] = [
  [1, "acceptance/hard-cases-robots.test.ts", "1: robots.txt cannot be had"],
  [2, "acceptance/hard-cases-robots.test.ts", "2: robots.txt never answers"],
  [3, "acceptance/hard-cases-throttle.test.ts", "3: a host that says not now"],
  [3, "acceptance/hard-cases-throttle.test.ts", "3: a day is honoured"],
  [4, "acceptance/hard-cases-robots.test.ts", "4: Crawl-delay"],
  [5, "parse/robots-groups.test.ts", "a Sitemap, a Crawl-delay or an unknown line does not end"],
  [6, "parse/robots.test.ts", "a Latin-1 byte in one rule"],
  [8, "acceptance/hard-cases-redirects.test.ts", "8: a redirect to what robots.txt"],
  [10, "long/hard-cases-fairness.long.ts", "10: the small hosts are done within 10 s"],
  [11, "long/hard-cases-fairness.long.ts", "11: hosts named by address"],
  [12, "acceptance/hard-cases-turns.test.ts", "12: 50 turns asked at once"],
  [13, "acceptance/hard-cases-turns.test.ts", "13: a URL waits longer in the carrier"],
  [14, "long/hard-cases-idle.long.ts", "14: every host in back-off"],
  [15, "acceptance/hard-cases-turns.test.ts", "15: a handler outlives the lock"],
  [15, "acceptance/hard-cases-turns.test.ts", "15: a turn ends while its request is on its way"],
  [16, "db/plans.test.ts", "a claim at a host of 500,000 future URLs and 10 due takes under 5 ms"],
  [17, "acceptance/kill.test.ts", "three kills of everything in mid-crawl"],
  [18, "acceptance/hard-cases-many-hosts.test.ts", "18: 100,000 one-page hosts"],
  [18, "long/many-hosts.long.ts", "18: 100,000 one-page hosts, all of them"],
  [19, "acceptance/hard-cases-names.test.ts", "19: a name that does not resolve"],
  [20, "acceptance/traps.test.ts", "20: a site without end"],
  [21, "acceptance/hard-cases-redirects.test.ts", "21: redirects that look like themselves"],
  [22, "acceptance/hard-cases-redirects.test.ts", "22: a redirect to what is not its own"],
  [24, "acceptance/hard-cases-canonical.test.ts", "24: a page names as its canonical"],
];

test.each(SHOWN)("case %i is shown in %s", (_number, file, title) => {
  const text = readFileSync(join(import.meta.dir, "..", file), "utf8");
  expect(text).toContain(title);
});
