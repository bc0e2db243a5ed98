import { afterAll, describe, expect, test } from "bun:test";
import { listAudit, recordAudit } from "../../src/db/audit.ts";
import { addBlock, listBlocks, removeBlock } from "../../src/db/blocks.ts";
import {
  decideSubmission,
  listSubmissions,
  readSubmission,
  saveSubmission,
} from "../../src/db/submissions.ts";
import { testDatabase } from "../support/database.ts";

const database = await testDatabase();
const { db, sql } = database;
afterAll(() => database.close());

const key = (n: number) => `00000000-0000-0000-0000-${`${n}`.padStart(12, "0")}`;
const submission = (n: number) => ({
  url: `https://site-${n}.example/`,
  key: key(n),
  reason: "not among the sites crawled here",
});

describe("submissions", () => {
  test("the same URL waits once, and a refusal stands", async () => {
    expect(await saveSubmission(db, submission(1))).toEqual({ kind: "saved" });
    expect(await saveSubmission(db, submission(1))).toEqual({ kind: "known", state: "review" });
    const { rows, total } = await listSubmissions(db, { state: "review", page: 1, perPage: 10 });
    expect([rows.length, total]).toEqual([1, 1]);
    const { id } = rows[0]!;
    const by = { by: "admin", at: new Date("2030-01-01T00:00:00Z") };
    expect(await decideSubmission(db, id, { state: "refused", ...by })).toMatchObject({
      state: "refused",
      decidedBy: "admin",
      decidedAt: by.at,
    });
    expect(await decideSubmission(db, id, { state: "accepted", ...by })).toBeNull();
    expect(await saveSubmission(db, submission(1))).toEqual({ kind: "known", state: "refused" });
    expect((await readSubmission(db, id))!.state).toBe("refused");
    expect(await readSubmission(db, id + 1_000)).toBeNull();
  });

  test("an accepted one that is out of scope again waits again", async () => {
    await saveSubmission(db, submission(2));
    const { rows } = await listSubmissions(db, { state: "review", page: 1, perPage: 10 });
    const at = new Date();
    await decideSubmission(db, rows[0]!.id, { state: "accepted", by: "admin", at });
    expect(await saveSubmission(db, submission(2))).toEqual({ kind: "saved" });
    expect(await readSubmission(db, rows[0]!.id)).toMatchObject({
      state: "review",
      decidedBy: null,
      decidedAt: null,
    });
  });

  test("named by many at once, it is one row", async () => {
    await Promise.all(Array.from({ length: 8 }, () => saveSubmission(db, submission(3))));
    const [row] = await sql`select count(*)::int as n from submissions where key = ${key(3)}`;
    expect(row?.n).toBe(1);
  });

  test("pages go on after the last row seen, newest first", async () => {
    for (let n = 10; n < 15; n++) await saveSubmission(db, submission(n));
    const first = await listSubmissions(db, { state: "review", perPage: 2 });
    expect(first.rows.map((row) => row.key)).toEqual([key(14), key(13)]);
    await saveSubmission(db, submission(15));
    const second = await listSubmissions(db, { state: "review", perPage: 2, after: first.next });
    expect(second.rows.map((row) => row.key)).toEqual([key(12), key(11)]);
    const byNumber = await listSubmissions(db, { state: "review", perPage: 2, page: 2 });
    expect(byNumber.rows.map((row) => row.key)).toEqual([key(13), key(12)]);
  });

  test("strangers cannot fill the table", async () => {
    await sql`insert into submissions (url, key, state)
      select 'https://flood.example/' || n, gen_random_uuid(), 'review'
      from generate_series(1, 10000) n`;
    expect(await saveSubmission(db, submission(99))).toEqual({ kind: "full" });
    await sql`delete from submissions where url like 'https://flood%'`;
    expect(await saveSubmission(db, submission(99))).toEqual({ kind: "saved" });
  });
});

describe("audit", () => {
  test("newest first, by actor and action, and in pages", async () => {
    await recordAudit(db, { actor: "ann", action: "host.paused", subject: "a.example" });
    await recordAudit(db, { actor: "bob", action: "host.paused", subject: "b.example" });
    const detail = { delayMs: 5_000, note: 'a "quoted" \u{1f600} word' };
    await recordAudit(db, { actor: "ann", action: "host.delay", subject: "c.example", detail });
    const all = { actor: null, action: null };
    const everything = await listAudit(db, { ...all, page: 1, perPage: 10 });
    expect(everything.rows.map((row) => row.subject)).toEqual([
      "c.example",
      "b.example",
      "a.example",
    ]);
    expect(everything.rows[0]!.detail).toEqual(detail);
    const ann = await listAudit(db, { actor: "ann", action: "host.paused", perPage: 10 });
    expect(ann.rows.map((row) => row.subject)).toEqual(["a.example"]);
    const first = await listAudit(db, { ...all, perPage: 2 });
    expect(first.hasMore).toBe(true);
    const rest = await listAudit(db, { ...all, perPage: 2, after: first.next });
    expect(rest.rows.map((row) => row.subject)).toEqual(["a.example"]);
    expect(rest.next).toBeNull();
  });

  test("in a transaction that fails it leaves no trace", async () => {
    const failing = db.transaction(async (tx) => {
      await recordAudit(tx, { actor: "eve", action: "host.paused", subject: "x" });
      throw new Error("undone");
    });
    expect(failing).rejects.toThrow("undone");
    await failing.catch(() => {});
    expect((await listAudit(db, { actor: "eve", action: null, perPage: 10 })).rows).toEqual([]);
  });
});

test("blocks: named again the later reason stands, and each goes once", async () => {
  await addBlock(db, { name: "bad.example", kind: "domain", reason: "spam" });
  await addBlock(db, { name: "bad.example", kind: "domain", reason: "asked to" });
  await addBlock(db, { name: "a.example", kind: "host", reason: null });
  expect((await listBlocks(db)).map(({ name, reason }) => [name, reason])).toEqual([
    ["a.example", null],
    ["bad.example", "asked to"],
  ]);
  expect(await removeBlock(db, "bad.example")).toEqual({ kind: "unblocked", hostIds: [] });
  expect(await removeBlock(db, "bad.example")).toEqual({ kind: "not blocked" });
});
