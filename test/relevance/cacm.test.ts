import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SIGNALS } from "../../src/search/signals.ts";
import { type Ask, judge, knownItems, mistyper, uniqueTitles } from "./ask.ts";
import { type Collection, readCacm } from "./cacm.ts";
import { crawlTexts } from "./crawled.ts";
import { type DirectIndex, indexDirectly } from "./direct.ts";

const collection = await readCacm();

describe.skipIf(!collection)("the titles and abstracts of CACM", () => {
  const { texts, topics } = (collection ?? { texts: [], topics: [] }) as Collection;
  let crawled: { ask: Ask; close(): Promise<void> };
  let direct: DirectIndex;

  beforeAll(async () => {
    direct = await indexDirectly(texts);
    crawled = await crawlTexts(texts);
  }, 300_000);
  afterAll(async () => {
    await crawled.close();
    await direct.close();
  });

  test("crawled end to end: nDCG@10 at least 0.52, and within 0.01 of direct indexing", async () => {
    const whole = await judge({ texts, topics }, crawled.ask);
    const put = await judge({ texts, topics }, direct.ask);
    console.log(JSON.stringify({ topics: topics.length, crawled: whole, direct: put }));
    expect(whole.all.ndcg10).toBeGreaterThanOrEqual(0.52);
    expect(Math.abs(whole.all.ndcg10 - put.all.ndcg10)).toBeLessThanOrEqual(0.01);
  });

  test("no signal makes it worse than words alone", async () => {
    const off = SIGNALS.map(({ name }) => [name, { enabled: false, weight: 0 }] as const);
    const alone = await judge({ texts, topics }, direct.asking(Object.fromEntries(off)));
    const { all } = await judge({ texts, topics }, direct.ask);
    expect(all.ndcg10).toBeGreaterThan(alone.all.ndcg10 - 0.002);
  });

  test("long queries find what is relevant: recall@100 at least 0.75", async () => {
    const { long } = await judge({ texts, topics }, direct.ask);
    expect(long.recall100).toBeGreaterThanOrEqual(0.75);
  });

  test("no worse than when every document is scored: nDCG@10, recall@100, the first ten", async () => {
    const chosen = await judge({ texts, topics }, direct.ask);
    const all = await judge({ texts, topics }, direct.askAll);
    let same = 0;
    let of = 0;
    for (const { query } of topics) {
      const best = await direct.askAll(query, 10);
      const found = new Set(await direct.ask(query, 10));
      same += best.filter((id) => found.has(id)).length;
      of += best.length;
    }
    console.log(JSON.stringify({ chosen: chosen.all, all: all.all, overlap: same / of }));
    expect(chosen.all.ndcg10).toBeGreaterThanOrEqual(all.all.ndcg10 - 1e-9);
    expect(chosen.all.recall100).toBeGreaterThanOrEqual(all.all.recall100 - 0.005);
    expect(same / of).toBeGreaterThanOrEqual(0.99);
  });

  test("a text is found by its title, with a mistake in a word too", async () => {
    const known = uniqueTitles(texts, 500);
    const exact = await knownItems(known, direct.ask);
    const mistyped = await knownItems(known, direct.ask, mistyper(7));
    console.log(JSON.stringify({ known: known.length, exact, mistyped }));
    expect(exact).toBeGreaterThanOrEqual(0.95);
    expect(mistyped).toBeGreaterThanOrEqual(0.85);
  });
});
