import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { SearchIndex } from "../../src/search/port.ts";
import { parseQuery } from "../../src/search/query.ts";
import { seeded } from "../bench/corpus.ts";
import type { Given } from "./documents.ts";
import { fillIndex } from "./filled-index.ts";

/** Puts the documents, closes the index at once, and opens it again. */
async function withIndex(
  documents: readonly Given[],
  use: (index: SearchIndex, dataDir: string) => Promise<void>,
): Promise<void> {
  const { index, dataDir, remove } = await fillIndex(documents);
  try {
    await use(index, dataDir);
  } finally {
    await remove();
  }
}

test("closing right after many documents loses no document frequency", async () => {
  const documents = Array.from({ length: 1_000 }, (_, id) => {
    const own = Array.from({ length: 200 }, (_, nth) => `z${id}x${nth * 7919}`).join(" ");
    return { id: id + 1, title: "zebra", text: own };
  });
  await withIndex(documents, async (index, dataDir) => {
    const { df } = await index.candidates(parseQuery("zebra"), { sort: "relevance", limit: 1 });
    expect(df.get("zebra")).toBe(1_000);
    const db = new Database(join(dataDir, "search.sqlite"), { readonly: true });
    const { count } = db
      .query<{ count: number }, []>(
        "select count(*) as count from vocabulary where term glob 'z*x*'",
      )
      .get()!;
    db.close();
    // A few share their hash.
    expect(count).toBeGreaterThan(199_900);
  });
}, 60_000);

test("the newest of a word that most have are those of all that have it", async () => {
  const random = seeded(5);
  const days = Array.from({ length: 20_000 }, () => Math.floor(random() * 2_000));
  // What was crawled last says nothing of it, as when another site has just been found.
  const latest = Array.from({ length: 3_000 }, (_, at) => 3_000 + Math.floor(at / 100));
  const has = (at: number) => at % 10 !== 0 && at < days.length;
  const documents = [...days, ...latest].map((day, at) => ({
    ...{ id: at + 1, text: has(at) ? "zebra one" : "one", publishedAt: new Date(day * 86_400_000) },
  }));
  const all = documents
    .filter((_, at) => has(at))
    .sort(
      (one, other) => other.publishedAt.getTime() - one.publishedAt.getTime() || one.id - other.id,
    );
  await withIndex(documents, async (index) => {
    const newest = async (query: string, limit: number) => {
      const set = await index.candidates(parseQuery(query), { sort: "date", limit });
      return set.candidates.map(({ id }) => id);
    };
    const ids = all.map(({ id }) => id);
    expect(await newest("zebra", 800)).toEqual(ids.slice(0, 800));
    expect(await newest("zebra", 100)).toEqual(ids.slice(0, 100));
    const before = all.filter(({ publishedAt }) => publishedAt.getTime() < 86_400_000 * 366);
    const some = before.map(({ id }) => id).slice(0, 50);
    expect(await newest("zebra before:1971-01-02", 50)).toEqual(some);
  });
}, 60_000);
