import { loadLanguageModel } from "./language-model.ts";
import { buffersOf, packResult } from "./packed.ts";
import { parsePage } from "./page.ts";
import type { ParseRequest } from "./parsed.ts";

/**
 * Entry of a parse thread, run by src/threads.ts: `{ id, request }` in, `{ id, value }` or
 * `{ id, error }` out, one at a time and in order. A page that cannot be parsed is an error of ours
 * and leaves the thread usable.
 */
declare const self: Worker;

const loaded = loadLanguageModel();
// Told before the first page begins, so that loading is not counted against it.
let turn = loaded.then(() => self.postMessage({ ready: true }));

self.onmessage = (event: MessageEvent<{ id: number; request: ParseRequest }>) => {
  const { id, request } = event.data;
  turn = turn.then(() => answer(id, request));
};

async function answer(id: number, request: ParseRequest): Promise<void> {
  try {
    const value = packResult(await parsePage(request));
    self.postMessage({ id, value }, buffersOf(value));
  } catch (error) {
    self.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
}
