/** @jsxRuntime automatic @jsxImportSource preact */
import { describe, expect, test } from "bun:test";
import { renderToString } from "preact-render-to-string";
import type { Hit } from "../../src/search/search.ts";
import type { Breakdown } from "../../src/search/signals.ts";
import { Explain } from "../../templates/explain.tsx";
import { Hits } from "../../templates/hits.tsx";
import { clipped, Marked, markWords, wordsIn } from "../../templates/marked.tsx";
import { addressIn } from "../../templates/nothing.tsx";
import { readableUrl } from "../../templates/readable-url.ts";
import { DEFAULT_PARAMS, searchHref } from "../../templates/search-link.ts";
import { Suggestions } from "../../templates/suggestions.tsx";
import { wordsOf } from "../../templates/words/words.ts";
import { parsed, shapeOf, texts } from "../support/html.ts";

const HOSTILE = `"><script>alert(1)</script><b onclick='x'>&amp;`;
const words = wordsOf("en");

describe("marked text", () => {
  test("is text, with matches in <mark>", () => {
    const html = renderToString(
      <Marked
        segments={[
          { text: "a <b> ", match: false },
          { text: HOSTILE, match: true },
        ]}
      />,
    );
    const document = parsed(html);
    expect(shapeOf(document.body)).toEqual([]);
    expect(texts(document, "mark")).toEqual([HOSTILE]);
  });

  test.each([
    ["energie-marémotrice/42", ["Énergie"], "[energie]-marémotrice/42", "accents and case fold"],
    ["tidal-tide-tidally", ["tidal"], "[tidal]-tide-tidally", "whole words only"],
    ["a/b", [], "a/b", "nothing to mark"],
    ["", ["a"], "", "no text"],
    ["tide tide", ["tide"], "[tide] [tide]", "each time"],
    ["энергия", ["Энергия"], "[энергия]", "other scripts"],
  ])("%s with %p", (text, matches, expected, why) => {
    const found = wordsIn(matches.map((match) => ({ text: match, match: true })));
    const shown = markWords(text, found).map((each) => (each.match ? `[${each.text}]` : each.text));
    expect(shown.join(""), why).toBe(expected);
  });

  test("is cut at a length, never inside a character", () => {
    const segments = [
      { text: "abc", match: true },
      { text: "d🌊e", match: false },
      { text: "f", match: false },
    ];
    const cut = (max: number) => clipped(segments, max).map(({ text }) => text);
    expect(cut(3)).toEqual(["abc", "…"]);
    expect(cut(5)).toEqual(["abc", "d…"]);
    expect(cut(6)).toEqual(["abc", "d🌊…"]);
    expect(cut(8)).toEqual(["abc", "d🌊e", "f"]);
  });
});

test.each([
  ["https://a.example/", "a.example", "", "no lone slash"],
  ["http://a.example:8080/x?y=1", "http://a.example:8080", "/x?y=1", "what is not https says so"],
  ["https://a.example/%C3%A9t%C3%A9/%D0%BF", "a.example", "/été/п", "letters as letters"],
  ["https://a.example/a%2Fb%20c%26d", "a.example", "/a%2Fb%20c%26d", "delimiters stay escaped"],
  ["https://a.example/%E2%80%AEgpj.exe", "a.example", "/%E2%80%AEgpj.exe", "no turned direction"],
  ["https://a.example/%00%ff", "a.example", "/%00%ff", "what is no text stays escaped"],
  ["https://xn--bcher-kva.example/", "xn--bcher-kva.example", "", "hosts as they are asked"],
  ["javascript:alert(1)", "javascript://", "alert(1)", "never a link, see Link"],
  ["no url", "", "no url", "no URL at all"],
])("%s for the eye", (url, host, path, why) => {
  expect(readableUrl(url), why).toEqual({ host, path });
});

test.each([
  ["https://a.example/x", "https://a.example/x"],
  ["a.example", "https://a.example"],
  ["  www.bücher.example/päth?q=1 ", "https://www.bücher.example/päth?q=1"],
  ["a.example:8080/x", "https://a.example:8080/x"],
  ["tide", null],
  ["tide table", null],
  ["e.g.", null],
  ["3.14", null],
  ["javascript:alert(1)", null],
  ["site:a.example", null],
  ["http://", null],
  ["https://[", null],
])("%s as an address", (query, expected) => {
  expect(addressIn(query)).toBe(expected);
});

describe("search links", () => {
  test("leave out what has its default and go to the first page", () => {
    const params = { ...DEFAULT_PARAMS, q: "a&b", lang: "fr", page: 3, sort: "date" as const };
    expect(searchHref(params)).toBe("/search?q=a%26b&lang=fr&sort=date");
    expect(searchHref(params, { page: 4 })).toBe("/search?q=a%26b&lang=fr&sort=date&page=4");
    expect(searchHref(params, { lang: null, sort: "relevance" }, "/search.rss")).toBe(
      "/search.rss?q=a%26b",
    );
    expect(searchHref(DEFAULT_PARAMS)).toBe("/search");
  });
});

describe("hits", () => {
  const hit: Hit = {
    id: 7,
    url: "https://a.example/x",
    host: "a.example",
    lang: "fr",
    title: [{ text: "Titre", match: false }],
    snippet: [{ text: "texte", match: false }],
    summary: null,
    publishedAt: null,
    crawledAt: new Date("2026-03-01T00:00:00Z"),
    moreFromHost: 0,
    folded: 0,
    score: 1,
  };
  const render = (change: Partial<Hit>) =>
    parsed(
      renderToString(
        <Hits
          hits={[{ ...hit, ...change }]}
          params={DEFAULT_PARAMS}
          words={words}
          raised={new Set()}
          places={undefined}
        />,
      ),
    );

  test.each([
    [{ url: "javascript:alert(1)" }, "a scheme that runs"],
    [{ url: " https://a.example/" }, "a space before the scheme"],
    [{ url: "data:text/html,x" }, "a page in an address"],
    [{ url: "https://" }, "no host"],
  ])("link to nothing: %p", (change, why) => {
    const page = render(change);
    expect(page.querySelector(".hit-title a"), why).toBeNull();
    expect(texts(page, ".hit-title")).toEqual(["Titre"]);
  });

  test("bear a missing title, odd languages and odd dates", () => {
    expect(texts(render({ title: [] }), ".hit-title")).toEqual(["Untitled page"]);
    expect(texts(render({ title: [{ text: "  ", match: false }] }), ".hit-title")).toEqual([
      "Untitled page",
    ]);
    expect(render({ lang: 'fr" onclick="x' }).querySelector("[lang]")).toBeNull();
    expect(render({ lang: "fr" }).querySelector(".hit-snippet")?.getAttribute("lang")).toBe("fr");
    expect(render({ crawledAt: new Date(Number.NaN) }).querySelector("time")).toBeNull();
    expect(render({ crawledAt: new Date(1e99) }).querySelector("time")).toBeNull();
  });

  test("are not drawn out by endless text", () => {
    const long = "x".repeat(100_000);
    const page = render({
      title: [{ text: long, match: false }],
      snippet: [{ text: long, match: true }],
      summary: long,
      url: `https://a.example/${long}`,
    });
    expect(page.querySelector("article")!.textContent!.length).toBeLessThan(1_600);
  });

  test("say of a summary that a machine wrote it, and show it as text", () => {
    expect(render({}).querySelector(".hit-summary")).toBeNull();
    const page = render({ summary: "<b>Bold</b> <script>alert(1)</script>" });
    expect(texts(page, ".hit-summary")).toEqual([
      "Summary by a machine: <b>Bold</b> <script>alert(1)</script>",
    ]);
    expect(page.querySelector("b, script")).toBeNull();
  });

  test("say more of a host only where there is more", () => {
    expect(render({}).querySelector("a[data-live]")).toBeNull();
    const link = render({ moreFromHost: 3 }).querySelector("a[data-live]");
    expect(link?.textContent).toBe("3 more from a.example");
    expect(link?.getAttribute("href")).toBe("/search?host=a.example");
  });

  test("explain each signal by a bar and a number, unknown ones and odd numbers too", () => {
    // A breakdown of another version may lack signals and have new ones.
    const explain = {
      text: 4,
      quality: 0.5,
      authority: 0.25,
      rules: 1,
      novel: Number.NaN,
    } as unknown as Breakdown;
    const page = parsed(
      renderToString(
        <Explain
          hit={hit}
          explain={explain}
          textMax={8}
          words={words}
          isOpen={false}
          isRaised={false}
          because={{}}
        />,
      ),
    );
    const numbers = texts(page, "tbody tr td:last-child");
    expect(numbers).toEqual(["4.00", "× 0.50", "0.25", "neutral", "–"]);
    const bars = [...page.querySelectorAll("rect[class]")].map((bar) => [
      bar.getAttribute("class"),
      Number(bar.getAttribute("x") ?? 0),
      Number(bar.getAttribute("width")),
    ]);
    expect(bars).toEqual([
      ["bar-value", 0, 50],
      ["bar-less", 25, 25],
      ["bar-value", 0, 25],
      ["bar-value", 50, 0],
      ["bar-value", 0, 0],
    ]);
  });
});

test("suggestions open pages of the web and nothing else", () => {
  const page = parsed(
    renderToString(
      <Suggestions
        suggestions={[
          { kind: "query", text: HOSTILE },
          { kind: "page", text: HOSTILE, url: "https://a.example/x" },
          { kind: "page", text: HOSTILE, url: "javascript:alert(1)" },
        ]}
      />,
    ),
  );
  const options = [...page.querySelectorAll("[role=option]")];
  expect(options.map((option) => option.getAttribute("data-href"))).toEqual([
    null,
    "https://a.example/x",
    null,
  ]);
  expect(options.map((option) => option.getAttribute("data-words"))).toEqual(
    Array(3).fill(HOSTILE),
  );
  expect(page.querySelector("script, b")).toBeNull();
});
