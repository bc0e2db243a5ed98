import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserPath } from "../support/browser.ts";
import { BOOKS, type Book, searchBooks } from "../support/library.ts";
import { openPublicBrowser, type PublicBrowser } from "../support/public-browser.ts";
import { until } from "../support/until.ts";

const hasBrowser = browserPath() !== null;
setDefaultTimeout(120_000);

/** A hundred marks upon one letter, as some write to be seen. */
const STACKED = `Z${"\u0301\u0323".repeat(100)}`;
const books: Book[] = BOOKS.map((book, at) =>
  at === 1 ? { ...book, title: `${STACKED} tidal` } : book,
);

let opened: PublicBrowser | null = null;

beforeAll(async () => {
  opened = await openPublicBrowser({
    async search(request) {
      const results = searchBooks(books, request);
      return { ...results, hits: results.hits.map((hit, at) => ({ ...hit, folded: at ? 0 : 71 })) };
    },
  });
});

afterAll(() => opened?.close());

const open: PublicBrowser["open"] = (path, options) => opened!.open(path, options);

describe.skipIf(!hasBrowser)("the search page", () => {
  test("going back while results are on their way keeps address, field and page together", async () => {
    const page = await open("/search?q=tidal");
    const [held, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route("**/search?*sort=date*", async (route) => {
      await held.promise;
      await route.continue().catch(() => {});
      arrived.resolve();
    });
    await page.locator(".sorts a", { hasText: "Newest" }).click();
    await until(() => page.url().endsWith("sort=date"));
    await page.goBack();
    await until(() => page.url() === `${opened!.site.url}/search?q=tidal`);
    held.resolve();
    await arrived.promise;
    await page.evaluate(async () => {
      for (let frame = 0; frame < 10; frame += 1) await new Promise(requestAnimationFrame);
    });
    const current = page.locator(".sorts [aria-current]");
    expect(await current.textContent()).toBe("Best match");
    expect(await page.locator("#results").getAttribute("aria-busy")).toBeNull();
    await page.unroute("**/search?*sort=date*");
    await page.goForward();
    await until(async () => (await current.textContent()) === "Newest first");
    await page.context().close();
  });

  test("words without end are cut before a server would refuse them", async () => {
    const page = await open("/search?q=tidal");
    const refused: number[] = [];
    page.on("response", (response) => {
      if (response.status() >= 400) refused.push(response.status());
    });
    const field = page.locator("#q");
    await field.focus();
    await field.press("Control+A");
    await page.keyboard.insertText("ж".repeat(6_000));
    expect((await field.inputValue()).length).toBe(1_000);
    await page.locator(".nothing h2").waitFor();
    // A script knows no limit of the field.
    await field.evaluate((input: HTMLInputElement) => {
      input.value = "я".repeat(6_000);
      input.dispatchEvent(new Event("input"));
    });
    await until(() => page.url().includes("%D1%8F"));
    await page.getByText(`“${"я".repeat(80)}…”`).waitFor();
    expect(await page.title()).toBe(`${"я".repeat(80)}… – search · Trawl`);
    expect(refused).toEqual([]);
    await page.context().close();
  });

  test("marks stacked upon a letter reach no other result", async () => {
    const page = await open("/search?q=tidal");
    const hits = page.locator(".hit");
    await hits.nth(1).waitFor();
    expect(await hits.nth(1).evaluate((hit) => getComputedStyle(hit).overflow)).toBe("clip");
    const gap = await hits.nth(2).evaluate((hit) => {
      const before = hit.previousElementSibling!.getBoundingClientRect();
      const room = Number.parseFloat(getComputedStyle(hit).overflowClipMargin);
      return hit.getBoundingClientRect().top - before.bottom - room;
    });
    expect(gap).toBeGreaterThan(0);
    await page.context().close();
  });

  test("what was folded is counted and can be shown", async () => {
    const page = await open("/search?q=tidal&lang=en");
    await page.getByRole("link", { name: "Show 71 similar pages" }).click();
    await until(() => page.url() === `${opened!.site.url}/search?q=tidal&lang=en&collapse=none`);
    await page.context().close();
  });
});
