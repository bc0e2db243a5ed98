import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { admitUrls } from "../../src/db/admit-urls.ts";
import { addBlock, pausedBy, removeBlock } from "../../src/db/blocks.ts";
import { type HostState, setHostState } from "../../src/db/hosts.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { admitPaths, candidate } from "./frontier.ts";

const database = await testDatabase({ max: 4 });
const { db } = database;
afterAll(() => database.close());

const BY = "blocked by tester";

/** Hosts `a.<domain>` and `b.<domain>`. */
async function site(domain: string): Promise<() => Promise<HostState[]>> {
  const names = [`a.${domain}`, `b.${domain}`];
  await admitUrls(
    db,
    names.map((name) => candidate(`http://${name}/`, { domain })),
  );
  return async () =>
    await Promise.all(names.map(async (name) => (await hostNamed(db, name)).state));
}

const blockHost = (name: string) => addBlock(db, { name, kind: "host", reason: BY });
const blockDomain = (name: string) => addBlock(db, { name, kind: "domain", reason: BY });

describe("blocks that cover one host twice", () => {
  test("unblocking the host leaves the block of its domain in force", async () => {
    const states = await site("inner.test");
    await blockHost("a.inner.test");
    expect(await blockDomain("inner.test")).toHaveLength(2);
    expect(await removeBlock(db, "a.inner.test")).toEqual({ kind: "unblocked", hostIds: [] });
    expect(await states()).toEqual(["blocked", "blocked"]);
    await removeBlock(db, "inner.test");
    expect(await states()).toEqual(["active", "active"]);
  });

  test("unblocking the domain leaves the block of the host in force", async () => {
    const states = await site("outer.test");
    await blockDomain("outer.test");
    await blockHost("a.outer.test");
    const { id } = await hostNamed(db, "b.outer.test");
    expect(await removeBlock(db, "outer.test")).toEqual({ kind: "unblocked", hostIds: [id] });
    expect(await states()).toEqual(["blocked", "active"]);
  });

  test("as many come and go at once as may: the last one gone opens the host", async () => {
    const states = await site("race.test");
    for (let round = 0; round < 10; round++) {
      await blockHost("a.race.test");
      await Promise.all([removeBlock(db, "a.race.test"), blockDomain("race.test")]);
      expect(await states()).toEqual(["blocked", "blocked"]);
      await removeBlock(db, "race.test");
      expect(await states()).toEqual(["active", "active"]);
    }
  });
});

describe("a pause outlives a block", () => {
  const pause = async (name: string) => {
    const { id } = await hostNamed(db, name);
    const reason = pausedBy("ada");
    await setHostState(db, { id, state: "paused", reason, nextTurnAt: null });
  };

  test.each(["once", "twice"])("blocked %s", async (times) => {
    const domain = `${times}.paused.test`;
    const states = await site(domain);
    await pause(`a.${domain}`);
    await blockDomain(domain);
    if (times === "twice") await blockHost(`a.${domain}`);
    expect(await states()).toEqual(["blocked", "blocked"]);
    expect((await hostNamed(db, `a.${domain}`)).reason).toContain(BY);
    if (times === "twice") await removeBlock(db, `a.${domain}`);
    await removeBlock(db, domain);
    expect(await states()).toEqual(["paused", "active"]);
    expect(await hostNamed(db, `a.${domain}`)).toMatchObject({
      reason: "paused by ada",
      nextTurnAt: null,
    });
    expect((await hostNamed(db, `b.${domain}`)).reason).toBeNull();
  });
});

test("a host of a blocked domain that is new is blocked, with its URLs", async () => {
  await blockDomain("late.test");
  const [result] = await admitUrls(db, [
    candidate("http://new.late.test/", { domain: "late.test" }),
  ]);
  expect(result).toMatchObject({ kind: "admitted", state: "blocked" });
  expect((await hostNamed(db, "new.late.test")).state).toBe("blocked");
  await admitPaths(db, "free.test", ["/"]);
  expect((await hostNamed(db, "free.test")).state).toBe("active");
});

test("a host that was open stands where its URLs put it", async () => {
  await site("due.test");
  await blockDomain("due.test");
  expect((await hostNamed(db, "a.due.test")).nextTurnAt).toBeNull();
  await db.execute(sql`update hosts set next_fetch_at = now() + interval '1 hour'
    where name = 'a.due.test'`);
  await removeBlock(db, "due.test");
  const { nextTurnAt, nextFetchAt } = await hostNamed(db, "a.due.test");
  expect(nextTurnAt).toEqual(nextFetchAt);
});
