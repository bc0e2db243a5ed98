import { afterAll, describe, expect, test } from "bun:test";
import { ROOM_FOR_ALL } from "../../src/db/admission-room.ts";
import { admitUrls } from "../../src/db/admit-urls.ts";
import { readCounters } from "../../src/db/counters.ts";
import { countRefusals } from "../../src/db/host-refusals.ts";
import { reviveTrapped } from "../../src/db/host-urls.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { takePages } from "../../src/db/page-keys.ts";
import { readTrapRules } from "../../src/db/trap-rules.ts";
import {
  type LearnedPattern,
  liftTraps,
  readTraps,
  saveLearned,
  trapsOfHost,
} from "../../src/db/traps.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { admitPaths, candidate, keyOf } from "./frontier.ts";

const database = await testDatabase({ max: 3 });
const { db, sql } = database;
afterAll(() => database.close());

const learned = (hostId: number, pattern: string, more: Partial<LearnedPattern> = {}) => ({
  ...{ hostId, pattern, pages: 20, dry: 12, barren: 12, seen: new Uint8Array([1, 2, 250]) },
  ...{ cutAt: null, lookAt: null, isNew: true, ...more },
});

async function hostAt(name: string): Promise<number> {
  await admitPaths(db, name, ["/"]);
  return (await hostNamed(db, name)).id;
}

describe("what was learned of a host", () => {
  test("is read as it was written, the last of a pattern", async () => {
    const id = await hostAt("kept.test");
    const row = learned(id, "/shop?*", { cutAt: 1_700_000_000_123, lookAt: 1_800_000_000_000 });
    await saveLearned(db, [learned(id, "/shop?*", { dry: 1 }), row], []);
    const parameter = { name: "sid", same: 12, different: 0, neutralAt: 1_700_000_000_500 };
    await saveLearned(db, [], [{ hostId: id, ...parameter }]);
    const [none, stored] = await readTraps(db, [id + 10_000, id]);
    expect(none).toEqual({ patterns: [], parameters: [] });
    const { hostId: _, isNew: __, seen, ...facts } = row;
    expect(stored!.patterns).toEqual([{ ...facts, seen: expect.anything() }]);
    expect([...stored!.patterns[0]!.seen]).toEqual([...seen]);
    expect(stored!.parameters).toEqual([parameter]);
  });

  test("is bounded: the oldest patterns go, those that are cut last", async () => {
    const id = await hostAt("many.test");
    await saveLearned(db, [learned(id, "/cut", { cutAt: 1_000 })], []);
    for (let n = 0; n < 6; n++) {
      const rows = Array.from({ length: 20 }, (_, at) => learned(id, `/${n}/${at}`));
      await saveLearned(db, rows, []);
    }
    const [stored] = await readTraps(db, [id]);
    expect(stored!.patterns).toHaveLength(48);
    expect(stored!.patterns.map(({ pattern }) => pattern)).toContain("/cut");
  });

  test("is told to admission by host name, with what is open under a cut", async () => {
    const id = await hostAt("rules.test");
    const open = await hostAt("open.test");
    await saveLearned(
      db,
      [
        learned(id, "/shop?*", { cutAt: 1_000 }),
        learned(id, "/shop?color", { dry: 0 }),
        learned(id, "/else", { dry: 5 }),
        learned(open, "/shop?*"),
      ],
      [{ hostId: id, name: "sid", same: 12, different: 0, neutralAt: 1_000 }],
    );
    const { rules } = await readTrapRules(db);
    expect(rules.has("open.test")).toBe(false);
    const { patterns, neutral } = rules.get("rules.test")!;
    expect(patterns.map(({ pattern }) => pattern).sort()).toEqual(["/shop?*", "/shop?color"]);
    expect(neutral).toEqual(["sid"]);
  });

  test("is lifted: forgotten, told, and what was left alone is due", async () => {
    const paths = ["/a", "/b", "/c", "/d"];
    const ids = await admitPaths(db, "lifted.test", paths);
    const { id } = await hostNamed(db, "lifted.test");
    await saveLearned(db, [learned(id, "/x", { cutAt: 1_000 })], []);
    await sql`update urls set state = 'done', reason = 'pattern cut' where id = ${ids[0]!}`;
    await sql`update urls set state = 'done', reason = 'same page' where id = ${ids[1]!}`;
    await sql`update urls set state = 'done', reason = 'noindex' where id = ${ids[2]!}`;
    const before = (await readCounters(db)).get("traps") ?? 0;
    await liftTraps(db, id);
    expect((await readCounters(db)).get("traps")).toBe(before + 1);
    expect((await trapsOfHost(db, id)).patterns).toEqual([]);
    for (let last: number | null = 0; last !== null; ) last = await reviveTrapped(db, id, last, 2);
    const states = new Map((await readUrls(db, ids)).map((row) => [row.id, row.state]));
    expect(ids.map((each) => states.get(each)!)).toEqual(["pending", "pending", "done", "pending"]);
  });

  test("refusals are summed by reason; a host that is not known has none", async () => {
    const id = await hostAt("counted.test");
    const refusal = { host: "counted.test", reason: "trap", count: 2 };
    await countRefusals(db, [refusal, { ...refusal, reason: "same page", count: 1 }]);
    await countRefusals(db, [refusal, { ...refusal, host: "nobody.test" }]);
    expect((await trapsOfHost(db, id)).refusals).toEqual([
      { reason: "same page", value: 1 },
      { reason: "trap", value: 4 },
    ]);
  });
});

describe("a page that neutral parameters give many URLs", () => {
  test("is its first URL's until that is removed", async () => {
    const [first, second] = await admitPaths(db, "pages.test", ["/t?sid=1", "/t?sid=2"]);
    const { id: hostId } = await hostNamed(db, "pages.test");
    const page = { hostId, key: keyOf("http://pages.test/t") };
    const both = [first!, second!].map((urlId) => ({ ...page, urlId }));
    expect(await takePages(db, both)).toEqual(new Set([first!]));
    expect(await takePages(db, [both[1]!])).toEqual(new Set());
    expect(await takePages(db, [both[0]!])).toEqual(new Set([first!]));
    await sql`delete from urls where id = ${first!}`;
    expect(await takePages(db, [both[1]!])).toEqual(new Set([second!]));
  });

  test("is another's when its very URL is known", async () => {
    const [bare, one] = await admitPaths(db, "bare.test", ["/t", "/t?sid=1"]);
    const { id: hostId } = await hostNamed(db, "bare.test");
    const key = keyOf("http://bare.test/t");
    expect(await takePages(db, [{ hostId, key, urlId: one! }])).toEqual(new Set());
    expect(await takePages(db, [{ hostId, key, urlId: bare! }])).toEqual(new Set([bare!]));
  });

  test("is admitted once; the law of conservation holds", async () => {
    const pageKey = keyOf("http://once.test/t");
    const rows = [1, 2, 3].map((sid) => candidate(`http://once.test/t?sid=${sid}`, { pageKey }));
    const sum = async () => {
      const counters = await readCounters(db);
      const [{ n }] = (await sql`select count(*)::int as n from urls`) as unknown as [
        { n: number },
      ];
      return (counters.get("accepted") ?? 0) - (counters.get("removed") ?? 0) - n;
    };
    const before = await sum();
    const first = await admitUrls(db, rows, [], ROOM_FOR_ALL);
    expect(first.map(({ kind }) => kind).sort()).toEqual(["admitted", "refused", "refused"]);
    expect(first.find(({ kind }) => kind === "refused")).toMatchObject({ reason: "same page" });
    const again = await admitUrls(db, rows, [], ROOM_FOR_ALL);
    expect(again.map(({ kind }) => kind).sort()).toEqual(["known", "refused", "refused"]);
    expect((await hostNamed(db, "once.test")).urlCount).toBe(1);
    expect(await sum()).toBe(before);
  });
});
