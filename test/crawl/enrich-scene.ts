import { afterAll, beforeEach } from "bun:test";
import { type Clock, systemClock } from "../../src/clock.ts";
import { Enrichment } from "../../src/crawl/enrich-pages.ts";
import { saveDocuments } from "../../src/db/documents.ts";
import { Model } from "../../src/enrich/model.ts";
import { silentLog } from "../../src/log.ts";
import { packText } from "../../src/text/packed.ts";
import { admitPaths, documentOf, keyOf } from "../db/frontier.ts";
import { documentOf as pageOf } from "../search/documents.ts";
import { testDatabase } from "../support/database.ts";
import { MemoryIndex } from "../support/memory-index.ts";
import { startOllama } from "../support/ollama.ts";

const LIMITS = { answerMs: 300, probeMs: 300 };

interface Given {
  url?: string;
  clock?: Clock;
  isOpen?: () => boolean;
}

/** Store, index and a double of Ollama, empty before each test; for the files of this folder. */
export async function enrichScene() {
  const database = await testDatabase({ max: 6 });
  const { db, sql } = database;
  const double = await startOllama();
  const index = new MemoryIndex();
  const scene = { db, sql, double, index, host: "" };
  let hosts = 0;

  afterAll(async () => {
    await double.stop();
    await database.close();
  });

  beforeEach(async () => {
    await sql`truncate documents, enrich_waits, summary_waits, document_summaries, index_repairs`;
    index.documents.clear();
    index.told.clear();
    index.isDown = false;
    double.mode = "normal";
    double.answer = ({ messages }) => `Of ${/Title \d+/.exec(messages[1]!.content)?.[0]}.`;
    double.asked.length = 0;
  });

  /** Pages of one host that the crawl has settled, in store and index. */
  async function settled(count: number, more: object = {}): Promise<number[]> {
    scene.host = `pages-${++hosts}.test`;
    const paths = Array.from({ length: count }, (_, at) => `/${at}`);
    const ids = (await admitPaths(db, scene.host, paths)).sort((a, b) => a - b);
    await save(ids, more);
    return ids;
  }

  async function save(ids: readonly number[], more: object = {}): Promise<void> {
    const text = packText("Words. ".repeat(50));
    const rows = ids.map((id) => documentOf(id, { contentHash: keyOf(`${id}`), text, ...more }));
    await saveDocuments(db, rows);
    for (const { urlId: id, crawledAt, contentHash, noai } of rows) {
      const page = pageOf({ id, host: scene.host, crawledAt, contentHash });
      await index.put(noai ? { ...page, summary: null } : page);
    }
  }

  const deps = { db, index, log: silentLog, robotsToken: "trawl" };

  function enrichment({ url = double.url, clock = systemClock, isOpen }: Given = {}) {
    const model = new Model({ url, model: "tiny" }, LIMITS);
    return new Enrichment({ ...deps, clock, isOpen: isOpen ?? (() => false), model });
  }

  return Object.assign(scene, {
    settled,
    save,
    enrichment,
    /** One without a language model. */
    without: () =>
      new Enrichment({ ...deps, clock: systemClock, isOpen: () => false, model: null }),
    summaries: async () => [...(await index.summaries([...index.documents.keys()])).values()],
    /** The time comes for those that were put off. */
    later: () => sql`update summary_waits set due_at = now()`,
    asked: (words: string) =>
      double.asked.filter(({ messages }) => messages[1]!.content.includes(words)).length,
  });
}

export const never = new AbortController().signal;
