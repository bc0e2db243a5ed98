import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { editsBetween } from "../../src/search/edits.ts";
import type { PutOptions } from "../../src/search/port.ts";
import { BestRows } from "../../src/search/sqlite/best.ts";
import { packChanges, unpackChanges } from "../../src/search/sqlite/cargo.ts";
import { DfTable, KNOWN_STEM, KNOWN_WORD } from "../../src/search/sqlite/df-table.ts";
import { impactAt, impactOf, LEVEL_MAX } from "../../src/search/sqlite/impact.ts";
import { readImpacts } from "../../src/search/sqlite/impacts.ts";
import { isId, openForReading, rowOf, tierOf, tierOfRow } from "../../src/search/sqlite/tables.ts";
import { tokensOf } from "../../src/search/sqlite/tokens.ts";
import { type Change, IndexWriter } from "../../src/search/sqlite/writer.ts";
import { ForwardData } from "../../src/text/forward-data.ts";
import { hashText } from "../../src/text/hash.ts";
import { analysisOf, documentOf } from "./documents.ts";

const idsOf = (db: Database, rows: Iterable<number>): number[] =>
  [...rows].map((row) => db.query<{ id: number }, [number]>(ID_OF_ROW).get(row)!.id);
const ID_OF_ROW = "select id from pages where row = ?";

test("rows of a better tier come first", () => {
  expect(rowOf(5, 0)).toBeLessThan(rowOf(1, 1));
  for (const tier of [0, 3]) {
    expect(tierOfRow(rowOf(123_456_789_012, tier))).toBe(tier);
    expect(Number.isSafeInteger(rowOf(123_456_789_012, tier) * 32)).toBe(true);
  }
  expect([1.3, 1, 0.7, 0.5].map(tierOf)).toEqual([0, 1, 2, 3]);
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY])("%d is no id", (id) => {
  expect(isId(id)).toBe(false);
});

test("tokens say host, parents, language, title and what a document is about", () => {
  const given = { title: "aa", text: "aa bb bb bb cc", host: "w.b-c.de", lang: null };
  const document = documentOf({ id: 1, url: "https://w.b-c.de/", ...given });
  const analysis = analysisOf(document);
  const forward = ForwardData.read(analysis.forward)!;
  const [any, ...tokens] = tokensOf({ ...document, lang: "fr", analysis }, forward, 1).split(" ");
  expect(any).toBe("_a");
  expect(new Set(tokens)).toEqual(
    new Set([
      ...["aa", "bb", "cc", "_taa", "_iaa_m", "_ibb_u", "_lfr", "_ow_2e_b_2d_c_2e_de"],
      ...["_hw_2e_b_2d_c_2e_de", "_hb_2d_c_2e_de", "_hde", "w", "b", "c", "de"],
      ...["_iw_u", "_ib_u", "_ic_u", "_ide_u"],
    ]),
  );
});

test("the level of an impact grows with the fields that have a word, and ends", () => {
  const levelOf = (given: { title?: string; headings?: string; text?: string }, quality = 1) => {
    const forward = ForwardData.read(analysisOf(documentOf({ id: 1, ...given })).forward)!;
    return impactOf(forward, quality).levelOf(forward.find(hashText("zebra")));
  };
  const inBody = levelOf({ text: "zebra" });
  const inTitle = levelOf({ title: "zebra" });
  const inBoth = levelOf({ title: "zebra", text: "zebra" });
  expect([inBody, inTitle < inBoth, levelOf({ text: "other" })]).toEqual([-1, true, -1]);
  expect(levelOf({ title: "zebra", text: "zebra" }, 0.5)).toBeLessThan(inBoth);
  const zebras = "zebra ".repeat(90);
  const all = levelOf({ title: zebras, headings: zebras, text: zebras }, 99);
  expect(all).toBe(LEVEL_MAX);
  expect(impactAt(LEVEL_MAX)).toBeGreaterThan(impactAt(0));
});

test("rows that are about a word are read by level, the highest first, each row once", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-impacts-"));
  const path = join(dataDir, "search.sqlite");
  const writer = new IndexWriter({ path, pagesMax: null }, () => 10);
  const given = [
    { id: 1, title: "zebra" },
    { id: 2, title: "zebra zebras", text: "zebra zebra" },
    { id: 3, text: "zebra" },
    { id: 4, title: "zebra", text: "zebra" },
  ];
  const changes: Change[] = given.map((own) => ({ kind: "put", document: documentOf(own) }));
  changes.push({ kind: "remove", ids: [4] });
  writer.apply(changes, { deadlineAt: 0, giveUpAt: 11 });
  writer.close();
  const db = openForReading(path, 0);
  const all = readImpacts(db, ["zebra", "zebras"], 99);
  const first = readImpacts(db, ["zebra"], 1);
  expect(idsOf(db, all.rows)).toEqual([1, 2]);
  expect(all.impacts[0]!).toBeLessThan(all.impacts[1]!);
  expect(idsOf(db, first.rows)).toEqual([2]);
  db.close();
  rmSync(dataDir, { recursive: true });
});

test("documents get their bytes back from the cargo of a batch", () => {
  const documents = ["first text", "", "third"].map((text, at) => documentOf({ id: at + 1, text }));
  const changes = documents.map((document) => ({ kind: "put", document, isTruth: false }) as const);
  const batch: Change[] = [changes[0]!, { kind: "remove", ids: [9] }, changes[1]!, changes[2]!];
  const before = structuredClone(batch);
  const cargo = structuredClone(packChanges(batch));
  expect(batch).toEqual(before);
  expect(unpackChanges(cargo)).toEqual(before);
});

test("the heaviest rows come first, of equal ones the lower", () => {
  const best = new BestRows();
  best.add(Float64Array.of(1, 5, 7, 9), 1);
  best.add(Float64Array.of(9), 1);
  best.raise({ rows: Float64Array.of(0, 7, 1_000), impacts: Float64Array.of(9, 2, 9) }, 0.5);
  expect(best.size).toBe(4);
  expect(best.top(3)).toEqual([9, 7, 1]);
  expect(best.top(99)).toEqual([9, 7, 1, 5]);
  expect(new BestRows().top(3)).toEqual([]);
});

test("top is what sorting gives", () => {
  const list = fc.tuple(fc.uniqueArray(fc.nat(50)), fc.constantFrom(0, 1, 2));
  fc.assert(
    fc.property(fc.array(list), fc.nat(20), (lists, count) => {
      const best = new BestRows();
      const weights = new Map<number, number>();
      for (const [rows, weight] of lists) {
        best.add(Float64Array.from(rows).sort(), weight);
        for (const row of rows) weights.set(row, (weights.get(row) ?? 0) + weight);
      }
      const sorted = [...weights].sort((one, other) => other[1] - one[1] || one[0] - other[0]);
      expect(best.top(count)).toEqual(sorted.slice(0, count).map(([own]) => own));
    }),
  );
});

test("df changes add up, leave in order of hash, and keep what is known", () => {
  const table = new DfTable();
  expect(table.add(7, 1) & KNOWN_WORD).toBe(0);
  table.add(9, 1);
  table.add(7, 1);
  table.know(7, KNOWN_WORD);
  expect(table.next(1)).toEqual([[7, 2]]);
  expect(table.next(1)).toEqual([[7, 2]]);
  table.settle(1);
  expect(table.pending).toBe(1);
  expect(table.add(7, -1) & (KNOWN_WORD | KNOWN_STEM)).toBe(KNOWN_WORD);
  table.add(9, 1);
  expect(table.next(9)).toEqual([[9, 2]]);
  table.settle(9);
  expect(table.next(9)).toEqual([[7, -1]]);
  table.settle(9);
  expect([table.pending, table.next(9)]).toEqual([0, []]);
});

test("a million terms are counted right; beyond memory nothing breaks", () => {
  const table = new DfTable();
  for (let hash = 0; hash < 1_000_000; hash++) table.add((hash * 2_654_435_761) >>> 0, 1);
  expect(table.pending).toBe(1_000_000);
  expect(table.next(1_000_000).every(([, change]) => change === 1)).toBe(true);
  table.settle(999_999);
  for (let hash = 0; hash < 3_000_000; hash++) table.add((hash * 2_246_822_519) >>> 0, 1);
  expect(table.pending).toBeGreaterThan(0);
  expect(table.pending).toBeLessThan(2 ** 21);
});

test.each([
  ["word", "word", 0, true],
  ["word", "ward", 1, true],
  ["word", "wrod", 1, true],
  ["word", "words", 1, true],
  ["word", "wa", 1, false],
  ["word", "wodr", 1, true],
  ["algorithm", "algoritm", 1, true],
  ["algorithm", "logarithm", 2, false],
  ["", "a", 1, true],
])("%s and %s within %d: %p", (one, other, edits, expected) => {
  expect(editsBetween(one, other, edits) !== null).toBe(expected);
  expect(editsBetween(other, one, edits) !== null).toBe(expected);
});

test("what nobody waits for any more is not written after all", () => {
  const folder = mkdtempSync(join(tmpdir(), "trawl-writer-"));
  const writer = new IndexWriter({ path: join(folder, "search.sqlite"), pagesMax: null }, () => 10);
  const change = { kind: "put", document: documentOf({ id: 1 }), isTruth: false } as const;
  const apply = (giveUpAt: number) => writer.apply([change], { deadlineAt: 0, giveUpAt })[0]!.kind;
  expect([apply(10), apply(11)]).toEqual(["unavailable", "stored"]);
  writer.close();
  rmSync(folder, { recursive: true });
});

test("a rebuild writes tokens anew that an older program wrote; a put of the same page does not", () => {
  const folder = mkdtempSync(join(tmpdir(), "trawl-writer-"));
  const path = join(folder, "search.sqlite");
  const writer = new IndexWriter({ path, pagesMax: null }, () => 10);
  const document = documentOf({ id: 1, text: "mandolin" });
  const put = (options: PutOptions) =>
    writer.apply([{ kind: "put", document, ...options }], { deadlineAt: 0, giveUpAt: 11 })[0]!.kind;
  const db = new Database(path, { create: true, strict: true });
  const found = () => db.query("select rowid from terms where terms match 'mandolin'").all().length;
  expect([put({}), found()]).toEqual(["stored", 1]);
  db.run("delete from terms");
  expect([put({}), found()]).toEqual(["stored", 0]);
  expect([put({ rebuilds: true }), found()]).toEqual(["stored", 1]);
  db.close();
  writer.close();
  rmSync(folder, { recursive: true });
});

/** Segments of its full-text index: the high bits of a leaf's id name its segment. */
const SEGMENTS = "select count(distinct id >> 37) as n from terms_data where id > 10";

test("a batch is one segment of the full-text index, in whatever order its documents come", () => {
  const folder = mkdtempSync(join(tmpdir(), "trawl-writer-"));
  const path = join(folder, "search.sqlite");
  const writer = new IndexWriter({ path, pagesMax: null }, () => 10);
  const puts = [9, 3, 7, 1, 8, 2].map(
    (id): Change => ({ kind: "put", document: documentOf({ id, text: `word${id}` }) }),
  );
  const apply = (changes: Change[]) =>
    writer.apply(changes, { deadlineAt: 0, giveUpAt: 11 }).map(({ kind }) => kind);
  expect(apply(puts).filter((kind) => kind !== "stored")).toEqual([]);
  const db = new Database(path, { strict: true });
  expect(db.query<{ n: number }, []>(SEGMENTS).get()!.n).toBe(1);
  const put = (text: string): Change => ({ kind: "put", document: documentOf({ id: 3, text }) });
  const changes: Change[] = [put("once"), { kind: "remove", ids: [8, 3, 5] }, put("later")];
  expect(apply(changes)).toEqual(["stored", "stored", "stored"]);
  const found = (word: string) => {
    const rows = db.query("select rowid from terms where terms match ?").values(word);
    return idsOf(db, rows.flat().map(Number));
  };
  expect(["word3", "once", "later", "word8", "word1"].map(found)).toEqual([[], [], [3], [], [1]]);
  db.close();
  writer.close();
  rmSync(folder, { recursive: true });
});
