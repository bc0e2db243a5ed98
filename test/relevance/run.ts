/**
 * Relevance on judged collections, documents put into the index directly: nDCG@10, MAP, MRR and
 * recall@100 of the defaults, and with each signal off.
 *
 *   bun test/relevance/run.ts
 */
import { SIGNALS } from "../../src/search/signals.ts";
import { readCacm } from "./collection.ts";
import { measureDirectly } from "./direct.ts";

const cacm = readCacm();
if (cacm === null) process.exit(1);
const off = { enabled: false, weight: 0 };
const configs = {
  defaults: {},
  ...Object.fromEntries(
    SIGNALS.map(({ name }) => [`without ${name}`, { ranking: { [name]: off } }]),
  ),
  "text alone": { ranking: Object.fromEntries(SIGNALS.map(({ name }) => [name, off])) },
};
const measured = await measureDirectly(cacm, configs);
console.log(`CACM: ${cacm.documents.length} documents, ${cacm.topics.length} questions`);
console.table(
  Object.fromEntries(
    Object.entries(measured).map(([name, own]) => [
      name,
      Object.fromEntries(Object.entries(own).map(([key, value]) => [key, value.toFixed(4)])),
    ]),
  ),
);
process.exit(0);
