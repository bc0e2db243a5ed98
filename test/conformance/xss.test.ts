import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { parseDocument } from "htmlparser2";
import type { Hit, SearchResults } from "../../src/search/search.ts";
import type { Server } from "../http/ask.ts";
import { parsed, shapeOf } from "../support/html.ts";
import { publicDeps, publicSite } from "../support/public-site.ts";
import { suite } from "../support/suites.ts";

interface Payload {
  kind: string;
  payload: string;
}

const path = suite("xss/stored-content-payloads.json");
const payloads: Payload[] = path === null ? [] : JSON.parse(readFileSync(path, "utf8")).payloads;

/** Text of the same kind without any meaning: what it draws is what any text may draw. */
const PLAIN = "plain";
/** Characters of a title that are shown. */
const SHOWN = 200;
const FRAGMENT = { "hx-request": "true", "hx-request-type": "partial" };
const HTML = { accept: "text/html" };

/** Every public answer that shows text of strangers, as HTML. */
const PAGES: Readonly<Record<string, (site: Server, text: string) => Promise<Response>>> = {
  "search page": (site, text) => site.ask(`/search?q=${encode(text)}&explain=1`),
  "search fragment": (site, text) => site.ask(`/search?q=${encode(text)}`, { headers: FRAGMENT }),
  "nothing found": (site, text) => site.ask(`/search?q=${encode(text)}&category=none`),
  suggestions: (site, text) => site.ask(`/suggest?q=${encode(text)}`, { headers: FRAGMENT }),
  "stored text": (site, text) => site.ask(`/cached/1?q=${encode(text)}`),
  "submit form": (site, text) => site.ask(`/submit?url=${encode(text)}`),
  "submit answer": (site, text) =>
    site.ask("/submit", { form: { url: text || "x" }, headers: HTML }),
  bot: (site) => site.ask("/bot"),
  "bad parameter": (site, text) => site.ask(`/search?q=x&sort=${encode(text)}`),
};

describe.skipIf(path === null)("crawled and typed text on the public pages", () => {
  test.each(Object.entries(PAGES))(
    "%s: no payload changes the shape of the page",
    async (_, ask) => {
      const expected = shapeOf(parsed(await (await ask(hostile(PLAIN), PLAIN)).text()));
      expect(expected.length).toBeGreaterThan(1);
      for (const { kind, payload } of payloads) {
        const answer = await ask(hostile(payload), payload);
        expect(answer.status, kind).toBeLessThan(500);
        expect(shapeOf(parsed(await answer.text())), kind).toEqual(expected);
      }
    },
  );

  test("a URL that hides a payload in its path links nowhere else", async () => {
    for (const { kind, payload } of payloads) {
      const url = `https://crawled.example/${payload}`;
      const page = parsed(await (await PAGES["search page"]!(hostile(PLAIN, url), PLAIN)).text());
      const links = [...page.querySelectorAll(".hit-title a")].map(
        (a) => a.getAttribute("href") ?? "",
      );
      for (const link of links) expect(URL.parse(link)?.host, kind).toBe("crawled.example");
      expect(page.querySelectorAll("script:not([src^='/assets/'])"), kind).toHaveLength(0);
    }
  });

  test("every payload is shown as the text that it is", async () => {
    for (const { kind, payload } of payloads) {
      const page = parsed(await (await PAGES["search page"]!(hostile(payload), PLAIN)).text());
      const shown = page.querySelector(".hit-title")?.textContent ?? "";
      if (payload.length > SHOWN) expect(shown, kind).toBe(`${payload.slice(0, SHOWN)}…`);
      else expect(asBrowser(shown), kind).toBe(asBrowser(payload));
    }
  });

  test("RSS holds the payloads as text, twice escaped where readers expect HTML", async () => {
    const read = async (text: string) =>
      (await hostile(text).ask(`/search.rss?q=${encode(text)}`)).text();
    const names = (xml: string) =>
      elements(parseDocument(xml, { xmlMode: true }).children as Node[]).map(({ name }) => name);
    const expected = names(await read(PLAIN));
    for (const { kind, payload } of payloads) {
      const xml = await read(payload);
      expect(names(xml), kind).toEqual(expected);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot hold them
      expect(xml, kind).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
      const all = elements(parseDocument(xml, { xmlMode: true }).children as Node[]);
      const description = all.filter(({ name }) => name === "description").at(-1);
      const asHtml = (description?.children ?? []).map(({ data }) => data ?? "").join("");
      expect(shapeOf(parsed(asHtml).body), kind).toEqual([]);
    }
  });

  test("JSON and the OpenSearch forms carry the payloads unchanged and typed as data", async () => {
    for (const { kind, payload } of payloads) {
      const site = hostile(payload);
      const api = await site.ask(`/api/search?q=${encode(payload)}`);
      const found = (await api.json()) as { hits: { title: { text: string }[] }[] };
      expect(api.headers.get("content-type"), kind).toStartWith("application/json");
      expect(found.hits[0]?.title[0]?.text, kind).toBe(payload);
      const suggest = await site.ask(`/suggest?q=${encode(payload)}`);
      expect(suggest.headers.get("content-type"), kind).toStartWith("application/x-sugg");
      const host = await site.ask("/opensearch.xml", { headers: { "accept-language": "en" } });
      expect(await host.text(), kind).not.toContain(payload === "" ? "\0" : "<script");
    }
  });
});

/** One site, whose index and store hold nothing but this, wherever text of strangers can stand. */
const world = { text: PLAIN, url: PLAIN };
const site: Server = publicSite({
  search: async ({ category }) => {
    const found = results(world.text, world.url);
    return category === undefined ? found : { ...found, total: 0, hits: [] };
  },
  suggest: async () => ({
    queries: [`${world.text} and more`],
    titles: [{ title: world.text, url: world.url }],
  }),
  cached: async () => ({
    kind: "found",
    document: { ...world, title: world.text, lang: world.text, crawledAt: new Date(0) },
  }),
  submit: async () => ({ result: "refused", reason: world.text }),
  settings: {
    ...publicDeps().settings,
    get userAgent() {
      return world.text;
    },
    get robotsToken() {
      return world.text;
    },
    get contact() {
      return world.text;
    },
  },
});

function hostile(text: string, url = text): Server {
  world.text = text;
  world.url = url;
  return site;
}

function results(text: string, url: string): SearchResults {
  const hit: Hit = {
    id: 1,
    url,
    host: text,
    lang: text,
    title: [{ text, match: true }],
    snippet: [{ text, match: false }],
    summary: text,
    publishedAt: new Date(0),
    crawledAt: new Date(0),
    moreFromHost: 3,
    folded: 2,
    score: 1,
    explain: {
      text: 1,
      quality: 1,
      authority: 0,
      regionPage: 0,
      regionHost: 0,
      freshness: 0,
      locality: 0,
      navigational: 1,
      rules: 1,
    },
  };
  return {
    query: text,
    total: 30,
    totalCapped: false,
    page: 1,
    perPage: 10,
    tookMs: 1,
    backend: "embedded",
    degraded: [text],
    folded: 2,
    hits: [hit, hit],
    facets: { lang: [[text, 1]], host: [[text, 1]], category: [[text, 1]], year: [[text, 1]] },
    didYouMean: text,
  };
}

interface Node {
  name?: string;
  data?: string;
  children?: Node[];
}

function elements(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => [
    ...(node.name === undefined ? [] : [node]),
    ...elements(node.children ?? []),
  ]);
}

/** As a parameter; a query has a greatest length, above which it is refused. */
const encode = (text: string) => encodeURIComponent(text.slice(0, 999).toWellFormed());

/** A parser of HTML folds line ends and knows no NUL; UTF-8 no half characters. */
const asBrowser = (text: string) =>
  text.toWellFormed().replace(/\r\n?/g, "\n").replace(/\0/g, "").trim();
