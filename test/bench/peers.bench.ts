/**
 * Trawl and the crawlers that people use today, one after the other on the same site, in several
 * rounds of changing order. Prints one JSON object: medians, each round, and ratios.
 *
 *   bun run bench peers --crawlee PATH --scrapy PATH [--node node] [--python python3]
 *                       [--rounds 3] [options of `crawl` for the site, and --max]
 *
 * The paths name scripts as test/bench/README.md describes them. The bare loop runs beside them.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { openSite, SITE_OPTIONS, sizeOf } from "./bench-site.ts";
import { compare, orderOf, type Run } from "./comparison.ts";
import { type PeerRun, runBare, runScript } from "./peer.ts";
import { crawlWithProgram } from "./program-crawl.ts";

const { values } = parseArgs({
  options: {
    ...SITE_OPTIONS,
    crawlee: { type: "string" },
    scrapy: { type: "string" },
    node: { type: "string", default: "node" },
    python: { type: "string", default: "python3" },
    rounds: { type: "string", default: "3" },
  },
});
const size = sizeOf(values);
const runs: Record<string, Run[]> = {};
const leftOut: Record<string, string> = {};
const site = await openSite(size);

const scripts = {
  crawlee: [values.node, values.crawlee],
  scrapy: [values.python, values.scrapy],
} as const;
const peers: Record<string, () => Promise<PeerRun>> = { "bare loop": () => runBare(site, size) };
for (const [name, [interpreter, path]] of Object.entries(scripts)) {
  if (path === undefined) leaveOut(name, `no --${name}`);
  else if (!existsSync(path)) leaveOut(name, `${path} is not there`);
  else peers[name] = () => runScript([interpreter, resolve(path)], site, size);
}

try {
  const own: Awaited<ReturnType<typeof crawlWithProgram>>[] = [];
  for (let nth = 0; nth < Number(values.rounds); nth++) {
    for (const name of orderOf(["trawl", ...Object.keys(peers)], nth)) {
      if (name === "trawl") own.push(await crawlWithProgram(site, { size }));
      else {
        const run = await peers[name]!();
        if (run.kind === "ran") runs[name] = [...(runs[name] ?? []), run.figures];
        else leaveOut(name, run.detail);
      }
      process.stderr.write(`round ${nth + 1}: ${name}\n`);
    }
  }
  console.log(
    JSON.stringify(
      {
        requests_in_flight: size.hosts,
        size,
        trawl: own.map(({ marks: _, ...figures }) => figures),
        peers: compare(own, runs),
        left_out: leftOut,
      },
      null,
      2,
    ),
  );
} finally {
  await site.stop();
}

function leaveOut(name: string, why: string): void {
  leftOut[name] = why;
  delete peers[name];
  delete runs[name];
  process.stderr.write(`left out: ${name}: ${why}\n`);
}
