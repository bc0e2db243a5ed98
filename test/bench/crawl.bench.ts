/**
 * A whole crawl as a user runs it. Prints one JSON object: speed, CPU of all processes of the
 * program, peak memory (PSS), time to searchable, lag of the event loop over the last minute.
 *
 *   bun run bench crawl [--hosts 50 | --concurrency 50] [--pages 200] [--links 30] [--kb 12]
 *                       [--max 5000] [--html-dir DIR] [--searches N]
 *
 * --searches: asks /api/search so many times a second meanwhile.
 */
import { parseArgs } from "node:util";
import { openSite, SITE_OPTIONS, sizeOf } from "./bench-site.ts";
import { crawlWithProgram } from "./program-crawl.ts";
import { SearchLoad } from "./search-load.ts";

const { values } = parseArgs({
  options: { ...SITE_OPTIONS, searches: { type: "string", default: "0" } },
});
const size = sizeOf(values);
const perSecond = Number(values.searches);
const site = await openSite(size);
try {
  const load = new SearchLoad({ perSecond, documents: size.max });
  const { marks: _, ...figures } = await crawlWithProgram(site, {
    size,
    ...(perSecond > 0 ? { beside: (program) => load.start(program) } : {}),
  });
  const searches = perSecond > 0 ? { search: load.figures() } : {};
  console.log(
    JSON.stringify({ peer: "trawl", requests_in_flight: size.hosts, ...figures, ...searches }),
  );
} finally {
  await site.stop();
}
