import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { browserPath } from "../support/browser.ts";
import { faults, overflow } from "../support/looks.ts";
import { type Console, openConsole } from "./console-window.ts";

const hasBrowser = browserPath() !== null;
setDefaultTimeout(120_000);

let site: Console;

beforeAll(async () => {
  const opened = await openConsole();
  if (opened !== null) site = opened;
});

afterAll(() => site?.close());

const orders = (page: Page) => page.locator("#preview .order");
const firstOf = (page: Page) => orders(page).last().locator(".order-title").first();

describe.skipIf(!hasBrowser)("weights of the search in a browser", () => {
  test("a changed weight moves the preview, the address follows, and it is saved", async () => {
    const { context, page, complaints } = await site.signIn();
    await page.goto(`${site.address}/admin/search`);
    await page.evaluate(() => document.body.setAttribute("data-same", "yes"));
    await page.getByLabel("Try it with a query").fill("tide");
    await orders(page).first().waitFor();
    expect(await orders(page).count()).toBe(1);
    await page.getByLabel("Weight of Authority").fill("3");
    await orders(page).nth(1).waitFor();
    expect(await firstOf(page).textContent()).toBe("Tidal power 5");
    expect(page.url()).toContain("weight_authority=3");
    expect(await page.getByLabel("Weight of Authority").inputValue()).toBe("3");
    // What was typed last wins, and the focus stays where it was.
    expect(await page.locator(":focus").getAttribute("name")).toBe("weight_authority");
    await page.getByLabel("Authority", { exact: true }).uncheck();
    await page.waitForURL((url) => !url.searchParams.has("on_authority"));
    await page.getByText("Parts of the score").last().click();
    await page.locator("#order-tried").waitFor();
    expect(await faults(page, [])).toEqual([]);
    expect(await page.locator("body").getAttribute("data-same")).toBe("yes");
    const before = site.app.fake.calls.length;
    await page.getByRole("button", { name: "Save these weights" }).click();
    await page.getByText("Every web process ranks by these weights").waitFor();
    expect(site.app.fake.calls.slice(before)).toEqual(["save 9 3 true admin"]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("a weight that is none is told in place", async () => {
    const { context, page } = await site.signIn();
    await page.goto(`${site.address}/admin/search?q=tide`);
    await page.getByLabel("Weight of Authority").fill("7");
    await page.getByText("must be a number from 0 to 5").waitFor();
    expect(await page.getByRole("button", { name: "Save these weights" }).count()).toBe(0);
    await context.close();
  });

  test("all of it works without JavaScript, at 320 px too", async () => {
    const viewport = { width: 320, height: 800 };
    const { context, page } = await site.signIn({ javaScriptEnabled: false, viewport });
    await page.goto(`${site.address}/admin/search`);
    await page.getByLabel("Try it with a query").fill("tide");
    await page.getByLabel("Weight of Authority").fill("3");
    await page.getByRole("button", { name: "Preview" }).click();
    expect(await firstOf(page).textContent()).toBe("Tidal power 5");
    const before = site.app.fake.calls.length;
    await page.getByRole("button", { name: "Save these weights" }).click();
    await page.locator("#field-host").fill("news.example");
    await page.getByLabel("Rule", { exact: true }).selectOption("muchRaise");
    await page.getByRole("button", { name: "Set", exact: true }).click();
    await page.getByRole("button", { name: "Remove" }).first().click();
    expect(site.app.fake.calls.slice(before)).toEqual([
      "save 9 3 true admin",
      "muchRaise news.example admin",
      "drop a.example admin",
    ]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await context.close();
  });
});
