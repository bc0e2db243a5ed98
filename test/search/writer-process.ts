import { silentLog } from "../../src/log.ts";
import { openSqliteIndex } from "../../src/search/sqlite/open.ts";
import { documentOf } from "./documents.ts";

/*
 * A process that writes documents until it is killed, and prints the id of each that was stored.
 * Arguments: folder, first id, amount. SIGTERM closes the index.
 */
const [dataDir, from, amount] = process.argv.slice(2);
const index = await openSqliteIndex({ dataDir: dataDir!, log: silentLog });
process.on("SIGTERM", () => void index.close().then(() => process.exit(0)));

const write = async (id: number): Promise<void> => {
  const text = `shared number${id}x ${"filler words of a page ".repeat(20)}`;
  const result = await index.put(documentOf({ id, text }));
  if (result.kind === "stored") process.stdout.write(`${id}\n`);
};

const first = Number(from) + 1;
for (let id = first; id < first + Number(amount); id += 8) {
  const last = Math.min(id + 8, first + Number(amount));
  await Promise.all(Array.from({ length: last - id }, (_, at) => write(id + at)));
}
setInterval(() => {}, 1_000);
