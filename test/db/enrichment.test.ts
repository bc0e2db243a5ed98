import { afterAll, beforeEach, expect, test } from "bun:test";
import { documentsOf, saveDocuments } from "../../src/db/documents.ts";
import {
  awaitSummaries,
  countEnrichBacklog,
  dropSummaryWaits,
  dueSummaries,
  endSummaryWaits,
  endWaits,
  enrichmentDue,
  putOffSummary,
  saveSummary,
  waitingDocuments,
} from "../../src/db/enrichment.ts";
import { deleteDocuments } from "../../src/db/operate-urls.ts";
import { settleGroup } from "../../src/db/settle-group.ts";
import { testDatabase } from "../support/database.ts";
import { admitPaths, claimAll, documentOf, keyOf, settlement, turnAt } from "./frontier.ts";

const database = await testDatabase();
const { db, sql } = database;
afterAll(() => database.close());
beforeEach(async () => {
  await sql`truncate documents, enrich_waits, summary_waits, document_summaries`;
});

let hosts = 0;
async function admitted(count: number): Promise<number[]> {
  const paths = Array.from({ length: count }, (_, at) => `/${at}`);
  return (await admitPaths(db, `enrich-${++hosts}.test`, paths)).sort((a, b) => a - b);
}
const [ONE, TWO] = [keyOf("one"), keyOf("two")];
const waits = async () => (await waitingDocuments(db, 10)).map(({ urlId }) => urlId);
/** As if everything that waits had been enriched. */
const drained = async () => endWaits(db, await waitingDocuments(db, 10));

test("a document waits once it is there, and again with another text, but not with the same", async () => {
  const [id] = (await admitted(1)) as [number];
  const save = (more: object) => saveDocuments(db, [documentOf(id, more)]);
  await save({ contentHash: ONE });
  expect(await waits()).toEqual([id]);
  await drained();
  expect([await waits(), await countEnrichBacklog(db)]).toEqual([[], 0]);
  await save({ contentHash: ONE, title: "Another title" });
  expect(await waits()).toEqual([]);
  await save({ contentHash: TWO });
  expect(await waits()).toEqual([id]);
  await drained();
  await save({ contentHash: TWO, noai: true });
  expect(await waitingDocuments(db, 10)).toMatchObject([{ refuses: true, wantsSummary: false }]);
  await drained();
  await save({ contentHash: TWO });
  expect(await waitingDocuments(db, 10)).toMatchObject([{ refuses: false, wantsSummary: true }]);
});

test("the settle of a visit lets its document wait", async () => {
  const [id] = (await admitted(1)) as [number];
  const [url] = await claimAll(db, await turnAt(db, `enrich-${hosts}.test`));
  await settleGroup(db, [settlement(url!, { document: documentOf(id, { contentHash: ONE }) })]);
  expect(await waitingDocuments(db, 10)).toEqual([
    {
      urlId: id,
      contentHash: ONE,
      rankedHostId: null,
      refuses: false,
      summary: null,
      wantsSummary: true,
    },
  ]);
});

test("a wait for a text that changed meanwhile stays, and one in a settle's hands", async () => {
  const [first, second] = (await admitted(2)) as [number, number];
  await saveDocuments(
    db,
    [first, second].map((id) => documentOf(id, { contentHash: ONE })),
  );
  const read = await waitingDocuments(db, 10);
  await saveDocuments(db, [documentOf(first, { contentHash: TWO })]);
  await sql.begin(async (tx) => {
    await tx`select 1 from enrich_waits where url_id = ${second} for update`;
    await endWaits(db, read);
  });
  expect(await waits()).toEqual([first, second]);
  await endWaits(db, read);
  expect(await waits()).toEqual([first]);
});

test("a summary is of one text: with another the document has none", async () => {
  const [id] = (await admitted(1)) as [number];
  const save = (more: object) => saveDocuments(db, [documentOf(id, more)]);
  const summary = async () => (await documentsOf(db, [id])).map((row) => row.summary);
  await save({ contentHash: ONE });
  await saveSummary(db, { urlId: id, contentHash: ONE, summary: "In short." });
  await saveSummary(db, { urlId: id, contentHash: ONE, summary: "In short, again." });
  expect(await summary()).toEqual(["In short, again."]);
  expect(await waitingDocuments(db, 10)).toMatchObject([
    { summary: "In short, again.", wantsSummary: false },
  ]);
  await save({ contentHash: TWO });
  expect(await summary()).toEqual([null]);
  // What a slow model says of the text of before.
  await saveSummary(db, { urlId: id, contentHash: ONE, summary: "Late." });
  expect(await summary()).toEqual([null]);
  await save({ contentHash: ONE, noai: true });
  await saveSummary(db, { urlId: id, contentHash: ONE, summary: "Refused." });
  expect(await summary()).toEqual([null]);
});

test("summaries are due in turn, are put off, and end; of a page that refuses nothing is read", async () => {
  const ids = await admitted(3);
  const rows = ids.map((id, at) => documentOf(id, { contentHash: ONE, noai: at === 2 }));
  await saveDocuments(db, rows);
  await awaitSummaries(
    db,
    ids.map((urlId) => ({ urlId, contentHash: ONE })),
  );
  await drained();
  expect([await countEnrichBacklog(db), await enrichmentDue(db)]).toEqual([
    3,
    { waits: false, summaries: true },
  ]);
  const due = await dueSummaries(db, 10);
  expect(due.map(({ urlId, page }) => [urlId, page?.title ?? null])).toEqual([
    [ids[0]!, `Title ${ids[0]}`],
    [ids[1]!, `Title ${ids[1]}`],
    [ids[2]!, null],
  ]);
  await putOffSummary(db, { urlId: ids[0]!, contentHash: ONE, attempts: 1 }, 60_000);
  await endSummaryWaits(db, [due[1]!, { urlId: ids[2]!, contentHash: TWO }]);
  expect((await dueSummaries(db, 10)).map(({ urlId }) => urlId)).toEqual([ids[2]!]);
  expect(await dropSummaryWaits(db, 1)).toBe(1);
  expect(await dropSummaryWaits(db, 10)).toBe(1);
  expect(await countEnrichBacklog(db)).toBe(0);
});

test("with a document all of it goes", async () => {
  const [id] = (await admitted(1)) as [number];
  await saveDocuments(db, [documentOf(id, { contentHash: ONE })]);
  await saveSummary(db, { urlId: id, contentHash: ONE, summary: "In short." });
  await awaitSummaries(db, [{ urlId: id, contentHash: ONE }]);
  await deleteDocuments(db, [id]);
  expect(await countEnrichBacklog(db)).toBe(0);
  expect(await sql`select 1 from document_summaries`).toHaveLength(0);
});
