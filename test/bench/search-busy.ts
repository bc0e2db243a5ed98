import "../../src/thread-priority.ts";
import { corpusOf } from "./corpus.ts";

/** A thread that is always at work, with the rank of those that parse. */

declare const self: Worker;

const make = corpusOf(400, 99);
let id = 0;
function work(): void {
  const until = performance.now() + 20;
  while (performance.now() < until) make(++id);
  setTimeout(work, 0);
}
self.onmessage = work;
