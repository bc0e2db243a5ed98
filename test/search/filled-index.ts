import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../src/log.ts";
import { openIndex } from "../../src/search/open.ts";
import type { SearchIndex } from "../../src/search/port.ts";
import { documentOf, type Given } from "./documents.ts";

const AT_ONCE = 1_000;

export interface FilledIndex {
  index: SearchIndex;
  dataDir: string;
  /** Closes it, and nothing of it is left. */
  remove(): Promise<void>;
}

/** An embedded index with these documents, opened anew: closing writes the vocabulary. */
export async function fillIndex(documents: readonly Given[]): Promise<FilledIndex> {
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-filled-"));
  const writing = await openIndex({ dataDir, log: silentLog });
  for (let at = 0; at < documents.length; at += AT_ONCE) {
    const puts = documents.slice(at, at + AT_ONCE).map((given) => writing.put(documentOf(given)));
    await Promise.all(puts);
  }
  await writing.close();
  const index = await openIndex({ dataDir, log: silentLog });
  const remove = async () => {
    await index.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { index, dataDir, remove };
}

/** Each at a host of its own, but those that name one. */
export const atOwnHosts = (documents: readonly Given[]): Given[] =>
  documents.map((given) => ({ host: `h${given.id}.example`, ...given }));
