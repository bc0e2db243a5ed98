import { parseArgs } from "node:util";
import { loadLanguageModel } from "../../src/parse/language-model.ts";
import { buffersOf, packResult } from "../../src/parse/packed.ts";
import { parsePage } from "../../src/parse/page.ts";
import type { ParseRequest } from "../../src/parse/parsed.ts";
import type { RegionLexicon } from "../../src/text/region/lexicon.ts";
import { requestOf } from "../support/parse.ts";
import { lexiconOf } from "../support/regions.ts";
import { openSite, SITE_OPTIONS, sizeOf } from "./bench-site.ts";
import { round } from "./figures.ts";

/** Pages that a thread reads while its code is still being compiled. */
const FIRST = 500;
/** Of real pages there are fewer: they are read again until so many were read. */
const READ_MIN = 2_000;

/**
 * What a parse thread does with a page, from its bytes to what it hands over: processor time of
 * the process, with what it compiles and collects, for the first pages and for those behind.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { ...SITE_OPTIONS, region: { type: "string" } } });
  const region = values.region === undefined ? null : lexiconOf(values.region);
  const requests = await requestsOf(sizeOf(values));
  await loadLanguageModel();
  const first = await measured({ requests, region }, 0, Math.min(FIRST, requests.length));
  const steady = await measured({ requests, region }, FIRST, Math.max(READ_MIN, requests.length));
  const bytes = requests.reduce((sum, { body }) => sum + body.length, 0);
  console.log(
    JSON.stringify({
      pages: requests.length,
      bytes_per_page: Math.round(bytes / requests.length),
      first,
      steady,
    }),
  );
}

/** Of each host a page, then of each the next one, as a crawl meets them. */
async function requestsOf(size: ReturnType<typeof sizeOf>): Promise<ParseRequest[]> {
  const site = await openSite(size);
  const requests: ParseRequest[] = [];
  for (let n = 0; requests.length < size.max; n++) {
    const url = site.page(n % size.hosts, Math.floor(n / size.hosts));
    const answer = await fetch(url);
    requests.push({ ...requestOf(""), url, body: new Uint8Array(await answer.arrayBuffer()) });
  }
  await site.stop();
  return requests;
}

async function measured(
  { requests, region }: { requests: readonly ParseRequest[]; region: RegionLexicon | null },
  from: number,
  to: number,
) {
  const cpu = process.cpuUsage();
  let bytes = 0;
  for (let at = from; at < to; at++) {
    const request = requests[at % requests.length]!;
    bytes += request.body.length;
    const value = packResult(await parsePage(request, region));
    structuredClone({ id: at, value }, { transfer: buffersOf(value) });
  }
  const { user, system } = process.cpuUsage(cpu);
  return {
    pages: to - from,
    cpu_us_per_page: Math.round((user + system) / (to - from)),
    mb_per_cpu_second: round(bytes / (user + system), 1),
  };
}

if (import.meta.main) await main();
