import { afterAll, describe, expect, test } from "bun:test";
import { admitUrls } from "../../src/db/admit-urls.ts";
import { putOffUrls } from "../../src/db/put-off.ts";
import { answeredRobots, originsOf, saveRobots } from "../../src/db/robots.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { admitPaths, candidate, claimAll, ending, endTurn, turnAt } from "./frontier.ts";

const database = await testDatabase({ max: 4 });
const { db } = database;
afterAll(() => database.close());

const MINUTE_MS = 60_000;
const waiting = { state: "waiting_robots", reason: "robots.txt answers 503" } as const;

/** Five pages on a port that is silent, and one, of lesser priority, on one that is well. */
async function twoAuthorities(host: string) {
  const silent = Array.from({ length: 5 }, (_, n) =>
    candidate(`https://${host}/${n}`, { priority: 100 + n }),
  );
  await admitUrls(db, [...silent, candidate(`http://${host}/well`, { priority: 10 })]);
  return { prefix: `https://${host}/`, until: new Date(Date.now() + MINUTE_MS) };
}

test("the URLs of one authority are put off in batches, the others are next", async () => {
  const off = await twoAuthorities("two.test");
  const turn = await turnAt(db, "two.test");
  const putOff = { ...off, hostId: turn.hostId };
  const counts = [3, 3, 3].map(() => putOffUrls(db, putOff, 3));
  expect(await Promise.all(counts)).toContain(0);
  while ((await putOffUrls(db, putOff, 3)) > 0);
  expect((await claimAll(db, turn)).map(({ url }) => url)).toEqual(["http://two.test/well"]);
});

describe("the end of a turn that waits for robots.txt", () => {
  test("something else is due: the host goes on", async () => {
    await twoAuthorities("goes-on.test");
    const turn = await turnAt(db, "goes-on.test");
    const end = ending(turn, { ...waiting, nextTurnAt: new Date(Date.now() + MINUTE_MS) });
    expect(await endTurn(db, end)).toMatchObject({ kind: "ended", state: "active" });
    const host = await hostNamed(db, "goes-on.test");
    expect(host.reason).toBeNull();
    expect(host.nextTurnAt!.getTime()).toBeLessThan(Date.now() + 1_000);
  });

  test("nothing is due: it waits for the soonest of its URLs, and a new one wakes it", async () => {
    const { prefix, until } = await twoAuthorities("waits.test");
    const turn = await turnAt(db, "waits.test");
    await putOffUrls(db, { hostId: turn.hostId, prefix, until }, 10);
    await putOffUrls(db, { hostId: turn.hostId, prefix: "http://waits.test/", until }, 10);
    const later = new Date(until.getTime() + MINUTE_MS);
    expect(await endTurn(db, ending(turn, { ...waiting, nextTurnAt: later }))).toEqual({
      kind: "ended",
      state: "waiting_robots",
      nextTurnAt: until,
    });
    await admitPaths(db, "waits.test", ["/new"]);
    const { state, nextTurnAt } = await hostNamed(db, "waits.test");
    expect(state).toBe("waiting_robots");
    expect(nextTurnAt!.getTime()).toBeGreaterThan(Date.now());
    expect(nextTurnAt!.getTime()).toBeLessThan(Date.now() + 2_000);
  });
});

test("the authorities of a host, and which of them have answered", async () => {
  await twoAuthorities("origins.test");
  const { id: hostId } = await hostNamed(db, "origins.test");
  expect((await originsOf(db, hostId)).toSorted()).toEqual([
    "http://origins.test",
    "https://origins.test",
  ]);
  const blank = { body: null, etag: null, lastModified: null, fetchedAt: null, failure: null };
  const row = { ...blank, hostId, expiresAt: new Date(), failures: 0 };
  await saveRobots(db, [
    { ...row, authority: "https://origins.test:443", status: null, failures: 1 },
    { ...row, authority: "http://origins.test:80", status: 404 },
  ]);
  expect(await answeredRobots(db, ["https://origins.test:443"])).toBe(false);
  expect(await answeredRobots(db, ["https://origins.test:443", "http://origins.test:80"])).toBe(
    true,
  );
  expect(await answeredRobots(db, [])).toBe(false);
});
