import { expect, test } from "bun:test";
import type { Clock } from "../../src/clock.ts";
import { countEnrichBacklog } from "../../src/db/enrichment.ts";
import { rankingAlone } from "../../src/db/host-ranking.ts";
import { until } from "../support/until.ts";
import { enrichScene, never } from "./enrich-scene.ts";

const scene = await enrichScene();
const { db, sql, double, index, settled, enrichment, without, summaries, later, asked } = scene;

test("answers of no use are asked for three times in all; then it does without", async () => {
  await settled(1);
  double.mode = "broken";
  for (const [attempt, left] of [
    [1, 1],
    [2, 1],
    [3, 0],
  ]) {
    await enrichment().drain(never);
    expect([double.asked.length, await countEnrichBacklog(db)]).toEqual([attempt!, left!]);
    await enrichment().drain(never);
    await later();
  }
  expect(await summaries()).toEqual([]);
});

test("a model that fails page after page is left alone, and found when it works", async () => {
  await settled(8);
  double.mode = "failing";
  let now = 0;
  const sleep = async () => {
    now++;
  };
  const clock: Clock = { now: () => now, sleep };
  const one = enrichment({ clock });
  await one.drain(never);
  expect(double.asked.length).toBe(4);
  expect(await one.isDue()).toBe(false);
  now += 1_500;
  await one.drain(never);
  expect(double.asked.length).toBe(5);
  double.mode = "normal";
  now += 5_000;
  await later();
  await one.drain(never);
  expect([(await summaries()).length, await countEnrichBacklog(db)]).toEqual([8, 0]);
});

test("while nobody is there only summaries wait, and no page loses an attempt", async () => {
  await settled(3);
  await sql`update hosts set authority = 0.5 where name = ${scene.host}`;
  const away = enrichment({ url: "http://127.0.0.1:1" });
  await away.drain(never);
  await away.drain(never);
  expect([index.told.get(scene.host)?.authority, await countEnrichBacklog(db)]).toEqual([0.5, 3]);
  expect(await sql`select 1 from summary_waits where attempts > 0`).toHaveLength(0);
  expect(await away.isDue()).toBe(false);
  // There is no model any more: they wait for nothing.
  await without().drain(never);
  expect(await countEnrichBacklog(db)).toBe(0);
});

test("a text that makes the model fail takes none of the others with it", async () => {
  const [bad, ...good] = (await settled(6)) as [number, ...number[]];
  double.answer = ({ messages }) =>
    messages[1]!.content.includes(`Title ${bad}\n`) ? "" : "Fine.";
  for (let round = 0; round < 4; round++) {
    await enrichment().drain(never);
    await later();
  }
  expect(await summaries()).toEqual(good.map(() => "Fine."));
  expect([asked(`Title ${bad}\n`), await countEnrichBacklog(db)]).toEqual([3, 0]);
});

test("an index that is down, a ranking under way, a part that is away: all waits, nothing is lost", async () => {
  await settled(2);
  await sql`update hosts set authority = 0.5 where name = ${scene.host}`;
  index.isDown = true;
  await enrichment().drain(never);
  index.isDown = false;
  expect([double.asked.length, await countEnrichBacklog(db)]).toEqual([0, 2]);
  await rankingAlone(db, () => enrichment().drain(never));
  await enrichment({ isOpen: () => true }).drain(never);
  expect([double.asked.length, await countEnrichBacklog(db)]).toEqual([0, 2]);
  await enrichment().drain(never);
  expect([(await summaries()).length, await countEnrichBacklog(db)]).toEqual([2, 0]);
});

test("an index that goes away after the answer: the answer is made again", async () => {
  await settled(1);
  const enrich = index.enrich.bind(index);
  index.enrich = async () => ({ kind: "unavailable", detail: "taken away by the test" });
  await enrichment().drain(never);
  index.enrich = enrich;
  expect([await summaries(), await countEnrichBacklog(db)]).toEqual([[], 1]);
  await enrichment().drain(never);
  expect([(await summaries()).length, await countEnrichBacklog(db)]).toEqual([1, 0]);
});

test("stopped in the middle it ends at once, and the next one does the rest", async () => {
  await settled(3);
  double.mode = "silent";
  const stop = new AbortController();
  const draining = enrichment().drain(stop.signal);
  await until(() => double.asked.length > 0);
  const began = performance.now();
  stop.abort();
  await draining;
  expect(performance.now() - began).toBeLessThan(200);
  expect(await sql`select 1 from summary_waits where attempts = 0`).toHaveLength(3);
  double.mode = "normal";
  await enrichment().drain(never);
  expect((await summaries()).length).toBe(3);
});

test("a page that refuses machine use while its summary is made shows none", async () => {
  const [id] = (await settled(1)) as [number];
  const enrich = index.enrich.bind(index);
  let isFirst = true;
  index.enrich = async (updates) => {
    // The visit settles, and all that comes of it is done, right before the index hears of this.
    if (isFirst && updates.some(({ summary }) => summary !== null)) {
      isFirst = false;
      await sql`update documents set noai = true where url_id = ${id}`;
      await sql`insert into enrich_waits (url_id, content_hash)
        select url_id, content_hash from documents where url_id = ${id}`;
      await without().drain(never);
    }
    return await enrich(updates);
  };
  await enrichment().drain(never);
  index.enrich = enrich;
  expect(isFirst).toBe(false);
  expect([await summaries(), await countEnrichBacklog(db)]).toEqual([[], 0]);
  expect(await sql`select 1 from document_summaries`).toHaveLength(0);
});
