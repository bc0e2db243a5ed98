/**
 * Search while the crawl runs at full speed, on an index that is full already. Prints one JSON
 * object: answers of /api/search and of /suggest by kind, time to searchable, lag of the event
 * loop, and the crawl.
 *
 *   bun run bench serve [--documents 100000] [--words 400] [--searches 20] [--index DIR]
 *                       [options of `crawl` for the site, and --max]
 *
 * --index: a folder that keeps the full index for the next run; it is filled when it is empty.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { silentLog } from "../../src/log.ts";
import { isIndexIn, openIndex } from "../../src/search/open.ts";
import { openSite, SITE_OPTIONS, sizeOf } from "./bench-site.ts";
import { corpusOf } from "./corpus.ts";
import { crawlWithProgram } from "./program-crawl.ts";
import { SearchLoad } from "./search-load.ts";

/**
 * Ids beyond those that the crawl gives. The store knows nothing of them, which only `reconcile`
 * would see: nobody calls it here.
 */
const FIRST_ID = 1_000_000_000;
const PARALLEL_PUTS = 500;

const { values } = parseArgs({
  options: {
    ...SITE_OPTIONS,
    documents: { type: "string", default: "100000" },
    words: { type: "string", default: "400" },
    searches: { type: "string", default: "20" },
    index: { type: "string" },
  },
});
const size = sizeOf(values);
const documents = Number(values.documents);
const perSecond = Number(values.searches);

const dataDir = mkdtempSync(join(tmpdir(), "trawl-bench-"));
const full = values.index ?? dataDir;
mkdirSync(full, { recursive: true });
if (!isIndexIn(full)) await fill(full);
if (full !== dataDir) cpSync(full, dataDir, { recursive: true });

const site = await openSite(size);
try {
  const load = new SearchLoad({ perSecond, documents });
  const beside = (program: Parameters<typeof load.start>[0]) => load.start(program);
  const { marks: _, ...crawl } = await crawlWithProgram(site, { size, dataDir, beside });
  console.log(
    JSON.stringify({ documents, searches_per_second: perSecond, search: load.figures(), crawl }),
  );
} finally {
  await site.stop();
  if (existsSync(dataDir)) rmSync(dataDir, { recursive: true });
}

async function fill(folder: string): Promise<void> {
  const index = await openIndex({ dataDir: folder, log: silentLog });
  const make = corpusOf(Number(values.words));
  const put = (nth: number) => index.put({ ...make(nth), id: FIRST_ID + nth });
  try {
    for (let at = 0; at < documents; at += PARALLEL_PUTS) {
      const count = Math.min(PARALLEL_PUTS, documents - at);
      const puts = Array.from({ length: count }, (_, n) => put(at + n + 1));
      const refused = (await Promise.all(puts)).find(({ kind }) => kind !== "stored");
      if (refused) throw new Error(`the index is not filled: ${JSON.stringify(refused)}`);
    }
  } finally {
    await index.close();
  }
}
