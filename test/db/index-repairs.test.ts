import { afterAll, beforeEach, expect, test } from "bun:test";
import { markFetching } from "../../src/db/claim-urls.ts";
import { releaseStale } from "../../src/db/due.ts";
import { blockHostUrls, forgetHostUrls } from "../../src/db/host-urls.ts";
import {
  doubtIndex,
  dueRepairs,
  endRepairs,
  repairsOf,
  storedMarks,
  wantRepairs,
} from "../../src/db/index-repairs.ts";
import { applyUrls, deleteUrls, readUrls } from "../../src/db/operate-urls.ts";
import { rescueTurns } from "../../src/db/rescue-turns.ts";
import { settleGroup } from "../../src/db/settle-group.ts";
import { releaseTurns, releaseUnsettled, releaseUrls } from "../../src/db/settle-urls.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import {
  admitPaths,
  ageWorker,
  claimAll,
  DAY_MS,
  documentOf,
  indexed,
  settlement,
  TTL_MS,
  turnAt,
} from "./frontier.ts";

const database = await testDatabase({ max: 6 });
const { db, sql } = database;
afterAll(() => database.close());
beforeEach(async () => void (await sql`truncate index_repairs`));

/** How many looks each URL waits for, due or not. */
async function wishes(): Promise<Record<number, number>> {
  const rows =
    await sql`select url_id::int as id, count(*)::int as n from index_repairs group by 1`;
  return Object.fromEntries(rows.map(({ id, n }) => [id, n]));
}

let hosts = 0;

async function claimed(paths = ["/1", "/2"]) {
  const name = `wish-${++hosts}.test`;
  const ids = await admitPaths(db, name, paths);
  const turn = await turnAt(db, name);
  return { ids, turn, urls: await claimAll(db, turn), hostId: (await hostNamed(db, name)).id };
}

type Claimed = Awaited<ReturnType<typeof claimed>>;

test("a document leaves the store and is wished out of the index in one go", async () => {
  const { ids, urls } = await claimed();
  await indexed(db, ids);
  const items = urls.map((url) => settlement(url, { removesDocument: true }));
  await settleGroup(db, items.slice(0, 1));
  expect(await wishes()).toEqual({ [ids[0]!]: 1 });
  const [row] = await readUrls(db, [ids[0]!]);
  await indexed(db, ids);
  await applyUrls(db, [{ before: row!, state: "failed", columns: {}, removesDocument: true }]);
  expect(await wishes()).toEqual({ [ids[0]!]: 2 });
});

test("a page that is settled as it should costs the store nothing more", async () => {
  const { turn, urls } = await claimed();
  await settleGroup(
    db,
    urls.map((url) => settlement(url, { document: documentOf(url.id) })),
  );
  await releaseUrls(db, turn.token, []);
  await releaseTurns(db, [turn.token]);
  expect(await wishes()).toEqual({});
});

test("a settle that lost its lease, or doubts its own put, has the index looked at", async () => {
  const { ids, turn, urls } = await claimed();
  await releaseUrls(db, turn.token, [ids[0]!]);
  const items = urls.map((url) => settlement(url, { document: documentOf(url.id) }));
  const { settled } = await settleGroup(db, [items[0]!, { ...items[1]!, doubtsIndex: true }]);
  expect([...settled]).toEqual([ids[1]!]);
  expect(await wishes()).toEqual({ [ids[0]!]: 1, [ids[1]!]: 1 });
});

const ENDS: [how: string, end: (claim: Claimed) => Promise<unknown>][] = [
  ["its turn ends", ({ turn }) => releaseTurns(db, [turn.token])],
  ["its turn is forgotten", () => releaseStale(db, -1_000)],
  ["its host is blocked", ({ hostId }) => blockHostUrls(db, hostId, 100)],
  ["it is given back", ({ turn, ids }) => releaseUnsettled(db, turn.token, ids)],
  [
    "its worker died",
    async ({ turn, urls }) => {
      await markFetching(db, [{ id: urls[0]!.id, token: turn.token }]);
      await ageWorker(db, turn.workerId, TTL_MS + 1);
      await rescueTurns(db, { ttlMs: TTL_MS, crawlDelayMs: 1, turnMaxMs: DAY_MS });
    },
  ],
];

test.each(ENDS)("a claim that ends otherwise is looked at now and later: %s", async (how, end) => {
  const claim = await claimed();
  // The turn of a living worker is its own business.
  if (how === "its turn is forgotten") {
    await sql`update hosts set turn_token = null where id = ${claim.hostId}`;
  }
  await end(claim);
  expect(await wishes()).toEqual({ [claim.ids[0]!]: 2, [claim.ids[1]!]: 2 });
  expect((await dueRepairs(db, 10)).map(({ urlId }) => urlId).sort()).toEqual(claim.ids.sort());
  expect(await repairsOf(db, [claim.ids[0]!])).toHaveLength(1);
});

test("what is dropped or forgotten", async () => {
  const { ids, turn, hostId } = await claimed(["/1", "/2", "/3"]);
  await releaseUrls(db, turn.token, ids);
  await indexed(db, ids.slice(0, 2));
  expect((await deleteUrls(db, [ids[0]!])).documents).toEqual([ids[0]!]);
  await forgetHostUrls(db, hostId, 100);
  expect(await wishes()).toEqual({ [ids[0]!]: 1, [ids[1]!]: 1 });
});

test("what the store says of URLs", async () => {
  const { ids, turn } = await claimed(["/1", "/2"]);
  await releaseUrls(db, turn.token, [ids[0]!]);
  const document = documentOf(ids[0]!);
  await indexed(db, [ids[0]!]);
  await sql`update documents set crawled_at = ${document.crawledAt.toISOString()}`;
  const marks = await storedMarks(db, [...ids, ids[0]!, 999_999]);
  expect(marks.sort((a, b) => a.urlId - b.urlId)).toEqual([
    {
      urlId: ids[0]!,
      visits: 0,
      isLeased: false,
      version: { contentHash: null, crawledAt: document.crawledAt.getTime() },
    },
    { urlId: ids[1]!, visits: 0, isLeased: true, version: null },
    { urlId: 999_999, visits: null, isLeased: false, version: null },
  ]);
});

test("a wish ends when it is done and nobody visited meanwhile; else it comes again", async () => {
  const { ids, turn, urls } = await claimed(["/done", "/undone", "/visited", "/leased", "/later"]);
  const [done, undone, visited, leased, later] = ids as [number, number, number, number, number];
  await releaseUrls(db, turn.token, [done, undone, later]);
  await wantRepairs(db, [...ids, 999_999]);
  const looks = (await dueRepairs(db, 10)).map((repair) => ({
    ...repair,
    visits: repair.urlId === 999_999 ? null : 0,
    isDone: repair.urlId !== undone,
  }));
  await settleGroup(db, [settlement(urls.find(({ id }) => id === visited)!)]);
  await wantRepairs(db, [later]);
  await endRepairs(db, looks);
  await endRepairs(db, looks);
  expect(await wishes()).toEqual({ [undone]: 1, [visited]: 1, [leased]: 1, [later]: 1 });
  expect((await dueRepairs(db, 10)).map(({ urlId }) => urlId)).toEqual([later]);
});

test("of several wishes for one URL that are not fulfilled one comes again", async () => {
  const { ids } = await claimed(["/1"]);
  await wantRepairs(db, ids);
  await wantRepairs(db, ids);
  await doubtIndex(db, ids);
  const looks = (await dueRepairs(db, 10)).map((due) => ({ ...due, visits: 0, isDone: false }));
  expect(looks).toHaveLength(3);
  await endRepairs(db, looks);
  // And the one that was put off from the first.
  expect(await wishes()).toEqual({ [ids[0]!]: 2 });
});
