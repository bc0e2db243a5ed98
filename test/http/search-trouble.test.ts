import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { IndexUnavailable } from "../../src/search/port.ts";
import { browserPath } from "../support/browser.ts";
import { BOOKS, searchBooks } from "../support/library.ts";
import { openPublicBrowser, type PublicBrowser } from "../support/public-browser.ts";
import { until } from "../support/until.ts";

const hasBrowser = browserPath() !== null;
setDefaultTimeout(120_000);

let opened: PublicBrowser | null = null;
let isDown = false;
/** What came in while the index was down. */
let refused = 0;

beforeAll(async () => {
  opened = await openPublicBrowser({
    async search(request) {
      if (isDown) refused += 1;
      if (isDown) throw new IndexUnavailable("down");
      return searchBooks(BOOKS, request);
    },
  });
});

afterAll(() => opened?.close());

const open: PublicBrowser["open"] = (path, options) => opened!.open(path, options);

/** Answers of a server that is asked to be left alone for a second. */
const refuse = (page: Page, pattern: string, status: number, body: string) =>
  page.route(pattern, (route) =>
    route.fulfill({ status, contentType: "text/html", headers: { "retry-after": "1" }, body }),
  );

const shown = (page: Page) => page.locator("#trouble:not(:empty)");
const count = (page: Page) => page.locator(".summary strong").textContent();

describe.skipIf(!hasBrowser)("trouble while one searches", () => {
  test("an index that is down is told of over the last results; the page heals by itself", async () => {
    const page = await open("/search?q=tidal");
    isDown = true;
    await page.locator("#q").fill("marée");
    await until(
      async () => (await shown(page).textContent()) === "The search index cannot be reached",
    );
    expect(await page.locator(".hit").count()).toBe(10);
    expect(page.url()).toEndWith("q=mar%C3%A9e");
    isDown = false;
    await until(async () => (await count(page)) === "24 results");
    expect(await shown(page).count()).toBe(0);
    await page.context().close();
  });

  test("a page that came while the index was down heals too", async () => {
    isDown = true;
    const page = await open("/search?q=tidal");
    await page.locator(".message").waitFor();
    const before = refused;
    await until(() => refused > before, { what: "another try" });
    isDown = false;
    await page.locator(".hit").first().waitFor();
    await page.context().close();
  });

  test("too many requests keep results and field; suggestions that fail leave the arrows alone", async () => {
    const page = await open("/search?q=tidal");
    const body = `<section data-announce="Too many requests"><p>Too many requests</p></section>`;
    await refuse(page, "**/search?*", 429, body);
    await refuse(page, "**/suggest?*", 429, body);
    const field = page.locator("#q");
    await field.fill("tidal fares");
    await until(async () => (await shown(page).textContent()) === "Too many requests");
    expect(await page.locator(".hit").count()).toBe(10);
    expect(await field.getAttribute("aria-expanded")).toBe("false");
    await field.press("ArrowDown");
    expect(await page.evaluate(() => document.activeElement?.closest(".hit") !== null)).toBe(true);
    await page.unrouteAll();
    await until(async () => (await shown(page).count()) === 0, { what: "a second try" });
    expect(page.url()).toEndWith("q=tidal+fares");
    await page.context().close();
  });

  test("a server that comes back is asked again for what the address says by then", async () => {
    const page = await open("/search?q=tidal");
    await page.context().setOffline(true);
    await page.locator("#q").fill("ferries");
    await page.getByText("The server does not answer.").waitFor();
    await page.goBack();
    expect(await shown(page).count()).toBe(0);
    await page.goForward();
    await shown(page).waitFor();
    await page.context().setOffline(false);
    await until(async () => (await count(page)) === "24 results");
    expect(await page.title()).toBe("ferries – search · Trawl");
    await page.context().close();
  });

  test("the slower of two answers is thrown away, whichever it is", async () => {
    const page = await open("/");
    const gates = new Map(["tidal", "ferries"].map((q) => [q, Promise.withResolvers<void>()]));
    let begun = 0;
    await page.route("**/search?*", async (route) => {
      begun += 1;
      await gates.get(new URL(route.request().url()).searchParams.get("q") ?? "")?.promise;
      await route.continue().catch(() => {});
    });
    for (const words of gates.keys()) {
      const before = begun;
      await page.locator("#q").fill(words);
      await until(() => begun > before);
    }
    gates.get("ferries")!.resolve();
    await until(async () => (await count(page)) === "24 results");
    gates.get("tidal")!.resolve();
    await page.waitForTimeout(100);
    expect(await count(page)).toBe("24 results");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.context().close();
  });

  test("what an input method is still composing is no query, and its Enter opens nothing", async () => {
    const page = await open("/");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const field = page.locator("#q");
    await field.focus();
    const devtools = await page.context().newCDPSession(page);
    const compose = (text: string) =>
      devtools.send("Input.imeSetComposition", { text, selectionStart: 1, selectionEnd: 1 });
    await compose("ch");
    await compose("潮");
    await field.dispatchEvent("keydown", { key: "Enter", isComposing: true });
    await page.waitForTimeout(400);
    expect(asked.filter((path) => !path.startsWith("/assets/"))).toEqual([]);
    await devtools.send("Input.insertText", { text: "潮汐" });
    await until(() => page.url().includes(encodeURIComponent("潮汐")));
    expect(await field.inputValue()).toBe("潮汐");
    await page.context().close();
  });

  test("another language and the feed are those of the search that was typed", async () => {
    const page = await open("/");
    await page.locator("#q").fill("tidal");
    await page.locator(".hit").first().waitFor();
    const feed = page.locator("link[type='application/rss+xml']");
    expect(await feed.getAttribute("href")).toBe("/search.rss?q=tidal");
    await page.locator(".facet-link", { hasText: "French" }).click();
    await until(async () => (await feed.getAttribute("href")) === "/search.rss?q=tidal&lang=fr");
    await page.locator("button", { hasText: "Português" }).click();
    await until(async () => (await page.locator("html").getAttribute("lang")) === "pt");
    expect(page.url()).toBe(`${opened!.site.url}/search?q=tidal&lang=fr`);
    await page.context().close();
  });
});
