import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../src/log.ts";
import { openIndex } from "../../src/search/open.ts";
import { type SearchConfig, search } from "../../src/search/search.ts";
import { documentOf } from "../search/documents.ts";
import type { Collection } from "./collection.ts";
import { type Measures, meanOf, measure } from "./measures.ts";

/** Documents put into an index directly; each configuration answers all questions. */
export async function measureDirectly<Name extends string>(
  { documents, topics, answers }: Collection,
  configs: Readonly<Record<Name, SearchConfig>>,
): Promise<Record<Name, Measures>> {
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-relevance-"));
  let index = await openIndex({ dataDir, log: silentLog });
  try {
    await Promise.all(
      documents.map(({ id, title, text }) => {
        const url = `https://cacm.example/${id}`;
        return index.put(documentOf({ id, url, title, headings: title, text: `${title} ${text}` }));
      }),
    );
    // With it document frequencies are written.
    await index.close();
    index = await openIndex({ dataDir, log: silentLog });
    const measured = {} as Record<Name, Measures>;
    for (const [name, config] of Object.entries(configs) as [Name, SearchConfig][]) {
      const all: Measures[] = [];
      for (const { id, query } of topics) {
        const request = { query, page: 1, perPage: 100, sort: "relevance" } as const;
        const found = await search(index, { ...request, collapse: "none", explain: false }, config);
        const ranked = found.hits.map((hit) => hit.id);
        all.push(measure(ranked, answers.get(id)!));
      }
      measured[name] = meanOf(all);
    }
    return measured;
  } finally {
    await index.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
