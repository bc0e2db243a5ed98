/**
 * Relevance on judged collections, put into the index directly: nDCG@10, MAP, MRR and recall@100 of
 * the defaults, with each signal off, and with the words alone.
 *
 *   bun run relevance
 */
import type { Ranking } from "../../src/ranking.ts";
import { SIGNALS } from "../../src/search/signals.ts";
import { judge } from "./ask.ts";
import { readCacm } from "./cacm.ts";
import { indexDirectly } from "./direct.ts";

const cacm = await readCacm();
if (cacm === null) process.exit(1);
const off = { enabled: false, weight: 0 };
const rankings: [name: string, ranking: Ranking][] = [
  ["defaults", {}],
  ...SIGNALS.map(({ name }): [string, Ranking] => [`without ${name}`, { [name]: off }]),
  ["words alone", Object.fromEntries(SIGNALS.map(({ name }) => [name, off]))],
];
const index = await indexDirectly(cacm.texts);
console.log(`CACM: ${cacm.texts.length} texts, ${cacm.topics.length} topics`);
const table: Record<string, Record<string, string>> = {};
for (const [name, ranking] of rankings) {
  const { all } = await judge(cacm, index.asking(ranking));
  table[name] = Object.fromEntries(
    Object.entries(all).map(([measure, value]) => [measure, value.toFixed(4)]),
  );
}
console.table(table);
await index.close();
process.exit(0);
