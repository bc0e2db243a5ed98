import { afterAll, expect, test } from "bun:test";
import { systemClock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import { type PackedResult, packResult } from "../../src/parse/packed.ts";
import { parsePage } from "../../src/parse/page.ts";
import type { ParseRequest } from "../../src/parse/parsed.ts";
import { createThreads } from "../../src/threads.ts";

const threads = createThreads<ParseRequest, PackedResult>({
  url: new URL("../../src/parse/thread.ts", import.meta.url),
  size: 2,
  budgetMs: 2_000,
  queueMax: 100,
  clock: systemClock,
  log: silentLog,
});
afterAll(() => threads.close());

const request = (url: string, html: string): ParseRequest => ({
  url,
  body: new TextEncoder().encode(html),
  contentType: "text/html",
  charset: null,
  robotsTag: [],
  contentLanguage: null,
  tdmReservation: null,
  linkCanonical: null,
  robotsToken: "trawl",
});

test("a page comes back from its thread as it is parsed here", async () => {
  const text = "Le conseil s'est réuni mardi. ".repeat(20);
  const html = `<html lang=fr><title>Pont</title><main><p>${text}<a href=/x>x</a>`;
  const here = await parsePage(request("https://site.example/", html));
  const asked = request("https://site.example/", html);
  const there = await threads.run(asked, [asked.body.buffer as ArrayBuffer]);
  expect(there).toEqual({ kind: "done", value: packResult(here) });
});

test("many pages at once: each gets its own answer", async () => {
  const all = await Promise.all(
    Array.from({ length: 80 }, (_, at) =>
      threads.run(request(`https://site.example/${at}`, `<title>Page ${at}</title>`)),
    ),
  );
  const titles = all.map((result) =>
    result.kind === "done" && result.value.kind === "page" ? result.value.title : result.kind,
  );
  expect(titles).toEqual(Array.from({ length: 80 }, (_, at) => `Page ${at}`));
});

test("a request that is a mistake of ours is a crash, and the thread lives", async () => {
  expect(await threads.run(request("no url", ""))).toMatchObject({ kind: "killed", why: "crash" });
  expect(await threads.run(request("https://site.example/", ""))).toMatchObject({ kind: "done" });
});
