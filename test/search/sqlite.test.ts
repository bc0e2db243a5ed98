import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../src/log.ts";
import { IndexUnavailable, type SearchIndex } from "../../src/search/port.ts";
import { parseQuery } from "../../src/search/query.ts";
import { openSqliteIndex } from "../../src/search/sqlite/open.ts";
import { until } from "../support/until.ts";
import { indexConformance } from "./conformance.ts";
import { documentOf } from "./documents.ts";

const folders: string[] = [];
const opened: SearchIndex[] = [];
const processes: Bun.Subprocess[] = [];

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "trawl-index-"));
  folders.push(path);
  return path;
}

async function openIn(dataDir: string, pagesMax?: number): Promise<SearchIndex> {
  const options = { dataDir, log: silentLog };
  const index = await openSqliteIndex(pagesMax === undefined ? options : { ...options, pagesMax });
  opened.push(index);
  return index;
}

afterEach(async () => {
  for (const process of processes.splice(0)) {
    process.kill("SIGKILL");
    await process.exited;
  }
  await Promise.all(opened.splice(0).map((index) => index.close()));
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});

indexConformance("embedded", async () => {
  const path = mkdtempSync(join(tmpdir(), "trawl-index-"));
  const index = await openSqliteIndex({ dataDir: path, log: silentLog });
  const close = index.close.bind(index);
  index.close = async () => {
    await close();
    rmSync(path, { recursive: true, force: true });
  };
  return index;
});

const count = (query: string, index: SearchIndex) =>
  index
    .candidates(parseQuery(query), { sort: "relevance", limit: 100 })
    .then((set) => set.candidates.length);

/** Runs test/search/writer-process.ts, which writes documents and says so. */
function writerProcess(dataDir: string, from: number, amount: number) {
  const script = join(import.meta.dir, "writer-process.ts");
  const command = [process.execPath, script, dataDir, String(from), String(amount)];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
  processes.push(child);
  const stored: number[] = [];
  const reading = (async () => {
    let rest = "";
    for await (const chunk of child.stdout) {
      const lines = (rest + new TextDecoder().decode(chunk)).split("\n");
      rest = lines.pop()!;
      stored.push(...lines.map(Number));
    }
  })();
  return { child, stored, reading };
}

/** Holds the write lock of the file as another process would. */
function lock(dataDir: string): { release(): void } {
  const db = new Database(join(dataDir, "search.sqlite"));
  db.run("begin immediate");
  return {
    release: () => {
      db.run("rollback");
      db.close();
    },
  };
}

test("a document waits for the lock of another process, and readers do not", async () => {
  const dataDir = folder();
  const index = await openIn(dataDir);
  await index.put(documentOf({ id: 1, text: "before" }));
  const other = lock(dataDir);
  const put = index.put(documentOf({ id: 2, text: "during" }));
  const began = performance.now();
  expect(await count("before", index)).toBe(1);
  expect(performance.now() - began).toBeLessThan(1_500);
  expect(["refused", "slow"]).toContain(await index.health());
  other.release();
  expect(await put).toEqual({ kind: "stored" });
  await until(async () => (await index.health()) === "up", { what: "a healthy index" });
});

test("after five seconds of it a document is told, and none is lost when it passes", async () => {
  const dataDir = folder();
  const index = await openIn(dataDir);
  const other = lock(dataDir);
  const began = performance.now();
  const puts = [1, 2, 3].map((id) => index.put(documentOf({ id, text: "word" })));
  const results = await Promise.all(puts);
  const tookMs = performance.now() - began;
  expect(results.map(({ kind }) => kind)).toEqual(["unavailable", "unavailable", "unavailable"]);
  expect(tookMs).toBeGreaterThan(4_000);
  expect(tookMs).toBeLessThan(12_000);
  expect(await index.health()).toBe("refused");
  other.release();
  expect(await index.put(documentOf({ id: 4, text: "word" }))).toEqual({ kind: "stored" });
  expect(await index.health()).toBe("up");
}, 30_000);

test("without room documents are told, the index stays readable, and heals with room", async () => {
  const dataDir = folder();
  const small = await openIn(dataDir, 60);
  const text = Array.from({ length: 2_000 }, (_, at) => `w${at}`).join(" ");
  const puts = Array.from({ length: 40 }, (_, at) => small.put(documentOf({ id: at + 1, text })));
  const kinds = (await Promise.all(puts)).map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(["unavailable"]));
  expect(await small.count()).toBe(0);
  expect(await small.put(documentOf({ id: 1, text: "little" }))).toEqual({ kind: "stored" });
  expect(await count("little", small)).toBe(1);
  await small.close();
  const index = await openIn(dataDir);
  expect(await index.put(documentOf({ id: 2, text }))).toEqual({ kind: "stored" });
});

test("an index that cannot be opened is down, and heals", async () => {
  const dataDir = folder();
  const path = join(dataDir, "search.sqlite");
  await Bun.write(
    path,
    "this is no database, and long enough to be told from an empty one".repeat(99),
  );
  const index = await openIn(dataDir);
  expect(await index.health()).toBe("down");
  expect((await index.put(documentOf({ id: 1, text: "word" }))).kind).toBe("unavailable");
  expect(index.count()).rejects.toBeInstanceOf(IndexUnavailable);
  rmSync(path);
  expect(await index.put(documentOf({ id: 1, text: "word" }))).toEqual({ kind: "stored" });
  expect(await index.count()).toBe(1);
});

test("what a process killed at any moment said was stored is there, the file sound", async () => {
  const dataDir = folder();
  for (let round = 0; round < 3; round++) {
    const { child, stored, reading } = writerProcess(dataDir, round * 10_000, 10_000);
    await until(() => stored.length > 30 * (round + 1), { timeoutMs: 30_000, what: "documents" });
    child.kill("SIGKILL");
    await child.exited;
    await reading;
    const index = await openIn(dataDir);
    for (const id of stored) expect(await count(`number${id}x`, index)).toBe(1);
    const ids = (await index.ids(0, 100_000)).map((row) => row.id);
    expect(await index.count()).toBe(ids.length);
    expect(await index.put(documentOf({ id: 500_000 + round, text: "after" }))).toEqual({
      kind: "stored",
    });
    await index.close();
    const db = new Database(join(dataDir, "search.sqlite"));
    expect(db.query("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(db.query("select count(*) as n from terms").get()).toEqual({ n: ids.length + 1 });
    db.close();
  }
}, 120_000);

test("two processes write the same file, and their df adds up", async () => {
  const dataDir = folder();
  const index = await openIn(dataDir);
  const { child, stored } = writerProcess(dataDir, 1_000, 40);
  for (let id = 1; id <= 40; id++) {
    expect(await index.put(documentOf({ id, text: "shared" }))).toEqual({ kind: "stored" });
  }
  await until(() => stored.length === 40, { timeoutMs: 30_000, what: "the other's documents" });
  child.kill("SIGTERM");
  await child.exited;
  await index.close();
  const again = await openIn(dataDir);
  expect(await again.count()).toBe(80);
  expect(await again.words("share", 3)).toEqual([{ word: "shared", df: 80 }]);
}, 60_000);

test("df follows what is replaced and removed; words come as people spell them", async () => {
  const dataDir = folder();
  const index = await openIn(dataDir);
  await index.put(documentOf({ id: 1, lang: "fr", text: "école publique" }));
  await index.put(documentOf({ id: 2, lang: "fr", text: "école privée" }));
  await index.put(documentOf({ id: 3, lang: "fr", text: "écologie ecole" }));
  await index.put(documentOf({ id: 2, lang: "fr", text: "collège" }));
  await index.remove([1]);
  await index.close();
  const again = await openIn(dataDir);
  expect(await again.words("éco", 5)).toEqual([
    { word: "école", df: 1 },
    { word: "écologie", df: 1 },
  ]);
  expect(await again.words("coll", 5)).toEqual([{ word: "collège", df: 1 }]);
  expect(await again.words("publi", 5)).toEqual([]);
  expect(await again.similar("ecoel", 5)).toEqual([{ word: "école", df: 1 }]);
  const set = await again.candidates(parseQuery("école"), { sort: "relevance", limit: 5 });
  expect(set.df.get("ecole")).toBe(1);
});

test("words show up in suggestions within seconds, without closing", async () => {
  const index = await openIn(folder());
  await index.put(documentOf({ id: 1, text: "suggestible" }));
  const words = () => index.words("suggest", 3);
  await until(async () => (await words()).length === 1, { timeoutMs: 20_000, what: "the word" });
}, 30_000);
