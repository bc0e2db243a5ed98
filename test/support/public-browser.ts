import type { BrowserContextOptions, Page } from "playwright-core";
import type { PublicDeps } from "../../src/http/public-deps.ts";
import { openBrowser } from "./browser.ts";
import { servePublicSite } from "./public-site.ts";

export interface PublicBrowser {
  site: ReturnType<typeof servePublicSite>;
  /** A page of the site, in a window that shares nothing with others. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

/** A browser, and the public pages on a port of loopback; null when there is no browser. */
export async function openPublicBrowser(
  change: Partial<PublicDeps>,
): Promise<PublicBrowser | null> {
  const browser = await openBrowser();
  if (browser === null) return null;
  const site = servePublicSite(change);
  return {
    site,
    async open(path, options = {}) {
      const page = await (await browser.newContext({ locale: "en", ...options })).newPage();
      page.setDefaultTimeout(45_000);
      await page.goto(site.url + path);
      return page;
    },
    async close() {
      await browser.close();
      await site.stop();
    },
  };
}
