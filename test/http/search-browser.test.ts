import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { browserPath, openBrowser } from "../support/browser.ts";
import { BOOKS, searchBooks } from "../support/library.ts";
import { servePublicSite } from "../support/public-site.ts";
import { until } from "../support/until.ts";

type Opened = NonNullable<Awaited<ReturnType<typeof openBrowser>>>;

let browser: Opened;
let site: ReturnType<typeof servePublicSite>;
/** Queries that the index was asked, in order; `held` keeps those about "slow" waiting. */
const asked: string[] = [];
let held = Promise.withResolvers<void>();

// A browser beside other work on a small machine takes its time; a hang must still end.
setDefaultTimeout(120_000);

const hasBrowser = browserPath() !== null;

beforeAll(async () => {
  const opened = await openBrowser();
  if (opened === null) return;
  browser = opened;
  site = servePublicSite({
    async search(request) {
      asked.push(request.query);
      if (request.query.startsWith("slow")) await held.promise;
      return searchBooks(BOOKS, request);
    },
  });
});

afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: "en", ...options });
  // Where results lead: no test may ask the real web.
  await context.route(/\.example\//, (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>the page itself</title>" }),
  );
  const page = await context.newPage();
  page.setDefaultTimeout(45_000);
  await page.goto(site.url + path);
  return page;
}

const here = (page: Page) => page.url().slice(site.url.length);
const count = (page: Page) => page.locator(".summary strong").textContent();
const isAt = (page: Page, path: string) =>
  until(() => here(page) === path, { what: `${path}, not ${here(page)}` });

describe.skipIf(!hasBrowser)("with JavaScript", () => {
  test("results come while one types; the URL holds them; back and forward work", async () => {
    const page = await open("/");
    await page.locator("#q").pressSequentially("tidal", { delay: 15 });
    await page.locator(".hit").first().waitFor();
    await isAt(page, "/search?q=tidal");
    await until(async () => (await page.title()) === "tidal – search · Trawl", { what: "title" });
    await page.locator("#q").press("End");
    await page.locator("#q").pressSequentially(" fares", { delay: 15 });
    await isAt(page, "/search?q=tidal+fares");
    await page.goBack();
    await isAt(page, "/");
    await page.locator(".tips").waitFor();
    expect(await page.locator("#q").inputValue()).toBe("");
    await page.goForward();
    await page.locator(".hit").first().waitFor();
    expect(await page.locator("#q").inputValue()).toBe("tidal fares");
    await page.context().close();
  });

  test("a stretch of typing is one request and the last one wins", async () => {
    const page = await open("/");
    const before = asked.length;
    let isOver = false;
    for (const end of ["requestfinished", "requestfailed"] as const) {
      page.on(end as "requestfinished", (request) => {
        isOver ||= request.url().includes("/search?q=slow");
      });
    }
    // In one go: a busy machine types too slowly for the debounce.
    await page.locator("#q").evaluate((field: HTMLInputElement, text) => {
      for (let end = 1; end <= text.length; end += 1) {
        field.value = text.slice(0, end);
        field.dispatchEvent(new Event("input"));
      }
    }, "slow tide");
    await until(() => asked.includes("slow tide"));
    expect(asked.slice(before)).toEqual(["slow tide"]);
    await page.locator("#q").fill("marée");
    await page.locator(".hit").first().waitFor();
    const first = page.locator(".hit-title").first();
    expect(await first.textContent()).toBe("L’énergie marémotrice");
    held.resolve();
    await until(() => isOver, { what: "the end of the slow request" });
    await page.evaluate(async () => {
      for (let frame = 0; frame < 10; frame += 1) await new Promise(requestAnimationFrame);
    });
    expect(await first.textContent()).toBe("L’énergie marémotrice");
    expect(here(page)).toBe("/search?q=mar%C3%A9e");
    held = Promise.withResolvers();
    await page.context().close();
  });

  test("counts are announced politely, once per answer", async () => {
    const page = await open("/");
    const status = page.getByRole("status");
    await page.locator("#q").fill("tidal");
    await until(async () => (await status.textContent()) === "120 results");
    await page.locator("#q").fill("zzz");
    await until(async () => (await status.textContent()) === "No results");
    await page.context().close();
  });

  test("suggestions are a combobox with a listbox", async () => {
    const page = await open("/");
    const field = page.getByRole("combobox");
    const options = page.getByRole("option");
    await field.pressSequentially("tid", { delay: 10 });
    await options.first().waitFor();
    expect(await field.getAttribute("aria-expanded")).toBe("true");
    await field.press("ArrowDown");
    await field.press("ArrowDown");
    const active = await field.getAttribute("aria-activedescendant");
    expect(active).toBe("suggestion-1");
    expect(await page.locator(`#${active}`).getAttribute("aria-selected")).toBe("true");
    await field.press("ArrowUp");
    await field.press("ArrowUp");
    expect(await field.getAttribute("aria-activedescendant")).toBeNull();
    await field.press("ArrowUp");
    expect(await field.getAttribute("aria-activedescendant")).toBe("suggestion-2");
    await field.press("Enter");
    await isAt(page, "/search?q=tide+table");
    expect(await field.inputValue()).toBe("tide table");
    expect(await field.getAttribute("aria-expanded")).toBe("false");
    await page.context().close();
  });

  test("Escape closes the suggestions and keeps the words; a click takes one", async () => {
    const page = await open("/");
    const field = page.getByRole("combobox");
    await field.pressSequentially("tid", { delay: 10 });
    await page.getByRole("option").first().waitFor();
    await field.press("Escape");
    expect(await page.getByRole("option").count()).toBe(0);
    expect(await field.inputValue()).toBe("tid");
    await field.pressSequentially("a", { delay: 10 });
    await page.getByRole("option", { name: "tidal barrage" }).click();
    await isAt(page, "/search?q=tidal+barrage");
    await page.context().close();
  });

  test("the keyboard goes to the field, through the results and into a page", async () => {
    const page = await open("/search?q=tidal");
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
    await page.keyboard.press("/");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("q");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe("Tidal power in the bay");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe("Harbour timetable and fares");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("q");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await until(() => page.url() === BOOKS[0]!.url);
    await page.goBack();
    await isAt(page, "/search?q=tidal");
    await page.context().close();
  });

  test("filters, order and pages are swapped in, each a place in the history", async () => {
    const page = await open("/search?q=tidal");
    await page.locator(".facet-link", { hasText: "French" }).click();
    await isAt(page, "/search?q=tidal&lang=fr");
    await until(async () => (await count(page)) === "24 results");
    await page.locator(".sorts a", { hasText: "Newest" }).click();
    await isAt(page, "/search?q=tidal&lang=fr&sort=date");
    await page.locator(".pager a[rel=next]").click();
    await isAt(page, "/search?q=tidal&lang=fr&sort=date&page=2");
    await page.locator("#q").fill("marée");
    await isAt(page, "/search?q=mar%C3%A9e&lang=fr&sort=date");
    for (const path of ["&lang=fr&sort=date&page=2", "&lang=fr&sort=date", "&lang=fr", ""]) {
      await page.goBack();
      await isAt(page, `/search?q=tidal${path}`);
    }
    await until(async () => (await count(page)) === "120 results");
    expect(await page.locator("#q").inputValue()).toBe("tidal");
    await page.context().close();
  });

  test("a site can be hidden and shown again", async () => {
    const page = await open("/search?q=tidal&explain=1");
    await page.locator(".hit button[value^='block ']").first().click();
    await page.locator(".hidden-hosts").waitFor();
    expect(await page.locator(".hit-host", { hasText: "sea.example" }).count()).toBe(0);
    await page.reload();
    await page.locator(".hidden-hosts button").click();
    await page.locator(".hit-host", { hasText: "sea.example" }).first().waitFor();
    await page.context().close();
  });

  test("a server that is gone is told of, and the last results stay", async () => {
    const page = await open("/search?q=tidal");
    await page.context().setOffline(true);
    await page.locator("#q").fill("marées");
    await page.getByText("The server does not answer.").waitFor();
    expect(await page.locator(".hit").count()).toBe(10);
    await page.context().close();
  });
});

describe.skipIf(!hasBrowser)("without JavaScript", () => {
  test("the form, filters, pages, explanations and languages work", async () => {
    const page = await open("/", { javaScriptEnabled: false });
    await page.locator("#q").fill("tidal");
    await page.locator("#q").press("Enter");
    await isAt(page, "/search?q=tidal");
    expect(await page.locator(".hit").count()).toBe(10);
    await page.locator(".facet-link", { hasText: "French" }).click();
    await isAt(page, "/search?q=tidal&lang=fr");
    await page.locator(".pager a[rel=next]").click();
    await isAt(page, "/search?q=tidal&lang=fr&page=2");
    await page.locator(".explain summary").first().click();
    expect(await page.locator(".explain-card").first().isVisible()).toBe(true);
    await page.locator("#filters input[name=from]").fill("2026-01-01");
    await page.locator("#filters form button").click();
    await isAt(page, "/search?q=tidal&lang=fr&from=2026-01-01&to=");
    await page.locator("button", { hasText: "Русский" }).click();
    await isAt(page, "/search?q=tidal&lang=fr&from=2026-01-01&to=");
    expect(await page.locator("html").getAttribute("lang")).toBe("ru");
    await page.goto(`${site.url}/submit`);
    await page.locator("#url").fill("https://a.example/");
    await page.locator("form.submit-form button").click();
    expect(await page.locator("#outcome").textContent()).toContain("Спасибо");
    await page.context().close();
  });
});
