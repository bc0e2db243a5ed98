import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserPath } from "../support/browser.ts";
import { pause } from "../support/pause.ts";
import { until as untilSoon } from "../support/until.ts";
import { type Console, openConsole } from "./console-window.ts";

const hasBrowser = browserPath() !== null;
setDefaultTimeout(120_000);

/** A browser on a busy machine takes its time. */
const until: typeof untilSoon = (probe, options) =>
  untilSoon(probe, { timeoutMs: 30_000, ...options });

let site: Console;

beforeAll(async () => {
  const opened = await openConsole();
  if (opened !== null) site = opened;
});

afterAll(() => site?.close());

describe.skipIf(!hasBrowser)("the stream of the console", () => {
  test("comes up, however late other scripts are", async () => {
    await until(() => site.app.live.readers === 0, { what: "windows of other tests to close" });
    const { context, page } = await site.signIn();
    await context.route(/\/assets\/(?!htmx).*\.js$/, async (route) => {
      await pause(500);
      await route.continue();
    });
    await page.goto(`${site.address}/admin`);
    await until(() => site.app.live.readers === 1);
    await context.close();
  });

  test("is missing: the cards are asked for, until it comes up", async () => {
    await until(() => site.app.live.readers === 0, { what: "windows of other tests to close" });
    const { context, page } = await site.signIn();
    await page.clock.install();
    await context.route("**/events*", (route) => route.abort());
    await page.goto(`${site.address}/admin`);
    const figures = page.locator("#card-stock dd").first();
    const { status } = site.app.fake.deps;
    site.app.fake.deps.status = async () => ({ ...(await status()), documents: 77 });
    site.app.fake.advance(10_000);
    await until(async () => {
      await page.clock.runFor(5_000);
      return (await figures.textContent()) === "77";
    });
    const said = page.locator("#live-state");
    expect(await said.textContent()).toBe("");
    await context.route("**/admin/cards", (route) => route.abort());
    await until(async () => {
      await page.clock.runFor(5_000);
      return (await said.textContent())?.startsWith("Not live since ");
    });
    expect(await page.locator("body").getAttribute("class")).toContain("stale-live");
    await context.unroute("**/admin/cards");
    await until(async () => {
      await page.clock.runFor(5_000);
      return (await said.textContent()) === "";
    });
    site.app.fake.deps.status = status;
    await context.unroute("**/events*");
    await until(async () => {
      await page.clock.runFor(1_000);
      return site.app.live.readers === 1;
    });
    await until(async () => {
      return !(await page.locator("body").getAttribute("class"))?.includes("stale-live");
    });
    await context.close();
  });
});
