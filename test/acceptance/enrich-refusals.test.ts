import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { systemClock } from "../../src/clock.ts";
import { Enrichment } from "../../src/crawl/enrich-pages.ts";
import { countEnrichBacklog } from "../../src/db/enrichment.ts";
import { Model } from "../../src/enrich/model.ts";
import { silentLog } from "../../src/log.ts";
import { startCrawl } from "../support/crawl.ts";
import { startOllama } from "../support/ollama.ts";
import { startOrigin } from "../support/origin.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

const double = await startOllama();
const origin = startOrigin();
const crawl = await startCrawl();
afterAll(async () => {
  await crawl.stop();
  await origin.stop();
  await double.stop();
});

interface Form {
  /** Says whose page it is, in the question if it ever comes to one. */
  word: string;
  head?: string;
  headers?: Record<string, string>;
  robots?: string;
}

const REFUSING: readonly Form[] = [
  { word: "metarobots", head: '<meta name="robots" content="index, noai">' },
  { word: "metaimage", head: '<meta name="ROBOTS" content="NOIMAGEAI">' },
  { word: "metatrawl", head: '<meta name="trawl" content="noai">' },
  { word: "metatdm", head: '<meta name="tdm-reservation" content="1">' },
  { word: "tagrobots", headers: { "x-robots-tag": "noai" } },
  { word: "tagtrawl", headers: { "x-robots-tag": "other: none, trawl: noai" } },
  { word: "headertdm", headers: { "tdm-reservation": "1" } },
  { word: "signalall", robots: "User-agent: *\nContent-Signal: search=yes, ai-input=no\nAllow: /" },
  { word: "signalown", robots: "User-agent: trawl\nContent-Signal: ai-input=n\nAllow: /" },
  { word: "signalcase", robots: "user-agent: *\ncontent-signal: AI-INPUT = NO, ai-train=yes" },
];

const ALLOWING: readonly Form[] = [
  { word: "saysnothing" },
  { word: "zerotdm", head: '<meta name="tdm-reservation" content="0">' },
  { word: "tagofothers", headers: { "x-robots-tag": "other: noai" } },
  { word: "signalyes", robots: "User-agent: *\nContent-Signal: ai-input=yes, ai-train=no" },
  { word: "signalother", robots: "User-agent: other\nContent-Signal: ai-input=no" },
];

const FORMS = [...REFUSING, ...ALLOWING];

const siteOf = (at: number) => `127.0.70.${at + 1}`;

function publish({ word, head = "", headers = {}, robots = "" }: Form, at: number): string {
  const text = `${word} says what it says of the use by machines. `.repeat(8);
  const html = `<html lang="en"><head><title>${word}</title>${head}</head><p>${text}</p></html>`;
  origin.host(siteOf(at), {
    "/robots.txt": () => new Response(robots, { headers: { "content-type": "text/plain" } }),
    "/": () => new Response(html, { headers: { "content-type": "text/html", ...headers } }),
  });
  return origin.url(siteOf(at), "/");
}

const enrichment = () =>
  new Enrichment({
    ...{ db: crawl.database.db, index: crawl.index, clock: systemClock, log: silentLog },
    model: new Model({ url: double.url, model: double.model }),
    robotsToken: crawl.config.robotsToken,
    isOpen: () => false,
  });

const askedOf = (word: string) =>
  double.asked.filter((chat) => JSON.stringify(chat).includes(word)).length;

test("pages that refuse AI input, in whatever form, are searchable and never sent", async () => {
  await crawl.seed(...FORMS.map(publish));
  await until(() => crawl.index.documents.size === FORMS.length, { what: "all pages" });
  const backlog = () => countEnrichBacklog(crawl.database.db);
  await until(async () => (await backlog()) === FORMS.length, { what: "all settles" });
  await enrichment().drain(new AbortController().signal);
  expect(await backlog()).toBe(0);
  const sent = FORMS.map(({ word }) => [word, askedOf(word)]);
  expect(sent).toEqual([
    ...REFUSING.map(({ word }) => [word, 0]),
    ...ALLOWING.map(({ word }) => [word, 1]),
  ]);
  expect((await crawl.index.summaries([...crawl.index.documents.keys()])).size).toBe(5);
});
