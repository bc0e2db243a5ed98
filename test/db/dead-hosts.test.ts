import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { admitUrls } from "../../src/db/admit-urls.ts";
import { type HostState, readHost, setHostState } from "../../src/db/hosts.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { admitPaths, candidate, claimAll, DAY_MS, turnAt } from "./frontier.ts";

const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());

describe("a dead host", () => {
  const later = new Date(Date.now() + DAY_MS);
  const die = async (name: string, state: HostState = "dead") => {
    const [id] = await admitPaths(db, name, ["/"]);
    const host = await hostNamed(db, name);
    await db.execute(sql`update urls set next_crawl_at = ${later.toISOString()} where id = ${id}`);
    await setHostState(db, { id: host.id, state, reason: null, nextTurnAt: later });
    return { urlId: id!, hostId: host.id };
  };
  const nextTurn = async (id: number) => (await readHost(db, id))!.nextTurnAt!.getTime();

  test.each([
    ["known", "http://known.dead.test/"],
    ["new", "http://new.dead.test/other"],
  ])("gets a turn when a person names a URL of it (%s), which is due", async (_, url) => {
    const { hostId } = await die(new URL(url).hostname);
    const [result] = await admitUrls(db, [candidate(url, { raise: true })]);
    const { id } = result as { id: number };
    expect(await nextTurn(hostId)).toBeLessThan(Date.now() + 1_000);
    const next = await turnAt(db, new URL(url).hostname);
    expect((await claimAll(db, next)).map((row) => row.id)).toEqual([id]);
  });

  test("gets none before its next request may go, and none for a link", async () => {
    const { hostId } = await die("told.dead.test");
    await admitUrls(db, [candidate("http://told.dead.test/link")]);
    expect(await nextTurn(hostId)).toBe(later.getTime());
    const toldAt = new Date(Date.now() + 90_000);
    await db.execute(sql`update hosts set next_fetch_at = ${toldAt.toISOString()}
      where id = ${hostId}`);
    await admitUrls(db, [candidate("http://told.dead.test/", { raise: true })]);
    expect(await nextTurn(hostId)).toBe(toldAt.getTime());
  });

  test("one that backs off is left in peace, and so are its URLs", async () => {
    const { hostId, urlId } = await die("off.dead.test", "backing_off");
    await admitUrls(db, [candidate("http://off.dead.test/", { raise: true, lane: 0 })]);
    expect(await nextTurn(hostId)).toBe(later.getTime());
    expect((await readUrls(db, [urlId]))[0]!.nextCrawlAt).toEqual(later);
  });
});
