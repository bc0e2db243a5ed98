import { describe, expect, test } from "bun:test";
import type { ParseRequest } from "../../src/parse/parsed.ts";
import { parseHtml } from "../support/parse.ts";

describe("directives of the page", () => {
  test("META NAME=ROBOTS CONTENT=NOINDEX", async () => {
    expect((await parseHtml("<META NAME=ROBOTS CONTENT=NOINDEX>")).directives.noindex).toBe(true);
  });

  const cases: [string, Partial<ParseRequest>, string][] = [
    ["<meta name=Trawl content=noindex>", {}, "by our name"],
    ["<meta name=robots content=index><meta name=robots content=noindex>", {}, "several tags"],
    ["<p>x<meta name=robots content=none>", {}, "in the body"],
    ["", { robotsTag: ["otherbot: nofollow", "noindex"] }, "by the header"],
  ];
  for (const [html, more, why] of cases) {
    test(why, async () => expect((await parseHtml(html, more)).directives.noindex).toBe(true));
  }

  test("another bot's name, and a template, say nothing", async () => {
    const html =
      "<meta name=otherbot content=noindex><template><meta name=robots content=noindex></template>";
    expect((await parseHtml(html)).directives.noindex).toBe(false);
  });

  test("reservations", async () => {
    expect((await parseHtml("<meta name=tdm-reservation content=1>")).directives.noai).toBe(true);
    expect((await parseHtml("", { tdmReservation: "1" })).directives.noai).toBe(true);
    expect((await parseHtml("")).directives.noai).toBe(false);
  });
});

describe("date of publication", () => {
  const ld = (json: string) => `<script type="application/ld+json">${json}</script>`;
  const cases: [string, string | null, string][] = [
    [ld('{"@type":"NewsArticle","datePublished":"2024-05-17"}'), "2024-05-17", "JSON-LD"],
    [
      ld(
        '{"@graph":[{"@type":"Comment","datePublished":"2020-01-01"},' +
          '{"@type":["Article"],"datePublished":"2024-05-17"}]}',
      ),
      "2024-05-17",
      "the article, not a comment",
    ],
    [ld('{"datePublished":"2024-05-17",}'), "2024-05-17", "JSON-LD that is no JSON"],
    [
      `${ld('{"datePublished":"soon"}')}<meta property=article:published_time content=2024-05-17>`,
      "2024-05-17",
      "then meta",
    ],
    [
      "<meta name=DC.date content=2024-05-17><article><time datetime=2023-01-01>",
      "2024-05-17",
      "meta before time",
    ],
    ["<meta itemprop=datePublished content=2024-05-17>", "2024-05-17", "microdata"],
    [
      "<article><time datetime=2024-05-17>May</time></article>",
      "2024-05-17",
      "time in the article",
    ],
    ["<footer><time datetime=2024-05-17></footer>", null, "not of the footer"],
    ["<meta name=date content=2090-01-01>", null, "the future"],
  ];
  for (const [html, date, why] of cases) {
    test(why, async () => {
      const page = await parseHtml(html, { fetchedAt: Date.UTC(2026, 0, 1) });
      expect(page.publishedAt?.slice(0, 10) ?? null).toBe(date);
    });
  }

  test("of the address", async () => {
    const page = await parseHtml("", { url: "https://site.example/2024/05/17/x" });
    expect(page.publishedAt).toBe("2024-05-17T00:00:00.000Z");
  });
});
