import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../src/log.ts";
import type { Ranking } from "../../src/ranking.ts";
import { openIndex } from "../../src/search/open.ts";
import { search } from "../../src/search/search.ts";
import { documentOf } from "../search/documents.ts";
import { parseHtml } from "../support/parse.ts";
import type { Ask } from "./ask.ts";
import { pageOf, type Text } from "./cacm.ts";
import { askingAll } from "./exhaustive.ts";

export interface DirectIndex {
  ask: Ask;
  /** The same with other weights. */
  asking(ranking: Ranking): Ask;
  /** Of every document scored, none left out beforehand. */
  askAll: Ask;
  close(): Promise<void>;
}

/** Parsed and put into an index of its own, without a crawl. */
export async function indexDirectly(texts: readonly Text[]): Promise<DirectIndex> {
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-relevance-"));
  const open = () => openIndex({ dataDir, log: silentLog });
  const filled = await open();
  for (let at = 0; at < texts.length; at += 200) {
    const some = texts.slice(at, at + 200).map(async (own, nth) => {
      const { title, headings, text, lang } = await parseHtml(pageOf(own));
      const url = `http://127.0.0.1/${own.id}.html`;
      await filled.put(documentOf({ id: at + nth + 1, url, title, headings, text, lang }));
    });
    await Promise.all(some);
  }
  // The vocabulary is written at the latest on closing.
  await filled.close();
  const index = await open();
  const sort = "relevance" as const;
  const asked = { page: 1, sort, collapse: "none" as const, explain: false };
  const asking =
    (ranking: Ranking): Ask =>
    async (query, perPage = 100) => {
      const { hits } = await search(index, { query, perPage, ...asked }, { ranking });
      return hits.map(({ id }) => texts[id - 1]!.id);
    };
  const all = askingAll(index, dataDir, texts);
  return {
    ask: asking({}),
    asking,
    askAll: all.ask,
    async close() {
      all.close();
      await index.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
