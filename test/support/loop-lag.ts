import type { LoopLag } from "../../src/loop-lag.ts";
import type { Program } from "./program.ts";

/** What /metrics says of the event loop over the last minute. */
export async function loopLagOf(program: Program): Promise<LoopLag> {
  const headers = { authorization: `Bearer ${program.env.API_TOKEN}` };
  const text = await (await fetch(`${program.url}/metrics`, { headers })).text();
  const ms = (quantile: string): number => {
    const sample = new RegExp(
      `^trawl_event_loop_lag_seconds\\{quantile="${quantile}"\\} ([\\d.e-]+)$`,
      "m",
    ).exec(text);
    if (!sample) throw new Error(`no lag of quantile ${quantile} in\n${text}`);
    return Math.round(Number(sample[1]) * 1e6) / 1_000;
  };
  return { p50Ms: ms("0.5"), p99Ms: ms("0.99"), maxMs: ms("1") };
}
