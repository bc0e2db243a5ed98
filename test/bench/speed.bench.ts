/**
 * The short measure that ends `npm test`: our pages per second over those of a bare loop. Prints
 * one JSON object. --save makes it what later runs are held against, in baseline.json.
 *
 *   bun run bench speed [--save]
 */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startSite } from "../support/site.ts";
import baseline from "./baseline.json";
import { type Baseline, measureSpeed, SPEED_SITE, verdictOf } from "./speed.ts";

const { values } = parseArgs({ options: { save: { type: "boolean", default: false } } });
const site = await startSite({ ...SPEED_SITE, warm: true });
if (site === null) throw new Error("the synthetic site is not there (see test/README.md)");
try {
  const speed = await measureSpeed(site);
  const verdict = verdictOf(speed, baseline);
  console.log(JSON.stringify({ ...speed, baseline, verdict: verdict.kind }));
  if (values.save) {
    const measured: Baseline = { r: speed.r, cores: availableParallelism() };
    const path = join(import.meta.dir, "baseline.json");
    writeFileSync(path, `${JSON.stringify(measured, null, 2)}\n`);
  }
} finally {
  await site.stop();
}
