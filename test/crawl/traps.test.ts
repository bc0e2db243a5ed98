import { afterAll, expect, test } from "bun:test";
import { settledOf, Traps } from "../../src/crawl/traps.ts";
import { readTrapRules, readTraps, saveLearned } from "../../src/db/traps.ts";
import type { CanonicalUrl } from "../../src/url/canonical.ts";
import { admitPaths } from "../db/frontier.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { sampleOf } from "../support/samples.ts";

const database = await testDatabase({ max: 2 });
const { db } = database;
afterAll(() => database.close());

const NAME = "maze.test";
const at = (n: number) => `http://${NAME}/?y=${n}` as CanonicalUrl;

/** What a visit of page `n` writes, by a process that dies right behind it. */
async function visit(hostId: number, traps: Traps, n: number): Promise<void> {
  const page = { sample: sampleOf("The same as ever."), isLong: false, linksHash: n };
  const own = { url: at(n), isFound: true, links: [], pathsHash: n };
  const learned = settledOf(hostId, traps.of(NAME).note({ ...page, ...own }, Date.now()));
  if (learned) await saveLearned(db, [...learned.patterns], []);
}

test("processes that die one after the other cut a pattern all the same", async () => {
  await admitPaths(db, NAME, ["/"]);
  const { id } = await hostNamed(db, NAME);
  let pages = 0;
  for (let life = 0; life < 10; life++) {
    const traps = new Traps();
    const [stored] = await readTraps(db, [id]);
    const host = traps.open(NAME, stored!);
    // Five pages are more than are kept of four: a kill costs the fifth.
    for (let n = 0; n < 5 && host.cutOf(at(99)) === null; n++) await visit(id, traps, ++pages);
  }
  expect(pages).toBeLessThanOrEqual(15);
  const rules = await readTrapRules(db);
  const other = new Traps();
  other.update(rules, Date.now());
  expect(other.rules(NAME)!.cutOf(at(1))).not.toBeNull();
  expect(other.update(new Map(), Date.now())).toBe(true);
  expect(other.rules(NAME)).toBeNull();
});
