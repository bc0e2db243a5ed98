import { afterAll, describe, expect, test } from "bun:test";
import { claimContent, freeContent, ownerless } from "../../src/db/content.ts";
import {
  countDocuments,
  countDocumentsOfHost,
  documentMarksAfter,
  documentsAfter,
  readDocument,
  saveDocuments,
} from "../../src/db/documents.ts";
import { deleteDocuments } from "../../src/db/operate-urls.ts";
import { releaseTurns } from "../../src/db/settle-urls.ts";
import { packText } from "../../src/text/packed.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { admitPaths, claimAll, documentOf, indexed, keyOf, turnAt } from "./frontier.ts";

const database = await testDatabase({ max: 10 });
const { db } = database;
afterAll(() => database.close());

const own = (hash: string, urlId: number) =>
  claimContent(db, [{ hash, urlId }]).then((owners) => owners.get(hash));

describe("content", () => {
  test("of two pages with one text in flight, one stays", async () => {
    const ids = await admitPaths(db, "pair.test", ["/1", "/2"]);
    await claimAll(db, await turnAt(db, "pair.test"));
    const hash = keyOf("pair");
    const owners = await Promise.all(ids.map((id) => own(hash, id)));
    expect(new Set(owners).size).toBe(1);
    expect(ids).toContain(owners[0]!);
    expect(await own(hash, owners[0]!)).toBe(owners[0]!);
  });

  test("in one batch the lower id; many hashes in any order never deadlock", async () => {
    const ids = await admitPaths(db, "batch.test", ["/1", "/2", "/3", "/4"]);
    await claimAll(db, await turnAt(db, "batch.test"));
    const hashes = Array.from({ length: 50 }, (_, at) => keyOf(`batch ${at}`));
    const claims = ids.map((urlId) => hashes.map((hash) => ({ hash, urlId })));
    const answers = await Promise.all(
      claims.map((claim, at) => claimContent(db, at % 2 ? claim : claim.reverse())),
    );
    for (const hash of hashes) {
      expect(new Set(answers.map((owners) => owners.get(hash))).size).toBe(1);
    }
    const hash = keyOf("both");
    const [low, high] = [Math.min(...ids), Math.max(...ids)];
    const both = await claimContent(db, [
      { hash, urlId: high },
      { hash, urlId: low },
    ]);
    expect(both.get(hash)).toBe(low);
    expect(await claimContent(db, [])).toEqual(new Map());
  });

  test("an owner with a document, or being visited, keeps it; an idle one loses it", async () => {
    const [first, second] = await admitPaths(db, "idle.test", ["/1", "/2"]);
    const hash = keyOf("idle");
    const turn = await turnAt(db, "idle.test");
    await claimAll(db, turn);
    await own(hash, first!);
    expect(await own(hash, second!)).toBe(first!);
    await releaseTurns(db, [turn.token]);
    await saveDocuments(db, [documentOf(first!, { contentHash: hash })]);
    expect(await own(hash, second!)).toBe(first!);
    await deleteDocuments(db, [first!]);
    await own(hash, first!);
    expect(await own(hash, second!)).toBe(second!);
  });

  test("an owner that was settled with another text loses it", async () => {
    const [first, second] = await admitPaths(db, "other.test", ["/1", "/2"]);
    const [before, after] = [keyOf("claimed before its visit was lost"), keyOf("settled with")];
    await own(before, first!);
    await saveDocuments(db, [documentOf(first!, { contentHash: after })]);
    expect(await own(before, second!)).toBe(second!);
  });

  test("a duplicate whose owner has given the text up meanwhile is told apart", async () => {
    const [owner, copy, late] = await admitPaths(db, "late.test", ["/1", "/2", "/3"]);
    const [kept, gone] = [keyOf("kept"), keyOf("gone")];
    await own(kept, owner!);
    const claims = [
      { urlId: copy!, hash: kept, ownerId: owner! },
      { urlId: late!, hash: gone, ownerId: owner! },
    ];
    expect(await ownerless(db, claims)).toEqual([late!]);
    expect(await ownerless(db, [])).toEqual([]);
  });

  test("what a URL gives up is free for others, what it keeps is not", async () => {
    const [first, second] = await admitPaths(db, "free.test", ["/1", "/2"]);
    await claimAll(db, await turnAt(db, "free.test"));
    const [before, after] = [keyOf("before"), keyOf("after")];
    await own(before, first!);
    await own(after, first!);
    await freeContent(db, [{ urlId: first!, keep: after }]);
    expect(await own(before, second!)).toBe(second!);
    expect(await own(after, second!)).toBe(first!);
    await freeContent(db, [{ urlId: first! }]);
    expect(await own(after, second!)).toBe(second!);
  });
});

describe("documents", () => {
  test("every column comes back, and a second save takes the place of the first", async () => {
    const [id] = await admitPaths(db, "save.test", ["/"]);
    const full = documentOf(id!, {
      title: 'He said "\\n", {twice}, NULL',
      headings: "a\nb\tc",
      text: packText("é 😀 漢字 ' \\ \"".repeat(50)),
      contentHash: keyOf("text"),
      simhash: -(2n ** 63n),
      noarchive: true,
      noai: true,
      publishedAt: new Date("1999-12-31T23:59:59.999Z"),
    });
    await saveDocuments(db, [full]);
    expect(await readDocument(db, id!)).toEqual(full);
    const bare = documentOf(id!, { lang: null, simhash: 2n ** 63n - 1n });
    await saveDocuments(db, [bare]);
    expect(await readDocument(db, id!)).toEqual(bare);
    await saveDocuments(db, []);
    expect(await readDocument(db, 999_999)).toBeNull();
  });

  test("are walked in order of their ids, with URL and host", async () => {
    const ids = await admitPaths(db, "walk.test", ["/1", "/2", "/3"]);
    const sorted = [...ids].sort((a, b) => a - b);
    await indexed(db, ids);
    const walked: number[] = [];
    for (let after = sorted[0]! - 1; ; after = walked.at(-1)!) {
      const some = await documentsAfter(db, after, 2);
      if (some.length === 0) break;
      for (const row of some) {
        expect(row.host).toBe("walk.test");
        expect(row.url).toStartWith("http://walk.test/");
        walked.push(row.urlId);
      }
    }
    expect(walked).toEqual(sorted);
    const marks = await documentMarksAfter(db, sorted[0]! - 1, 10);
    expect(marks.map((mark) => mark.urlId)).toEqual(sorted);
    const { id } = await hostNamed(db, "walk.test");
    expect(await countDocumentsOfHost(db, id)).toBe(3);
    const all = await countDocuments(db);
    expect(await deleteDocuments(db, [ids[0]!, 999_999])).toMatchObject([{ urlId: ids[0]! }]);
    expect(await countDocuments(db)).toBe(all - 1);
  });
});
