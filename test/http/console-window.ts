import type { Browser, BrowserContextOptions } from "playwright-core";
import { serve } from "../../src/http/serve.ts";
import { openBrowser } from "../support/browser.ts";
import { type Server, startApp } from "./ask.ts";
import { createFake, PASSWORDS } from "./fake.ts";

/** The console on a port of loopback and a browser to look at it. */
export interface Console {
  app: Server;
  address: string;
  /** A signed-in window; whatever its pages complain of is kept in `complaints`. */
  signIn(options?: BrowserContextOptions): ReturnType<typeof signIn>;
  close(): Promise<void>;
}

/** Null, and a visible line, where there is no browser. */
export async function openConsole(): Promise<Console | null> {
  const browser = await openBrowser();
  if (browser === null) return null;
  const app = startApp(createFake());
  const serving = serve(app, { host: "127.0.0.1", port: 0 });
  if (serving.kind !== "listening") throw new Error(serving.detail);
  return {
    app,
    address: serving.url,
    signIn: (options = {}) => signIn(browser, app, serving.url, options),
    async close() {
      await browser.close();
      await serving.stop();
    },
  };
}

async function signIn(
  browser: Browser,
  app: Server,
  address: string,
  options: BrowserContextOptions,
) {
  // The allowance of this client comes back with time, which stands still here.
  app.fake.advance(60_000);
  const context = await browser.newContext({ locale: "en", ...options });
  context.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(error.error().message));
  const page = await context.newPage();
  await page.goto(`${address}/login`);
  await page.getByLabel("Name").fill("admin");
  await page.getByLabel("Password").fill(PASSWORDS.admin);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${address}/admin`);
  return { context, page, complaints };
}
