import { describe, expect, test } from "bun:test";
import { IndexUnavailable } from "../../src/search/port.ts";
import type { SearchRequest } from "../../src/search/search.ts";
import { htmlOf, texts } from "../support/html.ts";
import { BOOKS, searchBooks } from "../support/library.ts";
import { publicSite } from "../support/public-site.ts";

const FRAGMENT = { "hx-request": "true", "hx-request-type": "partial" };

describe("the search page", () => {
  test("shows results as an ordered list of articles with marks, dates, addresses", async () => {
    const page = await htmlOf(await publicSite().ask("/search?q=tidal"));
    expect(texts(page, "ol.hits > li > article h2 a")).toHaveLength(10);
    expect(page.querySelector(".hit-title a")?.getAttribute("href")).toBe(BOOKS[0]!.url);
    expect(page.querySelector(".hit-title a")?.getAttribute("rel")).toContain("noopener");
    expect(texts(page, ".hit-title mark")[0]).toBe("Tidal");
    expect(texts(page, ".hit-address mark")[0]).toBe("tidal");
    expect(texts(page, ".hit-facts time")[0]).toBe("Mar 1, 2026");
    expect(page.querySelector("#q")?.getAttribute("value")).toBe("tidal");
    expect(texts(page, ".summary strong")).toEqual(["120 results"]);
  });

  test("holds the whole state in its links", async () => {
    const page = await htmlOf(
      await publicSite().ask("/search?q=tidal&lang=fr&sort=date&per_page=5&page=2"),
    );
    const hrefs = [...page.querySelectorAll("a[data-live]")].map((a) => a.getAttribute("href"));
    expect(hrefs).toContain("/search?q=tidal&lang=fr&sort=date&per_page=5");
    expect(hrefs).toContain("/search?q=tidal&lang=fr&sort=date&per_page=5&page=3");
    expect(hrefs).toContain("/search?q=tidal&lang=fr&per_page=5");
    expect(hrefs).toContain("/search?q=tidal&sort=date&per_page=5");
    expect(hrefs).toContain("/search?q=tidal&lang=fr&host=sea.example&sort=date&per_page=5");
    const kept = [...page.querySelectorAll("#search input[type=hidden]")].map(
      (input) => `${input.getAttribute("name")}=${input.getAttribute("value")}`,
    );
    expect(kept).toEqual(["lang=fr", "sort=date", "per_page=5"]);
  });

  test("asks with a last word as one types it; programs ask exactly", async () => {
    const asked: (boolean | undefined)[] = [];
    const search = async (request: SearchRequest) => {
      asked.push(request.isAsTyped);
      return searchBooks(BOOKS, request);
    };
    const site = publicSite({ search });
    await site.ask("/search?q=tid");
    await site.ask("/search?q=tid", { headers: FRAGMENT });
    await site.ask("/api/search?q=tid");
    await site.ask("/search.rss?q=tid");
    expect(asked).toEqual([true, true, undefined, undefined]);
  });

  test("answers scripts with the fragment alone, and says so to caches", async () => {
    const answer = await publicSite().ask("/search?q=tidal", { headers: FRAGMENT });
    expect(answer.headers.get("vary")).toContain("HX-Request-Type");
    const text = await answer.text();
    expect(text).toStartWith('<div class="search-view"');
    expect(text).toContain('data-announce="120 results"');
    expect(text).toContain('data-title="tidal – search · Trawl"');
  });

  test("pages forward one at a time and ends where results end", async () => {
    const site = publicSite();
    const first = await htmlOf(await site.ask("/search?q=tidal"));
    expect(texts(first, ".pager a")).toEqual(["1", "Next"]);
    const third = await htmlOf(await site.ask("/search?q=tidal&page=3&collapse=none"));
    expect(texts(third, ".pager a")).toEqual(["Previous", "1", "2", "3", "Next"]);
    expect(third.querySelector("ol.hits")?.getAttribute("start")).toBe("21");
    const last = await htmlOf(await site.ask("/search?q=tidal&page=12&collapse=none"));
    expect(texts(last, ".pager a")).not.toContain("Next");
    const beyond = await htmlOf(await site.ask("/search?q=tidal&page=20&collapse=none"));
    expect(texts(beyond, ".nothing a")).toEqual(["Go to the first page"]);
  });

  test("explains each place, open when the address says so", async () => {
    const site = publicSite();
    const closed = await htmlOf(await site.ask("/search?q=tidal"));
    expect(closed.querySelectorAll("details.explain")).toHaveLength(10);
    expect(closed.querySelectorAll("details.explain[open]")).toHaveLength(0);
    const open = await htmlOf(await site.ask("/search?q=tidal&explain=1"));
    expect(open.querySelectorAll("details.explain[open]")).toHaveLength(10);
    expect(texts(open, ".explain tbody th")[0]).toStartWith("Words");
    expect(open.querySelector("[style]")).toBeNull();
  });

  test("says why nothing was found, by case", async () => {
    const site = publicSite();
    const rows = [
      ["/search?q=zzz", ".nothing p", "No page in this index holds these words."],
      ["/search?q=zzz&lang=fr", ".nothing a", "Search without filters"],
      ["/search?q=example.org/path", ".crawl-this a", "Ask for this page to be crawled"],
      ["/search?q=tydal", ".did-you-mean a", "tidal"],
    ] as const;
    for (const [path, selector, expected] of rows) {
      expect(texts(await htmlOf(await site.ask(path)), selector)).toContain(expected);
    }
    const empty = publicSite({ indexed: async () => 0 });
    expect(texts(await htmlOf(await empty.ask("/search?q=zzz")), ".nothing p")).toContain(
      "The index is still empty: no page has been fetched yet.",
    );
    const link = (await htmlOf(await site.ask("/search?q=example.org/path"))).querySelector(
      ".crawl-this a",
    );
    expect(link?.getAttribute("href")).toBe("/submit?url=https%3A%2F%2Fexample.org%2Fpath");
  });

  test("without a query it is the front page, with the number of pages", async () => {
    for (const path of ["/", "/search", "/search?q=%20"]) {
      const page = await htmlOf(await publicSite().ask(path));
      expect(texts(page, ".tips-intro")[0]).toContain("120 pages can be searched.");
    }
    const blind = publicSite({ indexed: () => Promise.reject(new Error("index is down")) });
    expect((await blind.ask("/")).status).toBe(200);
  });

  test("names what was left out of the order", async () => {
    const site = publicSite({
      search: async (request) => ({
        ...searchBooks(BOOKS, request),
        degraded: ["store", "freshness", "novel"],
      }),
    });
    const page = await htmlOf(await site.ask("/search?q=tidal"));
    expect(texts(page, ".notice")).toEqual([
      "The database cannot be reached; these results come from the index alone.",
      "Some signals were left out of the order: Freshness, novel.",
    ]);
  });

  test("speaks the language of the reader; lang= stays a filter", async () => {
    const site = publicSite();
    const rows = [
      [{ "accept-language": "fr-CH, fr;q=0.9, en;q=0.8" }, "fr", "120 résultats"],
      [{ "accept-language": "de, pt;q=0.5" }, "pt", "120 resultados"],
      [{ "accept-language": "en", cookie: "trawl_lang=ru" }, "ru", "120 результатов"],
      [{ "accept-language": "xx" }, "en", "120 results"],
      [{ cookie: "trawl_lang=../../etc" }, "en", "120 results"],
    ] as const;
    for (const [headers, lang, count] of rows) {
      const page = await htmlOf(await site.ask("/search?q=tidal", { headers }));
      expect(page.documentElement.getAttribute("lang")).toBe(lang);
      expect(texts(page, ".summary strong")).toEqual([count]);
    }
    const page = await htmlOf(await site.ask("/search?q=tidal&lang=fr"));
    expect(page.documentElement.getAttribute("lang")).toBe("en");
  });

  test("tells the search in which language the page was read; the API has none", async () => {
    const told: unknown[] = [];
    const site = publicSite({
      search: async (request) => {
        told.push([request.pageLang, request.lang]);
        return searchBooks(BOOKS, request);
      },
    });
    const headers = { "accept-language": "fr" };
    await site.ask("/search?q=pain", { headers });
    await site.ask("/search?q=pain&lang=pt", { headers });
    await site.ask("/api/search?q=pain", { headers });
    expect(told).toEqual([
      ["fr", undefined],
      ["fr", "pt"],
      [undefined, undefined],
    ]);
  });
});

describe("an index that is down", () => {
  const outages = {
    "says so": () => Promise.reject(new IndexUnavailable("down")),
    "breaks the connection": () =>
      Promise.reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" })),
  };
  test.each(Object.entries(outages))(
    "that %s: 503 with Retry-After everywhere",
    async (_, search) => {
      const site = publicSite({ search });
      for (const path of ["/search?q=tidal", "/api/search?q=tidal", "/search.rss?q=tidal"]) {
        const answer = await site.ask(path);
        expect(answer.status).toBe(503);
        expect(answer.headers.get("retry-after")).toBe("5");
      }
      const page = await htmlOf(await site.ask("/search?q=tidal"));
      expect(texts(page, ".message h1")).toEqual(["The search index cannot be reached"]);
      expect((await site.ask("/")).status).toBe(200);
    },
  );
});

describe("what the index is asked", () => {
  test("is the address, parsed", async () => {
    const asked: SearchRequest[] = [];
    const site = publicSite({
      async search(request) {
        asked.push(request);
        return searchBooks(BOOKS, request);
      },
    });
    await site.ask(
      "/api/search?q=a%00b&lang=FR&host=B%C3%BCcher.example&year=2025&from=2025-06-01" +
        "&page=2&per_page=20&sort=date&collapse=none&explain=1",
    );
    expect(asked).toEqual([
      {
        query: "a b",
        page: 2,
        perPage: 20,
        sort: "date",
        lang: "fr",
        host: "xn--bcher-kva.example",
        year: 2025,
        from: Date.parse("2025-06-01T00:00:00Z"),
        collapse: "none",
        explain: true,
      },
    ]);
  });
});
