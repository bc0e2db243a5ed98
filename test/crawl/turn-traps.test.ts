import { expect, test } from "bun:test";
import { Traps } from "../../src/crawl/traps.ts";
import { trapOf } from "../../src/crawl/turn-traps.ts";
import type { ClaimedUrl } from "../../src/db/claim-urls.ts";
import { PRIORITY_MAX, priorityOf } from "../../src/frontier/priority.ts";
import type { CanonicalUrl } from "../../src/url/canonical.ts";
import { sampleOf } from "../support/samples.ts";

const HOST = { id: 1, name: "maze.test" };
const at = (n: number) => `http://${HOST.name}/?y=${n}` as CanonicalUrl;

function cutHost(): Parameters<typeof trapOf>[0] {
  const traps = new Traps();
  for (let n = 0; n < 40; n++) {
    const page = { sample: sampleOf("The same as ever."), isLong: false, linksHash: n };
    traps.of(HOST.name).note({ ...page, url: at(n), isFound: true, links: [], pathsHash: n }, 1);
  }
  const policy = { policy: () => ({ traps: () => traps.of(HOST.name), patterns: () => null }) };
  return { traps, policy, clock: { now: () => 2 } } as unknown as Parameters<typeof trapOf>[0];
}

const found = (priority: number) =>
  ({ id: 7, url: at(99), via: "link", crawledAt: null, priority }) as unknown as ClaimedUrl;

test("what was found in a cut pattern is asked for once a person names it", async () => {
  const deps = cutHost();
  const named = { depth: 0, url: at(99), hops: 0 };
  expect(await trapOf(deps, HOST, found(priorityOf({ ...named, via: "link" }, at(99))))).toBe(
    "pattern cut",
  );
  // Seeded, submitted, and what an operator has crawled now: each raises a URL that is known.
  for (const priority of [
    priorityOf({ ...named, via: "seed" }, at(99)),
    priorityOf({ ...named, via: "submission" }, at(99)),
    PRIORITY_MAX,
  ]) {
    expect(await trapOf(deps, HOST, found(priority))).toBeNull();
  }
});
