/**
 * The bare loop on the synthetic web: what a crawler could do that has nothing to keep. Prints one
 * JSON object.
 *
 *   bun run bench bare [options of `crawl` for the site, and --max]
 */
import { parseArgs } from "node:util";
import { openSite, SITE_OPTIONS, sizeOf } from "./bench-site.ts";
import { runBare } from "./peer.ts";

const { values } = parseArgs({ options: SITE_OPTIONS });
const size = sizeOf(values);
const site = await openSite(size);
try {
  const run = await runBare(site, size);
  if (run.kind === "failed") throw new Error(run.detail);
  console.log(JSON.stringify({ requests_in_flight: size.hosts, ...run.figures }));
} finally {
  await site.stop();
}
