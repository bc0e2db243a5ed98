import type { Log } from "../log.ts";
import type { SearchIndex } from "./port.ts";
import { openSqliteIndex } from "./sqlite/open.ts";

export interface IndexOptions {
  dataDir: string;
  log: Log;
}

/** Opens the index that the settings name: so far the embedded one, in DATA_DIR/search.sqlite. */
export function openIndex(options: IndexOptions): Promise<SearchIndex> {
  return openSqliteIndex(options);
}
