/**
 * The embedded index alone: fills it, then searches while it is written to. Prints one JSON object;
 * times in milliseconds as the caller sees them, snippets included; suggestions between searches.
 *
 *   bun run bench search [documents 20000] [words 400] [--searches 700] [--writes 100] [--busy 0]
 *                        [--dir DIR] [--fill-seconds N] [--exhaustive 0]
 *
 * --writes: documents a second meanwhile. --busy: threads at work meanwhile, with the rank of those
 * that parse. --dir: keeps the index there; a further run goes on where one ended or asks it again.
 * --fill-seconds: fills no longer than that, and only says how far it came. --exhaustive: so many
 * queries are also answered by scoring every document that has a word of theirs.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { silentLog } from "../../src/log.ts";
import { openIndex } from "../../src/search/open.ts";
import type { SearchIndex } from "../../src/search/port.ts";
import { search } from "../../src/search/search.ts";
import { suggest } from "../../src/search/suggest.ts";
import { corpusOf, seeded } from "./corpus.ts";
import { spread } from "./figures.ts";
import { compareWithAll } from "./search-exhaustive.ts";
import { askedQuery } from "./search-kinds.ts";
import { typedText } from "./suggest-kinds.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    searches: { type: "string", default: "700" },
    writes: { type: "string", default: "100" },
    busy: { type: "string", default: "0" },
    dir: { type: "string" },
    "fill-seconds": { type: "string", default: "3600" },
    exhaustive: { type: "string", default: "0" },
  },
});
const [documents = 20_000, words = 400] = positionals.map(Number);
const PARALLEL_PUTS = 1_000;
/** Documents written beside the searches; made before, so that making them is no load. */
const BESIDE = 2_000;

/** Kinds that ask for words alone. */
const PLAIN = new Set([
  ...["rare word", "usual word", "common word", "two words", "common and usual"],
  ...["two common words", "three words", "eight words", "eight of any"],
]);

const dataDir = values.dir ?? mkdtempSync(join(tmpdir(), "trawl-bench-"));
mkdirSync(dataDir, { recursive: true });
let index = await openIndex({ dataDir, log: silentLog });
try {
  const make = corpusOf(words);
  const fill = await fillIndex(index, make, Number(values["fill-seconds"]));
  // With it all changes of df are written.
  await index.close();
  index = await openIndex({ dataDir, log: silentLog });
  const figures = { documents: await index.count(), words, fill };
  const isFull = figures.documents >= documents;
  console.log(JSON.stringify(isFull ? { ...figures, ...(await measure(make)) } : figures, null, 2));
} finally {
  await index.close();
  if (values.dir === undefined) rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);

type Make = ReturnType<typeof corpusOf>;

async function measure(make: Make) {
  const searching = await searchWhileWriting(index, make);
  const count = Number(values.exhaustive);
  const random = seeded(11);
  const queries = Array.from({ length: count * 2 }, (_, at) => askedQuery(at, random, documents));
  const plain = queries.filter(({ kind, sort }) => sort === "relevance" && PLAIN.has(kind));
  const file = statSync(join(dataDir, "search.sqlite"));
  return {
    ...searching,
    ...(count > 0
      ? { exhaustive: await compareWithAll(index, dataDir, plain.slice(0, count)) }
      : {}),
    indexMb: Math.round(file.size / 2 ** 20),
    bytesPerDocument: Math.round(file.size / documents),
    rssMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
  };
}

/** Making the documents is part of it: they come from the same process. */
async function fillIndex(index: SearchIndex, make: Make, secondsMax: number) {
  const from = await index.count();
  const began = performance.now();
  const cpu = process.cpuUsage();
  const running = new Set<Promise<unknown>>();
  let id = from;
  while (id < documents && performance.now() - began < secondsMax * 1_000) {
    const put: Promise<unknown> = index.put(make(++id)).finally(() => running.delete(put));
    running.add(put);
    if (running.size >= PARALLEL_PUTS) await Promise.race(running);
    // Let the answers of the writer in.
    else if (id % 50 === 0) await Bun.sleep(0);
  }
  await Promise.all(running);
  const count = id - from;
  if (count === 0) return null;
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    from,
    documentsPerS: Math.round(count / seconds),
    cpuUsPerDocument: Math.round((user + system) / count),
  };
}

async function searchWhileWriting(index: SearchIndex, make: Make) {
  const perSecond = Number(values.writes);
  const beside = Array.from({ length: perSecond > 0 ? BESIDE : 0 }, (_, at) => ({
    ...make(documents + at + 1),
    id: documents + at + 1,
  }));
  const busy = Array.from({ length: Number(values.busy) }, startBusy);
  const state = { isOver: false };
  const putMs: number[] = [];
  const writing = perSecond > 0 ? write(index, beside, perSecond, putMs, state) : null;
  const byKind: Record<string, number[]> = {};
  const byTyped: Record<string, number[]> = {};
  const random = seeded(7);
  const typing = seeded(13);
  const cpu = process.cpuUsage();
  const began = performance.now();
  for (let at = 0; at < Number(values.searches); at++) {
    const { kind, query, sort } = askedQuery(at, random, documents);
    const asked = performance.now();
    await search(index, { query, sort, page: 1, perPage: 10, explain: false });
    byKind[kind] = [...(byKind[kind] ?? []), performance.now() - asked];
    await Bun.sleep(5);
    const typed = typedText(at, typing);
    const began = performance.now();
    await suggest(index, typed.text);
    byTyped[typed.kind] = [...(byTyped[typed.kind] ?? []), performance.now() - began];
    await Bun.sleep(5);
  }
  state.isOver = true;
  const written = await writing;
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - began) / 1_000;
  for (const worker of busy) worker.terminate();
  if (beside.length > 0) await index.remove(beside.map(({ id }) => id));
  return {
    searchMs: spread(Object.values(byKind).flat()),
    searchMsByKind: spreads(byKind),
    suggestMs: spread(Object.values(byTyped).flat()),
    suggestMsByKind: spreads(byTyped),
    writesPerS: Math.round((written ?? 0) / seconds),
    putMs: spread(putMs),
    coresBusy: Math.round((user + system) / seconds / 10_000) / 100,
  };
}

function spreads(byKind: Readonly<Record<string, readonly number[]>>) {
  return Object.fromEntries(Object.entries(byKind).map(([kind, times]) => [kind, spread(times)]));
}

/** Puts documents at that speed until it is over; each round they come with another date. */
async function write(
  index: SearchIndex,
  documents: readonly ReturnType<Make>[],
  perSecond: number,
  putMs: number[],
  state: { isOver: boolean },
): Promise<number> {
  const began = performance.now();
  const running: Promise<unknown>[] = [];
  let written = 0;
  for (; !state.isOver; await Bun.sleep(2)) {
    const due = ((performance.now() - began) / 1_000) * perSecond;
    for (; written < due; written++) {
      const at = written % documents.length;
      // Every round another text stands at the place: nothing is the same as before.
      const { id } = documents[(at + Math.floor(written / documents.length)) % documents.length]!;
      const asked = performance.now();
      const document = { ...documents[at]!, id, crawledAt: new Date(Date.now() + written) };
      running.push(index.put(document).then(() => putMs.push(performance.now() - asked)));
    }
  }
  await Promise.all(running);
  return written;
}

function startBusy(): Worker {
  const worker = new Worker(new URL("./search-busy.ts", import.meta.url).href);
  worker.postMessage("go");
  return worker;
}
