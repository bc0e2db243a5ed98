import type { Database } from "bun:sqlite";
import type { Enrichment } from "../port.ts";

/** A few sentences; what is longer was made by no model of ours. */
const SUMMARY_MAX = 1_000;

/** Called within a transaction. A summary of a text that is not there is not kept. */
export function writeSummaries(db: Database, updates: readonly Enrichment[]): void {
  const write = db.query(
    `insert or replace into summaries (id, content_hash, summary)
     select id, content_hash, ? from ids where id = ? and content_hash = ?`,
  );
  for (const { id, contentHash, summary } of updates) {
    if (summary === null) removeSummary(db, id);
    else write.run(clean(summary), id, contentHash);
  }
}

export function removeSummary(db: Database, id: number): void {
  db.query("delete from summaries where id = ?").run(id);
}

export function readSummaries(db: Database, ids: readonly number[]): [number, string][] {
  const statement = db.query<{ id: number; summary: string }, [string]>(
    `select i.id, summary from json_each(?) as own
     cross join summaries s on s.id = own.value
     cross join ids i on i.id = s.id and i.content_hash = s.content_hash`,
  );
  return statement.all(JSON.stringify(ids)).map(({ id, summary }) => [id, summary]);
}

const clean = (text: string): string =>
  text.slice(0, SUMMARY_MAX).replaceAll("\0", " ").toWellFormed();
