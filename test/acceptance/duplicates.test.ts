import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../src/log.ts";
import { foldDuplicates } from "../../src/search/duplicates.ts";
import { openIndex } from "../../src/search/open.ts";
import type { Scored } from "../../src/search/score.ts";
import { search } from "../../src/search/search.ts";
import { simhashOf } from "../../src/text/fingerprint.ts";
import { hashText } from "../../src/text/hash.ts";
import { documentOf } from "../search/documents.ts";
import { seededChance } from "../support/chance.ts";
import { startCrawl, type TestCrawl } from "../support/crawl.ts";
import { page, robots, startOrigin } from "../support/origin.ts";
import { pause } from "../support/pause.ts";
import { hostOf, urlOf } from "../support/rows.ts";
import { until } from "../support/until.ts";

const PAGES = 200;
const WORDS = 400;
const SHARES = [0, 1, 2, 5, 10, 20, 30, 50, 75, 100];

const origin = startOrigin();
let crawl: TestCrawl;

setDefaultTimeout(60_000);
beforeAll(async () => {
  crawl = await startCrawl({ CRAWL_IP_DELAY_MS: "0" });
});
afterAll(async () => {
  await crawl.stop();
  await origin.stop();
});

const result = (words: readonly string[]) => {
  const simhash = simhashOf(Int32Array.from(words, hashText), words.length);
  return { candidate: { simhash } } as unknown as Scored;
};

/** A page, and the same with a share of its words changed. */
function pairOf(base: readonly string[], share: number, chance: () => number): string[][] {
  const places = base.map((_, at) => at).sort(() => chance() - 0.5);
  const changed = new Set(places.slice(0, (WORDS * share) / 100));
  return [[...base], base.map((old, at) => (changed.has(at) ? `x${wordBy(chance)}` : old))];
}

const wordBy = (chance: () => number): string => `w${Math.floor(chance() * 20_000)}`;
const basesBy = (chance: () => number, pages: number): string[][] =>
  Array.from({ length: pages }, () => Array.from({ length: WORDS }, () => wordBy(chance)));

test("200 pages with 0 to 100 % of their words changed: which pairs are folded", () => {
  const chance = seededChance(7);
  const bases = basesBy(chance, PAGES);
  const folded = SHARES.map((share) => {
    const pairs = bases.map((base) => pairOf(base, share, chance));
    return pairs.filter((pair) => foldDuplicates(pair.map(result)).length === 1).length / PAGES;
  });
  const curve = Object.fromEntries(SHARES.map((share, at) => [`${share} %`, folded[at]]));
  console.log(`folded by share of changed words: ${JSON.stringify(curve)}`);
  expect(folded[0]).toBe(1);
  for (const at of SHARES.keys()) if (SHARES[at]! >= 30) expect(folded[at]).toBe(0);
  expect(foldDuplicates(bases.map(result))).toHaveLength(PAGES);
});

test("a search shows one of two pages that are the same, and both of two that are not", async () => {
  const chance = seededChance(8);
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-duplicates-"));
  const index = await openIndex({ dataDir, log: silentLog });
  const shares = [0, 30, 100];
  const bases = basesBy(chance, 60);
  const texts = shares.flatMap((share) =>
    bases.flatMap((base, n) =>
      pairOf(base, share, chance).map((words) => [`pair${share}of${n}`, ...words].join(" ")),
    ),
  );
  await Promise.all(
    texts.map((text, id) => index.put(documentOf({ id: id + 1, host: `h${id}.test`, text }))),
  );
  const asked = { page: 1, perPage: 10, sort: "relevance", explain: false } as const;
  for (const share of shares) {
    for (const n of bases.keys()) {
      const { hits, folded } = await search(index, { query: `pair${share}of${n}`, ...asked });
      expect([hits.length, folded]).toEqual(share === 0 ? [1, 1] : [2, 0]);
    }
  }
  await index.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test("two equal pages in flight on two hosts end as one document", async () => {
  const hosts = ["127.0.4.1", "127.0.4.2"];
  const text = Array.from({ length: 80 }, (_, n) => `equal${n}`).join(" ");
  let asked = 0;
  for (const host of hosts) {
    const slow = async () => {
      asked++;
      // Both are on their way before either is answered.
      await until(() => asked === hosts.length, { everyMs: 1 });
      await pause(50);
      return page(text);
    };
    origin.host(host, { "/robots.txt": () => robots(""), "/": slow });
  }
  const urls = hosts.map((host) => origin.url(host));
  await crawl.seed(...urls);
  await until(async () => {
    const rows = await Promise.all(urls.map((url) => urlOf(crawl, url)));
    return rows.every(({ visits }) => visits > 0);
  });
  const rows = await Promise.all(urls.map((url) => urlOf(crawl, url)));
  const [kept] = rows.filter(({ state }) => state === "pending");
  const [copy] = rows.filter(({ state }) => state === "done");
  expect(copy).toMatchObject({ reason: "duplicate", targetId: kept!.id });
  await until(() => crawl.index.documents.size === 1);
  expect([...crawl.index.documents.keys()]).toEqual([kept!.id]);
  expect((await hostOf(crawl, hosts[0]!)).urlCount).toBe(1);
});
