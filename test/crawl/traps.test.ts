import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { settledOf, Traps } from "../../src/crawl/traps.ts";
import { readTrapRules } from "../../src/db/trap-rules.ts";
import { liftTraps, readTraps, saveLearned } from "../../src/db/traps.ts";
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
    const host = traps.open(NAME, stored!, Date.now());
    // Five pages are more than are kept of four: a kill costs the fifth.
    for (let n = 0; n < 5 && host.cutOf(at(99)) === null; n++) await visit(id, traps, ++pages);
  }
  expect(pages).toBeLessThanOrEqual(15);
  const rules = await readTrapRules(db);
  const other = new Traps();
  other.update(rules, Date.now());
  expect(other.rules(NAME)!.cutOf(at(1))).not.toBeNull();
  expect(other.update({ rules: new Map(), isWhole: true }, Date.now())).toBe(true);
  expect(other.rules(NAME)).toBeNull();
});

const IN_A_WHILE = 60_000;
const rulesOf = async () => await readTrapRules(db);

/** A shop of which everything shows the same, known to be a trap. */
async function shop(name: string) {
  await admitPaths(db, name, ["/"]);
  const { id } = await hostNamed(db, name);
  const traps = new Traps();
  const see = async (query: string, text: string, n: number, now: number) => {
    const page = { sample: sampleOf(text), isLong: false, linksHash: n, pathsHash: n };
    const url = `http://${name}/list?${query}` as CanonicalUrl;
    const noted = traps.of(name).note({ ...page, url, isFound: true, links: [] }, now);
    const learned = settledOf(id, noted);
    if (learned) await saveLearned(db, [...learned.patterns], []);
  };
  const began = Date.now();
  for (let n = 0; n < 40; n++) {
    await see(`${"abcdefgh"[n % 8]}=${n}`, "The same as ever.", n, began);
  }
  expect(traps.rules(name)!.cutOf(`http://${name}/list?z=1` as CanonicalUrl)).not.toBeNull();
  return { id, traps, see, began };
}

test("what an operator lifts is not written again by a visit that was under way", async () => {
  const { id, traps, see, began } = await shop("lifted.test");
  traps.update(await rulesOf(), began);
  await liftTraps(db, id);
  await see("a=99", "The same as ever.", 99, began + IN_A_WHILE);
  const [stored] = await readTraps(db, [id]);
  expect(stored!.patterns.filter(({ cutAt }) => cutAt !== null)).toEqual([]);
  expect(traps.update(await rulesOf(), began + IN_A_WHILE)).toBe(true);
  expect(traps.rules("lifted.test")).toBeNull();
});

test("a turn that begins knows what was lifted, before all hosts are looked at", async () => {
  const { id, traps, began } = await shop("turned.test");
  await liftTraps(db, id);
  const [stored] = await readTraps(db, [id]);
  expect(traps.open("turned.test", stored!, began + IN_A_WHILE).hasRules).toBe(false);
});

test("what there is no room to read of all hosts is not taken for lifted", async () => {
  const { id, traps, began } = await shop("beyond.test");
  await db.execute(sql`insert into host_patterns
      (host_id, pattern, pages, dry, barren, seen, cut_at, look_at, noted_at)
    select ${id}, '/made/' || n, 20, 12, 12, '', now(), now(), now() + interval '1 day'
    from generate_series(1, 20100) n`);
  const { rules, isWhole } = await readTrapRules(db);
  expect(isWhole).toBe(false);
  traps.update({ rules, isWhole }, began + IN_A_WHILE);
  const listed = "http://beyond.test/list?z=1" as CanonicalUrl;
  expect(traps.rules("beyond.test")?.cutOf(listed) ?? null).not.toBeNull();
});
