import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { BrowserContextOptions, Page } from "playwright-core";
import { IndexUnavailable } from "../../src/search/port.ts";
import { browserPath, openBrowser } from "../support/browser.ts";
import { BOOKS, searchBooks } from "../support/library.ts";
import { faults, overflow } from "../support/looks.ts";
import { publicDeps, servePublicSite } from "../support/public-site.ts";
import { suite } from "../support/suites.ts";
import { until } from "../support/until.ts";

type Opened = NonNullable<Awaited<ReturnType<typeof openBrowser>>>;

const PAGES = [
  "/",
  "/search?q=tidal&explain=1&lang=fr&per_page=2",
  "/search?q=tidal&category=news&region=Sept-%C3%8Eles&per_page=2",
  "/search?q=zzz.example",
  "/search?q=down",
  "/search?q=x&page=0",
  "/cached/1?q=tidal",
  "/submit?url=https://a.example/",
  "/bot",
];
const WEIGHT_MAX_BYTES = 60_000;

// A browser beside other work on a small machine takes its time; a hang must still end.
setDefaultTimeout(120_000);

const hasBrowser = browserPath() !== null;
const payloadsPath = suite("xss/stored-content-payloads.json");

let browser: Opened;
let site: ReturnType<typeof servePublicSite>;

beforeAll(async () => {
  const opened = await openBrowser();
  if (opened === null) return;
  browser = opened;
  const { settings } = publicDeps();
  site = servePublicSite({
    settings: { ...settings, region: "Québec" },
    async search(request) {
      if (request.query === "down") throw new IndexUnavailable("down");
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
  const page = await context.newPage();
  page.setDefaultTimeout(45_000);
  await page.goto(site.url + path);
  return page;
}

describe.skipIf(!hasBrowser)("the public pages in a browser", () => {
  // Every rule once; again those whose answer depends on the scheme or on the width.
  const looks = [
    ["light", 1280, []],
    ["dark", 1280, ["color-contrast"]],
    ["light", 320, ["color-contrast", "scrollable-region-focusable", "target-size"]],
    ["dark", 320, ["color-contrast", "target-size"]],
  ] as const;
  test.each(looks)("axe finds nothing: %s, %i px", async (colorScheme, width, rules) => {
    const page = await open("/", { colorScheme, viewport: { width, height: 700 } });
    for (const path of PAGES) {
      await page.goto(site.url + path);
      expect(await faults(page, rules), path).toEqual([]);
      expect(await overflow(page), path).toBeLessThanOrEqual(0);
    }
    await page.context().close();
  });

  test("axe finds nothing while suggestions are open", async () => {
    const page = await open("/");
    await page.locator("#q").pressSequentially("tid");
    await page.getByRole("option").first().waitFor();
    await page.locator("#q").press("ArrowDown");
    expect(await faults(page)).toEqual([]);
    await page.context().close();
  });

  test("nothing moves while a page loads, and nothing breaks the CSP", async () => {
    for (const path of PAGES) {
      const page = await open(path);
      const said: string[] = [];
      page.on("console", (message) => said.push(message.text()));
      page.on("pageerror", (error) => said.push(error.message));
      await page.reload({ waitUntil: "load" });
      const shift = await page.evaluate(async () => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as Shift).value;
        }).observe({ type: "layout-shift", buffered: true });
        // What was recorded before arrives with the next frames.
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
        return sum;
      });
      expect(shift, path).toBe(0);
      expect(
        said.filter((text) => !/status of (400|404|503)/.test(text)),
        path,
      ).toEqual([]);
      await page.context().close();
    }
  });

  test("the first load weighs no more than 60 kB, compressed", async () => {
    for (const path of ["/", "/search?q=tidal"]) {
      const page = await open("/bot", { javaScriptEnabled: true });
      const devtools = await page.context().newCDPSession(page);
      await devtools.send("Network.enable");
      await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
      let bytes = 0;
      devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
        bytes += encodedDataLength;
      });
      await page.goto(site.url + path, { waitUntil: "networkidle" });
      const paint = await page.evaluate(
        () =>
          new Promise<number>((done) => {
            new PerformanceObserver((list) => done(list.getEntries().at(-1)!.startTime)).observe({
              type: "largest-contentful-paint",
              buffered: true,
            });
          }),
      );
      console.log(
        `${path}: ${bytes} bytes on first load, largest paint after ${Math.round(paint)} ms`,
      );
      expect(bytes, path).toBeGreaterThan(10_000);
      expect(bytes, path).toBeLessThanOrEqual(WEIGHT_MAX_BYTES);
      await page.context().close();
    }
  });

  test("the focus is always seen", async () => {
    const page = await open("/search?q=tidal");
    for (let step = 0; step < 25; step += 1) {
      await page.keyboard.press("Tab");
      const [tag, ...outline] = await page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement!);
        return [document.activeElement!.tagName, outlineStyle, outlineWidth];
      });
      if (tag !== "BODY") expect(outline, tag).toEqual(["solid", "3px"]);
    }
    await page.context().close();
  });
});

describe.skipIf(!hasBrowser || payloadsPath === null)("payloads in a browser", () => {
  test("run nothing, ask nothing and draw nothing but text", async () => {
    const { payloads } = JSON.parse(readFileSync(payloadsPath!, "utf8")) as {
      payloads: { payload: string }[];
    };
    const hostile = servePublicSite({
      search: async (request) =>
        searchBooks(
          payloads.map(({ payload }, index) => ({
            id: index + 1,
            url: index % 2 === 0 ? payload : `https://a.example/${payload}`,
            host: payload,
            lang: payload,
            category: payload,
            title: `tidal ${payload}`,
            text: payload,
            publishedAt: 0,
            crawledAt: 0,
          })),
          request,
        ),
      suggest: async () => ({
        queries: payloads.map(({ payload }) => payload),
        titles: payloads.map(({ payload }) => ({ title: payload, url: payload })),
      }),
    });
    const page = await open("/bot");
    const asked: string[] = [];
    page.on("dialog", () => asked.push("a dialog"));
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`${hostile.url}/search?q=tidal&per_page=100&explain=1`);
    await page.locator("#q").press("End");
    await page.locator("#q").pressSequentially(" t");
    await page.getByRole("option").first().waitFor();
    await until(() => asked.some((url) => url.includes("q=tidal+t")));
    await page.locator(".hit").nth(70).waitFor();
    const own = /^http:\/\/127\.0\.0\.1:\d+\/(search|suggest|assets\/)/;
    expect(asked.filter((url) => !own.test(url))).toEqual([]);
    const born = await page.evaluate(() => ({
      elements: document.querySelectorAll(
        "script:not([src^='/assets/']), iframe, object, embed, base, img, style, " +
          "meta[http-equiv], form:not(#search, #host-choice, .period, .language-form)",
      ).length,
      attributes: [...document.querySelectorAll("*")].flatMap((element) =>
        element
          .getAttributeNames()
          .filter((name) => /^(on|hx-|data-hx-|sse-|ws-|style$|srcdoc$)/.test(name)),
      ),
      links: [...document.querySelectorAll("a[href]")]
        .map((link) => (link as HTMLAnchorElement).protocol)
        .filter((protocol) => !/^https?:$/.test(protocol)),
    }));
    expect(born).toEqual({ elements: 0, attributes: [], links: [] });
    await page.context().close();
    await hostile.stop();
  });
});

interface Shift extends PerformanceEntry {
  value: number;
}
