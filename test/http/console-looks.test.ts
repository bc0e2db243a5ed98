import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { SIGNAL_NAMES } from "../../src/ranking.ts";
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

/** Other weights than those in effect: two orders side by side, and what moved. */
const TRIED = `/admin/search?tried=1&q=tide&${SIGNAL_NAMES.map(
  (name) => `on_${name}=1&weight_${name}=3`,
).join("&")}`;

const PAGES = [
  "/admin",
  "/admin/hosts",
  "/admin/hosts/1",
  "/admin/hosts/1/lift",
  "/admin/hosts/1/forget",
  "/admin/urls",
  "/admin/urls/1",
  "/admin/search",
  TRIED,
  "/admin/submissions",
  "/admin/audit",
  "/admin/settings",
  "/admin/users",
  "/admin/hosts/999",
];

describe.skipIf(!hasBrowser)("how the console looks", () => {
  // Whether colours can be told apart depends on the scheme alone, whether it fits on the width.
  const cases = [
    ["light", 1280, []],
    ["light", 320, ["color-contrast", "scrollable-region-focusable", "target-size"]],
    ["dark", 1280, ["color-contrast"]],
    ["dark", 320, ["target-size"]],
  ] as const;
  test.each(cases)("%s, %i px: readable by everybody, nothing overflows", async (...look) => {
    const [colorScheme, width, rules] = look;
    const viewport = { width, height: 800 };
    const { context, page, complaints } = await site.signIn({ viewport, colorScheme });
    for (const path of PAGES) {
      const answer = await page.goto(site.address + path);
      expect(answer?.status(), path).toBe(path.endsWith("/999") ? 404 : 200);
      expect(await faults(page, rules), path).toEqual([]);
      expect(await overflow(page), path).toBeLessThanOrEqual(0);
    }
    expect(complaints.filter((each) => !each.includes("404"))).toEqual([]);
    await context.clearCookies();
    await page.goto(`${site.address}/login`);
    expect(await faults(page, rules), "/login").toEqual([]);
    expect(await overflow(page), "/login").toBeLessThanOrEqual(0);
    await context.close();
  });
});
