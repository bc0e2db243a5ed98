/**
 * Does the cost of a page grow with those before it? A long crawl. Prints one JSON object: speed
 * and memory of each window, the second half over the first, memory at half and at the end.
 *
 *   bun run bench flat [--pages-total 100000] [--windows 10] [--hosts 50] [--links 30] [--kb 12]
 *
 * So many pages would take gigabytes: the site makes each when it is asked for, always at the same
 * cost. `site_cpu_share` says how busy that keeps it; far below 1 it is not what slows.
 */
import { parseArgs } from "node:util";
import { openSite, SITE_OPTIONS, sizeOf } from "./bench-site.ts";
import { flatness } from "./flatness.ts";
import { crawlWithProgram } from "./program-crawl.ts";

const { pages: _, max: __, ...options } = SITE_OPTIONS;
const { values } = parseArgs({
  options: {
    ...options,
    "pages-total": { type: "string", default: "100000" },
    windows: { type: "string", default: "10" },
  },
});
const total = Number(values["pages-total"]);
const windows = Number(values.windows);
const hosts = Number(values.concurrency ?? values.hosts);
const size = sizeOf({ ...values, pages: `${Math.ceil(total / hosts)}`, max: `${total}` });
const site = await openSite(size, { warm: false });
try {
  const markEvery = Math.ceil(size.max / windows);
  const { marks, ...figures } = await crawlWithProgram(site, { size, markEvery });
  console.log(
    JSON.stringify({ requests_in_flight: hosts, ...figures, ...flatness(marks) }, null, 2),
  );
} finally {
  await site.stop();
}
