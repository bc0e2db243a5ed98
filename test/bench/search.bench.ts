import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../src/log.ts";
import { openIndex } from "../../src/search/open.ts";
import type { SearchIndex } from "../../src/search/port.ts";
import { search } from "../../src/search/search.ts";
import { corpusOf, seeded, wordOf } from "./corpus.ts";

/*
 * bun test/bench/search.bench.ts [documents 20000] [words 400] [searches 400]
 *
 * Fills an embedded index, then writes and searches at once; prints one JSON object. Times are in
 * milliseconds, as the caller sees them, snippets included.
 */
const [documents = 20_000, words = 400, searches = 400] = process.argv.slice(2).map(Number);
const PARALLEL_PUTS = 1_000;
const WRITES_PER_S = 100;

const dataDir = mkdtempSync(join(tmpdir(), "trawl-bench-"));
const index = await openIndex({ dataDir, log: silentLog });
try {
  const make = corpusOf(words);
  const fill = await fillIndex(index, make);
  const batch = await writeBatch(index, make);
  const latency = await searchWhileWriting(index, make);
  const file = statSync(join(dataDir, "search.sqlite"));
  console.log(
    JSON.stringify(
      {
        documents,
        words,
        fill,
        batch,
        ...latency,
        bytesPerDocument: Math.round(file.size / documents),
        rssMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
      },
      null,
      2,
    ),
  );
} finally {
  await index.close();
  rmSync(dataDir, { recursive: true, force: true });
}

type Make = ReturnType<typeof corpusOf>;

/** Making the documents is part of it: they come from the same process. */
async function fillIndex(index: SearchIndex, make: Make) {
  const began = performance.now();
  const cpu = process.cpuUsage();
  let running: Promise<unknown>[] = [];
  for (let id = 1; id <= documents; id++) {
    running.push(index.put(make(id)));
    if (running.length < PARALLEL_PUTS && id < documents) {
      // Let the answers of the writer in.
      if (id % 50 === 0) await Bun.sleep(0);
      continue;
    }
    await Promise.all(running);
    running = [];
  }
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    documentsPerS: Math.round(documents / seconds),
    cpuUsPerDocument: Math.round((user + system) / documents),
  };
}

/** The writer alone: the documents are made before. */
async function writeBatch(index: SearchIndex, make: Make) {
  const count = 2_000;
  const made = Array.from({ length: count }, (_, at) => make(documents + at + 1));
  const cpu = process.cpuUsage();
  const began = performance.now();
  await Promise.all(made.map((document) => index.put(document)));
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    documentsPerS: Math.round(count / seconds),
    cpuUsPerDocument: Math.round((user + system) / count),
  };
}

async function searchWhileWriting(index: SearchIndex, make: Make) {
  const putMs: number[] = [];
  const state = { isOver: false };
  const writing = (async () => {
    for (let id = documents + 2_001; !state.isOver; id++) {
      const document = make(id);
      const began = performance.now();
      void index.put(document).then(() => putMs.push(performance.now() - began));
      await Bun.sleep(1_000 / WRITES_PER_S);
    }
  })();
  const byKind: Record<string, number[]> = {};
  const random = seeded(7);
  for (let at = 0; at < searches; at++) {
    const [kind, request] = requestOf(at, random);
    const began = performance.now();
    await search(index, request);
    byKind[kind] = [...(byKind[kind] ?? []), performance.now() - began];
  }
  state.isOver = true;
  await writing;
  return {
    searchMs: spread(Object.values(byKind).flat()),
    searchMsByKind: Object.fromEntries(
      Object.entries(byKind).map(([kind, times]) => [kind, spread(times)]),
    ),
    putMs: spread(putMs),
  };
}

/** Ranks of words as people ask for them: not the very commonest, not the rarest alone. */
function requestOf(at: number, random: () => number) {
  const word = (from: number, to: number) => wordOf(Math.floor(from * (to / from) ** random()));
  const usual = () => word(100, 20_000);
  const kinds: [string, string, "relevance" | "date"][] = [
    ["one word", usual(), "relevance"],
    ["three words", `${usual()} ${usual()} ${usual()}`, "relevance"],
    ["eight words", Array.from({ length: 8 }, usual).join(" "), "relevance"],
    ["common words", `${word(1, 20)} ${word(1, 20)}`, "relevance"],
    ["common and rare", `${word(1, 20)} ${usual()}`, "relevance"],
    ["exact word", `zq${1 + Math.floor(random() * documents)}x1`, "relevance"],
    ["phrase", `"${word(1, 100)} ${word(1, 100)}"`, "relevance"],
    ["site", `${usual()} site:h1.example`, "relevance"],
    ["by date", `${usual()} ${usual()}`, "date"],
  ];
  const [kind, query, sort] = kinds[at % kinds.length]!;
  return [kind, { query, sort, page: 1, perPage: 10, explain: false }] as const;
}

function spread(times: readonly number[]) {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (part: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 10) /
    10;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
