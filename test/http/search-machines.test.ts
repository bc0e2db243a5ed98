import { describe, expect, test } from "bun:test";
import { parseDocument } from "htmlparser2";
import { BOOKS } from "../support/library.ts";
import { publicSite } from "../support/public-site.ts";

describe("GET /api/search", () => {
  test("has the documented shape", async () => {
    const answer = await publicSite().ask("/api/search?q=tidal&per_page=2&explain=1");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toStartWith("application/json");
    const found = (await answer.json()) as Record<string, unknown> & { hits: unknown[] };
    expect(Object.keys(found)).toEqual([
      "query",
      "total",
      "total_capped",
      "page",
      "per_page",
      "took_ms",
      "backend",
      "degraded",
      "folded",
      "hits",
      "facets",
      "did_you_mean",
    ]);
    expect(found).toMatchObject({ query: "tidal", total: 120, page: 1, per_page: 2 });
    expect(found.hits).toHaveLength(2);
    expect(found.hits[0]).toEqual({
      id: "1",
      url: BOOKS[0]!.url,
      host: "sea.example",
      lang: "en",
      title: [
        { text: "Tidal", match: true },
        ...[" ", "power", " ", "in", " ", "the", " ", "bay"].map((text) => ({
          text,
          match: false,
        })),
      ],
      snippet: expect.any(Array),
      summary: null,
      published_at: "2026-03-01T12:00:00.000Z",
      crawled_at: "2026-03-01T12:00:00.000Z",
      more_from_host: 0,
      folded: 0,
      score: expect.any(Number),
      explain: expect.objectContaining({ text: expect.any(Number) }),
    });
  });
});

describe("GET /search.rss", () => {
  test("is RSS 2.0 of the query, newest first, with absolute addresses", async () => {
    const site = publicSite({ ...withPublicUrl("https://search.example") });
    const answer = await site.ask("/search.rss?q=tidal&lang=fr");
    expect(answer.headers.get("content-type")).toBe("application/rss+xml; charset=utf-8");
    const feed = parseDocument(await answer.text(), { xmlMode: true });
    const all = elements(feed.children as Node[]);
    expect(all.filter(({ name }) => name === "item")).toHaveLength(20);
    expect(textOf(all, "title")[0]).toBe("Search: tidal");
    expect(textOf(all, "link")[0]).toBe(
      "https://search.example/search?q=tidal&lang=fr&sort=date&per_page=20",
    );
    expect(textOf(all, "guid")).toEqual(textOf(all, "link").slice(1));
    const dates = textOf(all, "pubDate").map((date) => Date.parse(date));
    expect(dates.every((date) => date > 0)).toBe(true);
  });

  test("of a bad query is a readable 400", async () => {
    expect((await publicSite().ask("/search.rss?q=x&page=0")).status).toBe(400);
  });
});

describe("GET /opensearch.xml", () => {
  test("names the address of this server in each template", async () => {
    const site = publicSite({ ...withPublicUrl("https://search.example") });
    const answer = await site.ask("/opensearch.xml");
    expect(answer.headers.get("content-type")).toStartWith("application/opensearchdescription+xml");
    const all = elements(parseDocument(await answer.text(), { xmlMode: true }).children as Node[]);
    const templates = all
      .filter(({ name }) => name === "Url")
      .map(({ attribs }) => attribs?.template);
    expect(templates).toEqual([
      "https://search.example/search?q={searchTerms}",
      "https://search.example/search.rss?q={searchTerms}",
      "https://search.example/suggest?q={searchTerms}",
      "https://search.example/opensearch.xml",
    ]);
  });

  test("takes the address asked for when no public one is set", async () => {
    const text = await (await publicSite().ask("/opensearch.xml")).text();
    expect(text).toContain('template="http://localhost/search?q={searchTerms}"');
  });
});

describe("GET /suggest", () => {
  test("answers browsers in the OpenSearch form", async () => {
    const answer = await publicSite().ask("/suggest?q=tid");
    expect(answer.headers.get("content-type")).toStartWith("application/x-suggestions+json");
    expect(await answer.json()).toEqual([
      "tid",
      ["tidal power", "tidal barrage", "tide table"],
      ["", "", ""],
      ["", "", ""],
    ]);
  });

  test("answers its own page with options", async () => {
    const headers = { "hx-request": "true", "hx-request-type": "partial" };
    const text = await (await publicSite().ask("/suggest?q=tid", { headers })).text();
    expect(text.match(/role="option"/g)).toHaveLength(3);
    expect(text).toContain('id="suggestion-0"');
  });

  test.each([
    ["rejects", () => Promise.reject(new Error("broken"))],
    ["has nothing", async () => ({ queries: ["tid"], titles: [] })],
  ])("is empty when the index %s", async (_, suggest) => {
    const answer = await publicSite({ suggest }).ask("/suggest?q=tid");
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(["tid", [], [], []]);
  });

  test("asks nothing for an empty or endless text", async () => {
    let asked = 0;
    const site = publicSite({
      async suggest() {
        asked += 1;
        return { queries: [], titles: [] };
      },
    });
    for (const text of ["", "   ", "x".repeat(2_000)]) await site.ask(`/suggest?q=${text}`);
    expect(asked).toBe(0);
  });
});

interface Node {
  name?: string;
  data?: string;
  attribs?: Record<string, string>;
  children?: Node[];
}

const elements = (nodes: readonly Node[]): Node[] =>
  nodes.flatMap((node) => [node, ...elements(node.children ?? [])]);

const textOf = (nodes: readonly Node[], name: string): string[] =>
  nodes
    .filter((node) => node.name === name)
    .map((node) => (node.children ?? []).map(({ data }) => data ?? "").join(""));

const withPublicUrl = (publicUrl: string) => ({
  settings: {
    publicUrl,
    submit: "review" as const,
    userAgent: "Trawl/0.1.0",
    robotsToken: "trawl",
    contact: null,
    region: null,
  },
});
