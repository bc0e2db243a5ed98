/**
 * A program that runs out of descriptors, for tests: under `ulimit -n`, with a port as its argument
 * where somebody listens. It prints one outcome a line: with descriptors where nobody listens; with
 * none left at both, and of a name; with descriptors again where somebody does.
 */
import { closeSync, openSync } from "node:fs";
import { systemClock } from "../../src/clock.ts";
import { createResolver } from "../../src/fetch/resolve.ts";
import { clientFor, requestFor } from "../fetch/client-for.ts";
import { freePort } from "./ports.ts";

const port = process.argv[2]!;
const closed = await freePort();
const resolver = createResolver({ servers: ["127.0.0.1:9"], clock: systemClock });
const client = clientFor();

const outcomeAt = async (at: string | number) => {
  const outcome = await client.fetch(requestFor(`http://127.0.0.1:${at}/`));
  return outcome.kind;
};

console.log(await outcomeAt(closed));
const held: number[] = [];
for (;;) {
  try {
    held.push(openSync("/dev/null", "r"));
  } catch {
    break;
  }
}
const outcomes: string[] = [await outcomeAt(port), await outcomeAt(closed)];
outcomes.push((await resolver.resolve("name.test")).kind);
for (const fd of held) closeSync(fd);
for (const outcome of outcomes) console.log(outcome);
console.log(await outcomeAt(port));
await client.close();
process.exit(0);
