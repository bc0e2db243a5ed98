import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { chainFrom, chainsFrom, endOf } from "../../src/db/chains.ts";
import { testDatabase } from "../support/database.ts";
import { indexed, keyOf } from "./frontier.ts";
import { byId, pointing } from "./pointing.ts";

const database = await testDatabase({ max: 4 });
const { db } = database;
afterAll(() => database.close());
const { isOver, paths, pointsAt, shut } = pointing(db);

describe("where a chain ends", () => {
  const endOfFirst = async (ids: readonly number[]) =>
    endOf([...(await chainsFrom(db, [ids[0]!])).values()][0] ?? []);

  test("at a document, or at a page that is not decided yet: open", async () => {
    const ids = await paths("open.test", 3);
    await pointsAt(ids[0]!, ids[1]!, "duplicate");
    await pointsAt(ids[1]!, ids[2]!, "redirected");
    expect(await endOfFirst(ids)).toEqual({ kind: "open" });
    await indexed(db, [ids[2]!]);
    expect(await endOfFirst(ids)).toEqual({ kind: "open" });
    await isOver(ids[2]!);
    expect(await endOfFirst(ids)).toEqual({ kind: "dead" });
    await db.execute(sql`update urls set interval_s = -604800 where id = ${ids[2]!}`);
    expect(await endOfFirst(ids)).toEqual({ kind: "open" });
    await db.execute(sql`delete from urls where id = ${ids[2]!}`);
    expect(await endOfFirst(ids)).toEqual({ kind: "dead" });
  });

  test("at a page of a host that is dead, and not in the index: dead", async () => {
    const ids = [...(await paths("alive.test", 1)), ...(await paths("dead.test", 1))];
    await pointsAt(ids[0]!, ids[1]!);
    await shut("dead.test", "dead");
    expect(await endOfFirst(ids)).toEqual({ kind: "dead" });
    await indexed(db, [ids[1]!]);
    expect(await endOfFirst(ids)).toEqual({ kind: "open" });
  });

  test("in a circle: the lowest id stays; a duplicate before it; of redirects none", async () => {
    const ids = byId(await paths("circle.test", 4));
    const [outside, a, b, c] = ids as [number, number, number, number];
    await pointsAt(outside, b);
    await pointsAt(b, c, "redirected");
    await pointsAt(c, a);
    await pointsAt(a, b);
    expect(await endOfFirst(ids)).toEqual({ kind: "loop", stays: a });
    await pointsAt(c, a, "duplicate");
    expect(await endOfFirst(ids)).toEqual({ kind: "loop", stays: c });
    await pointsAt(c, a, "redirected");
    await pointsAt(a, b, "redirected");
    expect(await endOfFirst(ids)).toEqual({ kind: "dead" });
  });

  test("farther away than anybody goes: dead", async () => {
    const ids = await paths("far.test", 40);
    for (const [at, id] of ids.slice(0, -1).entries()) await pointsAt(id, ids[at + 1]!);
    expect(await endOfFirst(ids)).toEqual({ kind: "dead" });
    expect(await endOfFirst(ids.slice(30))).toEqual({ kind: "open" });
  });
});

test("a chain begins at a key as well; of an unknown one there is none", async () => {
  const [first, last] = await paths("key.test", 2);
  await pointsAt(first!, last!);
  const chain = await chainFrom(db, keyOf("http://key.test/1"));
  expect(chain.map(({ id }) => id)).toEqual([first!, last!]);
  expect(await chainFrom(db, keyOf("http://key.test/unknown"))).toEqual([]);
  expect(await chainsFrom(db, [])).toEqual(new Map());
});
