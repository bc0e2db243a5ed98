import { afterAll, expect, test } from "bun:test";
import { ROOM_FOR_ALL } from "../../src/db/admission-room.ts";
import { ensureHosts } from "../../src/db/host-ids.ts";
import { packedHosts } from "../../src/db/host-ranking.ts";
import { regionScoreOfHost, standingOf } from "../../src/frontier/region.ts";
import { testDatabase } from "../support/database.ts";

const database = await testDatabase();
const { db, sql } = database;
afterAll(() => database.close());

/** Bytes of a host among the packed ones, and where its region score stands. */
const HOST_BYTES = 24;
const SCORE_AT = 16;

const GRID = [0, 1, 2, 3, 4, 5, 6, 40].flatMap((regionCount) =>
  [0, 100, 499, 500, 501, 600, 1_000].map((mean) => ({
    regionCount,
    regionSum: regionCount * mean,
  })),
);

test("what the store makes of a host's pages is what frontier/region.ts makes of them", async () => {
  const named = GRID.map((_, n) => ({ host: `h${n}.test`, domain: `h${n}.test` }));
  const ids = (await ensureHosts(db, named, ROOM_FOR_ALL)).hosts;
  for (const [n, { regionSum, regionCount }] of GRID.entries()) {
    await sql`update hosts set region_sum = ${regionSum}, region_count = ${regionCount}
      where id = ${ids.get(`h${n}.test`)!.id}`;
  }
  const { hosts } = await ensureHosts(db, named, ROOM_FOR_ALL);
  for (const [n, counts] of GRID.entries()) {
    const { standing } = hosts.get(`h${n}.test`)!;
    expect([counts, standing === "in"]).toEqual([counts, standingOf(counts) === "in"]);
    // Whoever might still be in after one more page is open to links that vouch for it.
    const unproven = { regionSum: 1_000 * counts.regionCount, regionCount: counts.regionCount };
    expect([counts, standing === "open"]).toEqual([counts, standingOf(unproven) === "probation"]);
  }
  const packed = Buffer.concat(await Array.fromAsync(packedHosts(db)));
  expect(packed).toHaveLength(GRID.length * HOST_BYTES);
  for (let at = 0; at < packed.length; at += HOST_BYTES) {
    const name = [...ids].find(([, { id }]) => id === packed.readInt32BE(at))![0];
    const counts = GRID[Number(/\d+/.exec(name)![0])]!;
    expect(packed.readFloatBE(at + SCORE_AT)).toBeCloseTo(regionScoreOfHost(counts), 5);
  }
});
