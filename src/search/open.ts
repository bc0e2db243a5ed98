import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../log.ts";
import type { SearchIndex } from "./port.ts";
import { openSqliteIndex } from "./sqlite/open.ts";

export interface IndexOptions {
  dataDir: string;
  log: Log;
}

/** Has anything ever been written there? */
export function isIndexIn(dataDir: string): boolean {
  return existsSync(join(dataDir, "search.sqlite"));
}

/** Opens the index that the settings name: so far the embedded one, in DATA_DIR/search.sqlite. */
export function openIndex(options: IndexOptions): Promise<SearchIndex> {
  return openSqliteIndex(options);
}
