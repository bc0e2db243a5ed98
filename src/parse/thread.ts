import { compileProfile, type RegionLexicon } from "../text/region/lexicon.ts";
import type { RegionSource } from "../text/region/source.ts";
import { loadLanguageModel } from "./language-model.ts";
import { buffersOf, packResult } from "./packed.ts";
import { parsePage } from "./page.ts";
import type { ParseRequest } from "./parsed.ts";
import { readSitemap, type SitemapRequest } from "./sitemap.ts";

/**
 * Entry of a parse thread, run by src/threads.ts: `{ id, request }` in, `{ id, value }` or
 * `{ id, error }` out, one at a time and in order. A page that cannot be parsed is an error of ours
 * and leaves the thread usable. First of all it may be given the region that it scores for.
 */
declare const self: Worker;

const loaded = loadLanguageModel();
// Told before the first page begins, so that loading is not counted against it.
let turn = loaded.then(() => self.postMessage({ ready: true }));

let region: RegionLexicon | null = null;

type Message = { given: RegionSource } | { id: number; request: ParseRequest | SitemapRequest };

self.onmessage = (event: MessageEvent<Message>) => {
  if ("given" in event.data) {
    const { profile, categories } = event.data.given;
    region = compileProfile(profile, categories);
    return;
  }
  const { id, request } = event.data;
  turn = turn.then(() => answer(id, request));
};

async function answer(id: number, request: ParseRequest | SitemapRequest): Promise<void> {
  try {
    if ("kind" in request) {
      self.postMessage({ id, value: readSitemap(request) });
      return;
    }
    const value = packResult(await parsePage(request, region));
    self.postMessage({ id, value }, buffersOf(value));
  } catch (error) {
    self.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
}
