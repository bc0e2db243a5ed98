import { expect, test } from "bun:test";
import { reconcile } from "../../src/crawl/reconcile.ts";
import { reindex } from "../../src/crawl/reindex.ts";
import { countEnrichBacklog } from "../../src/db/enrichment.ts";
import { keyOf } from "../db/frontier.ts";
import { MemoryIndex } from "../support/memory-index.ts";
import { until } from "../support/until.ts";
import { enrichScene, never } from "./enrich-scene.ts";

const scene = await enrichScene();
const { db, sql, double, index, settled, save, enrichment, without, summaries } = scene;

test("without a model all that waits is told of its host's rank in batches, and nothing is left", async () => {
  await settled(1_200);
  await sql`update hosts set authority = 0.5 where name = ${scene.host}`;
  let calls = 0;
  const rankHosts = index.rankHosts.bind(index);
  index.rankHosts = (ranks) => {
    calls++;
    return rankHosts(ranks);
  };
  await without().drain(never);
  index.rankHosts = rankHosts;
  expect([index.told.get(scene.host)?.authority, calls]).toEqual([0.5, 3]);
  expect(await countEnrichBacklog(db)).toBe(0);
  expect(await without().isDue()).toBe(false);
});

test("with one each page gets its summary, in index and store; reindex gives it back", async () => {
  const ids = await settled(5);
  await enrichment().drain(never);
  const wanted = ids.map((id) => `Of Title ${id}.`);
  expect((await summaries()).sort()).toEqual(wanted.sort());
  expect([await countEnrichBacklog(db), double.asked.length]).toEqual([0, 5]);
  expect(double.inFlightMax).toBeLessThanOrEqual(2);
  index.documents.clear();
  expect(await summaries()).toEqual([]);
  const fresh = new MemoryIndex();
  await reindex({ db, index: fresh });
  expect([...(await fresh.summaries(ids)).values()].sort()).toEqual(wanted.sort());
  expect(await reconcile({ db, index: fresh })).toEqual({ missing: 0, orphan: 0, stale: 0 });
  // All of it once more: nothing is asked again.
  await sql`insert into enrich_waits select url_id, content_hash from documents`;
  await enrichment().drain(never);
  expect([await countEnrichBacklog(db), double.asked.length]).toEqual([0, 5]);
});

test("a page that refuses, or is too short, is never sent; what was made of it before goes", async () => {
  const [id] = (await settled(1)) as [number];
  await enrichment().drain(never);
  expect(await summaries()).toHaveLength(1);
  await save([id], { noai: true });
  await enrichment().drain(never);
  expect([await summaries(), await countEnrichBacklog(db)]).toEqual([[], 0]);
  expect(await sql`select 1 from document_summaries`).toHaveLength(0);
  await settled(1, { contentHash: null });
  await enrichment().drain(never);
  expect(double.asked).toHaveLength(1);
  // It allows it again, with the same text.
  await save([id]);
  await enrichment().drain(never);
  expect([(await summaries()).length, double.asked.length]).toEqual([1, 2]);
});

test("one that refuses while its answer is under way keeps no summary", async () => {
  const [id] = (await settled(1)) as [number];
  double.mode = "slow";
  double.slowMs = 200;
  const draining = enrichment().drain(never);
  await until(() => double.asked.length > 0);
  await save([id], { noai: true });
  await draining;
  await enrichment().drain(never);
  expect([await summaries(), await countEnrichBacklog(db)]).toEqual([[], 0]);
  expect(await sql`select 1 from document_summaries`).toHaveLength(0);
});

test("one that changes while its answer is under way is asked for anew", async () => {
  const [id] = (await settled(1)) as [number];
  double.mode = "slow";
  double.slowMs = 200;
  double.answer = (chat) => (JSON.stringify(chat).includes("Anew") ? "New." : "Old.");
  const draining = enrichment().drain(never);
  await until(() => double.asked.length > 0);
  await save([id], { contentHash: keyOf("anew"), title: "Anew" });
  await draining;
  await enrichment().drain(never);
  expect(await summaries()).toEqual(["New."]);
});
