import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { ClaimedUrl } from "../../src/db/claim-urls.ts";
import { claimContent } from "../../src/db/content.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { type SettleItem, settleGroup } from "../../src/db/settle-group.ts";
import { testDatabase } from "../support/database.ts";
import { candidate, claimAll, DAY_MS, indexed, keyOf, settlement, turnAt } from "./frontier.ts";
import { pointing } from "./pointing.ts";

const database = await testDatabase({ max: 4 });
const { db } = database;
afterAll(() => database.close());
const { paths, statesOf } = pointing(db);

describe("settles of one group", () => {
  type More = Partial<Omit<SettleItem, "row">> & { row?: Partial<SettleItem["row"]> };
  const settleOf = (url: ClaimedUrl, more: More): SettleItem => ({
    ...settlement(url),
    wakes: { dependants: false, duplicates: false, stranded: true },
    ...more,
    row: {
      ...url,
      state: "done",
      visits: url.visits + 1,
      nextCrawlAt: new Date(Date.now() + 30 * DAY_MS),
      ...more.row,
    },
  });
  const urlOf = (host: string, at: number) => `http://${host}/${at}`;

  test.each([2, 3, 5])("%i that name each other in a circle: one is due again", async (size) => {
    const host = `ring-${size}.test`;
    const ids = await paths(host, size);
    const urls = await claimAll(db, await turnAt(db, host));
    const { woke } = await settleGroup(
      db,
      urls.map((url) => {
        const next = ids[(ids.indexOf(url.id) + 1) % size]!;
        const targetKey = keyOf(urlOf(host, ids.indexOf(next) + 1));
        return settleOf(url, { row: { reason: "canonical" }, targetKey });
      }),
    );
    expect(woke).toBe(true);
    const states = await statesOf(ids);
    expect(states.filter((state) => state === "pending")).toHaveLength(1);
    expect(states[ids.indexOf(Math.min(...ids))]).toBe("pending");
  });

  test("a target that is admitted with its source is still open", async () => {
    await paths("fresh.test", 1);
    const [url] = await claimAll(db, await turnAt(db, "fresh.test"));
    const target = candidate("http://fresh.test/target");
    const row = { reason: "canonical" };
    await settleGroup(db, [settleOf(url!, { row, targetKey: target.key, candidates: [target] })]);
    const [settled] = await readUrls(db, [url!.id]);
    expect(settled).toMatchObject({ state: "done", reason: "canonical" });
    expect((await readUrls(db, [settled!.targetId!]))[0]!.url).toBe(target.url);
  });

  test("a target that was refused meanwhile is none", async () => {
    await paths("refused.test", 1);
    const [url] = await claimAll(db, await turnAt(db, "refused.test"));
    const targetKey = keyOf("http://refused.test/excluded");
    await settleGroup(db, [settleOf(url!, { row: { reason: "canonical" }, targetKey })]);
    expect(await statesOf([url!.id])).toEqual(["pending"]);
  });

  test("a duplicate whose owner has settled with another text is due again", async () => {
    const [owner, copy] = await paths("changed.test", 2);
    await indexed(db, [owner!]);
    const urls = await claimAll(db, await turnAt(db, "changed.test"));
    const url = urls.find(({ id }) => id === copy)!;
    const hash = keyOf("the old text");
    const duplicate = { urlId: copy!, hash, ownerId: owner! };
    const row = { reason: "duplicate", targetId: owner! };
    await settleGroup(db, [settleOf(url, { row, duplicate })]);
    expect(await statesOf([copy!])).toEqual(["pending"]);
    await claimContent(db, [{ hash, urlId: owner! }]);
    const again = await claimAll(db, await turnAtAgain("changed.test"));
    const same = again.find(({ id }) => id === copy)!;
    await settleGroup(db, [settleOf(same, { row, duplicate })]);
    expect(await statesOf([copy!])).toEqual(["done"]);
  });

  async function turnAtAgain(host: string) {
    await db.execute(sql`update urls set state = 'pending', lease_token = null
      where state = 'in_progress'`);
    await db.execute(sql`update hosts set turn_token = null, next_fetch_at = null,
      next_turn_at = clock_timestamp() where name = ${host}`);
    return await turnAt(db, host);
  }
});
