import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseQuery } from "../../src/search/query.ts";
import { findCandidates } from "../../src/search/sqlite/load.ts";
import { openForReading } from "../../src/search/sqlite/tables.ts";
import { type Change, IndexWriter } from "../../src/search/sqlite/writer.ts";
import { documentOf } from "./documents.ts";

test("facets are counted over a thousand matches, languages and hosts apart", () => {
  const folder = mkdtempSync(join(tmpdir(), "trawl-facets-"));
  const path = join(folder, "search.sqlite");
  const writer = new IndexWriter({ path, pagesMax: null }, () => 10);
  const changes = Array.from({ length: 1_200 }, (_, at): Change => {
    const [host, lang] = [`h${at % 3}.example`, at % 4 === 0 ? null : "en"];
    const document = documentOf({ id: at + 1, url: `https://${host}/${at}`, text: "zebra" });
    return { kind: "put", document: { ...document, host, lang } };
  });
  writer.apply(changes, { deadlineAt: 0, giveUpAt: 11 });
  writer.close();
  const db = openForReading(path, 0);
  for (const sort of ["relevance", "date"] as const) {
    const set = findCandidates(db, parseQuery("zebra"), { sort, limit: 10 });
    expect(set.total).toBe(1_200);
    expect(set.facets.host.map(([, count]) => count)).toEqual([334, 333, 333]);
    expect(set.facets.lang).toEqual([["en", 750]]);
    expect(set.facets.year.reduce((sum, [, count]) => sum + count, 0)).toBe(1_000);
  }
  db.close();
  rmSync(folder, { recursive: true });
});
