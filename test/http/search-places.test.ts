import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { SearchRequest } from "../../src/search/search.ts";
import { LANGUAGES, wordsOf } from "../../templates/words/words.ts";
import { browserPath, openBrowser } from "../support/browser.ts";
import { htmlOf, texts } from "../support/html.ts";
import { BOOKS, searchBooks } from "../support/library.ts";
import { publicDeps, publicSite, servePublicSite } from "../support/public-site.ts";

setDefaultTimeout(120_000);

const { settings } = publicDeps();
const REGION = { settings: { ...settings, region: "Québec" } };
const NAMED = { near: [{ written: "Saguenay", weight: 1 }], elsewhere: [] };

/** A site with a region that notes what it is asked. */
function site(places?: NonNullable<ReturnType<typeof searchBooks>["places"]>) {
  const asked: SearchRequest[] = [];
  const search = async (request: SearchRequest) => {
    asked.push(request);
    const results = searchBooks(BOOKS, request);
    return places === undefined ? results : { ...results, places };
  };
  return { asked, ...publicSite({ ...REGION, search }) };
}

const ask = async (path: string, places?: Parameters<typeof site>[0]) =>
  htmlOf(await site(places).ask(path));

describe("a category", () => {
  test("is counted, chosen and taken off again by links, named in the reader's language", async () => {
    const page = await ask("/search?q=tidal");
    const link = page.querySelector('a[href="/search?q=tidal&category=news"]');
    expect(link?.textContent).toBe("News");
    const chosen = await ask("/search?q=tidal&category=news");
    expect(texts(chosen, ".chip bdi")).toEqual(["News"]);
    expect(chosen.querySelector(".chip")?.getAttribute("href")).toBe("/search?q=tidal");
    expect(texts(chosen, ".summary strong")).toEqual(["30 results"]);
    const french = await htmlOf(
      await site().ask("/search?q=tidal", { headers: { "accept-language": "fr" } }),
    );
    expect(texts(french, ".facet-link bdi")).toContain("Actualités");
    for (const language of LANGUAGES) {
      expect(new Set(Object.values(wordsOf(language).places.categories)).size).toBe(12);
    }
  });

  test("that nobody knows is shown as it is written, escaped", async () => {
    const page = await ask(`/search?q=tidal&category=${encodeURIComponent("<b>own</b>")}`);
    expect(texts(page, ".chip bdi")).toEqual(["<b>own</b>"]);
  });
});

describe("a place", () => {
  test("is asked for by a plain form that keeps the rest, or by a link to the whole region", async () => {
    const page = await ask("/search?q=tidal&lang=fr&page=2");
    const field = page.querySelector('input[type=text][name="region"]');
    expect(field?.closest("form")?.getAttribute("method")).toBe("get");
    const kept = [...field!.closest("form")!.querySelectorAll("input[type=hidden]")];
    expect(kept.map((each) => each.getAttribute("name"))).toEqual(["q", "lang"]);
    expect(page.querySelector('a[href*="region=Qu%C3%A9bec"]')?.textContent).toBe("All of Québec");
  });

  test("that is chosen stands in the address, the search field's form and a chip", async () => {
    const page = await ask("/search?q=tidal&region=Sept-%C3%8Eles");
    expect(texts(page, ".chip bdi")).toEqual(["Near Sept-Îles"]);
    expect(page.querySelector('#search input[name="region"]')?.getAttribute("value")).toBe(
      "Sept-Îles",
    );
    expect(page.querySelector('input[type=text][name="region"]')).toBeNull();
    const nothing = await ask("/search?q=zzzz&region=Matane");
    expect(texts(nothing, ".nothing a")).not.toContain("Search without filters");
  });

  test("goes to the index with every form of the search; a malformed one is a 400", async () => {
    const own = site();
    for (const path of ["/search", "/api/search", "/search.rss"]) {
      await own.ask(`${path}?q=tidal&region=Matane&category=news`);
    }
    for (const request of own.asked) {
      expect(request).toMatchObject({ region: "Matane", category: "news" });
    }
    expect(own.asked).toHaveLength(3);
    expect((await own.ask(`/api/search?q=x&region=${"a".repeat(101)}`)).status).toBe(400);
    expect((await own.ask("/api/search?q=x&region=a%00b")).status).toBe(400);
  });

  test("is no choice where there is no region", async () => {
    const page = await htmlOf(await publicSite().ask("/search?q=tidal"));
    expect(page.querySelector('input[name="region"]')).toBeNull();
  });
});

describe("the explanation", () => {
  test("says which place was understood, in words and in JSON", async () => {
    const page = await ask("/search?q=tidal+saguenay", NAMED);
    expect(texts(page, ".explain-table th").join("\n")).toContain("asked for: Saguenay");
    const answer = await site(NAMED).ask("/api/search?q=tidal+saguenay&explain=1");
    expect(((await answer.json()) as { places: unknown }).places).toEqual({
      near: ["Saguenay"],
      elsewhere: [],
    });
  });

  test("says why pages of the region do not come first", async () => {
    const page = await ask("/search?q=tidal+paris", { near: [], elsewhere: ["Paris"] });
    const said = texts(page, "article:first-of-type .explain-table th").join("\n");
    expect(said).toContain("the query names Paris, which lies elsewhere");
  });

  test("names nothing when nothing was named", async () => {
    const answer = await site().ask("/api/search?q=tidal&explain=1");
    expect(await answer.json()).not.toHaveProperty("places");
  });
});

describe.skipIf(browserPath() === null)("in a browser", () => {
  let browser: NonNullable<Awaited<ReturnType<typeof openBrowser>>>;
  let served: ReturnType<typeof servePublicSite>;
  beforeAll(async () => {
    browser = (await openBrowser())!;
    served = servePublicSite(REGION);
  });
  afterAll(async () => {
    await browser.close();
    await served.stop();
  });

  test.each([true, false])("category and place are chosen and left, JavaScript %p", async (js) => {
    const viewport = { width: 320, height: 700 };
    const context = await browser.newContext({ locale: "en", javaScriptEnabled: js, viewport });
    const page = await context.newPage();
    await page.goto(`${served.url}/search?q=tidal`);
    await page.getByRole("link", { name: "News", exact: true }).click();
    await page.waitForURL("**/search?q=tidal&category=news");
    await page.getByLabel("Town or area").fill("Sept-Îles");
    await page
      .getByRole("region", { name: "Place" })
      .or(page.locator("form[aria-labelledby=place]"))
      .getByRole("button")
      .first()
      .click();
    await page.waitForURL("**/search?q=tidal&category=news&region=Sept-%C3%8Eles");
    const chips = page.locator(".chip bdi");
    await chips.nth(1).waitFor();
    expect(await chips.allTextContents()).toEqual(["News", "Near Sept-Îles"]);
    await page.getByRole("link", { name: "Remove the filter Near Sept-Îles" }).click();
    await page.waitForURL("**/search?q=tidal&category=news");
    await context.close();
  });
});
