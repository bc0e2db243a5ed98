import { afterAll, expect, test } from "bun:test";
import { systemClock } from "../../src/clock.ts";
import type { OperateDeps } from "../../src/crawl/move-url.ts";
import { liftHostTraps } from "../../src/crawl/whole-host.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { admitPaths } from "../db/frontier.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";

const database = await testDatabase({ max: 2 });
const { db, sql } = database;
afterAll(() => database.close());

/** Lifts the traps of a host; gives for how long that waits, and what is due until then. */
async function lift(name: string, turn: string | null) {
  const [urlId] = await admitPaths(db, name, ["/a"]);
  const { id } = await hostNamed(db, name);
  await sql`update urls set state = 'done', reason = 'pattern cut' where id = ${urlId!}`;
  await sql`update hosts set turn_token = ${turn} where id = ${id}`;
  const stateOf = async () => (await readUrls(db, [urlId!]))[0]!.state;
  const waits: { ms: number; state: string }[] = [];
  const sleep = async (ms: number) => {
    waits.push({ ms, state: await stateOf() });
  };
  const deps = { db, clock: { ...systemClock, sleep }, wake: () => {} };
  expect(await liftHostTraps(deps as unknown as OperateDeps, id, "tester")).toEqual({
    kind: "done",
  });
  expect(await stateOf()).toBe("pending");
  return waits;
}

test("a turn under way hears of the lift before what was left alone is due", async () => {
  const waits = await lift("busy.test", crypto.randomUUID());
  expect(waits).toEqual([{ ms: expect.any(Number), state: "done" }]);
  // Longer than a process goes without reading the rules.
  expect(waits[0]!.ms).toBeGreaterThan(2_000);
});

test("a host without a turn waits for nothing: its next one reads what is stored", async () => {
  expect(await lift("idle.test", null)).toEqual([]);
});
