import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { BrowserContext } from "playwright-core";
import { browserPath } from "../support/browser.ts";
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

describe.skipIf(!hasBrowser)("the console with JavaScript", () => {
  test("numbers change by themselves, without moving the page", async () => {
    const { context, page, complaints } = await site.signIn();
    await page.evaluate(watchShifts);
    const figures = page.locator("#card-stock dd").first();
    expect(await figures.textContent()).toBe("9,120");
    const { status } = site.app.fake.deps;
    site.app.fake.deps.status = async () => ({ ...(await status()), documents: 123_456 });
    await turnClock(async () => (await figures.textContent()) === "123,456");
    site.app.fake.deps.status = status;
    await turnClock(async () => (await figures.textContent()) === "9,120");
    expect(await page.evaluate(() => (globalThis as { shifts?: number }).shifts)).toBeLessThan(
      0.01,
    );
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("the stream rests while the tab is hidden, and ends with the page", async () => {
    await until(() => site.app.live.readers === 0, { what: "windows of other tests to close" });
    const { context, page } = await site.signIn();
    await until(() => site.app.live.readers === 1);
    await page.evaluate(hide, true);
    await until(() => site.app.live.readers === 0, { what: "the stream of a hidden tab to end" });
    await page.evaluate(hide, false);
    await until(() => site.app.live.readers === 1, { what: "the stream to come back" });
    await page.goto(`${site.address}/admin/hosts`);
    await until(() => site.app.live.readers === 0);
    await context.close();
  });

  test("whoever signed out elsewhere is led to sign in, by a poll and by a button", async () => {
    const { context, page } = await site.signIn();
    await page.clock.install();
    await page.goto(`${site.address}/admin`);
    const other = await context.newPage();
    await other.goto(`${site.address}/admin/hosts/1`);
    const list = await context.newPage();
    await list.goto(`${site.address}/admin/hosts?sort=pages`);
    site.app.fake.sessions.clear();
    await until(async () => {
      // The stream ends at its next heartbeat.
      site.app.fake.advance(15_000);
      await page.clock.runFor(5_000);
      return page.url() === `${site.address}/login?next=%2Fadmin`;
    });
    await other.getByRole("button", { name: "Pause" }).click();
    await other.waitForURL(`${site.address}/login?next=%2Fadmin%2Fhosts%2F1`);
    await list.getByLabel("State").selectOption("dead");
    await list.waitForURL(`${site.address}/login?next=%2Fadmin%2Fhosts%3Fsort%3Dpages`);
    await context.close();
    site.app.fake.openSessions();
  });

  test("a stream on which nothing happens is not taken for a dead one", async () => {
    const { context, page } = await site.signIn();
    await page.clock.install();
    await page.goto(`${site.address}/admin`);
    await page.evaluate(() => {
      const world = globalThis as { beats?: number };
      world.beats = 0;
      document.addEventListener("beat", () => {
        world.beats = (world.beats ?? 0) + 1;
      });
    });
    const polls: string[] = [];
    page.on("request", (request) => polls.push(new URL(request.url()).pathname));
    for (let beat = 1; beat <= 8; beat += 1) {
      site.app.fake.advance(15_000);
      await until(() =>
        page.evaluate((n) => ((globalThis as { beats?: number }).beats ?? 0) >= n, beat),
      );
      await page.clock.runFor(15_000);
    }
    expect(polls.filter((path) => path === "/admin/cards")).toEqual([]);
    await context.close();
  });

  test("a filter swaps the list alone and stands in the address; back works", async () => {
    const { context, page } = await site.signIn();
    await page.goto(`${site.address}/admin/hosts`);
    await page.evaluate(() => document.body.setAttribute("data-same", "yes"));
    await page.getByLabel("State").selectOption("dead");
    await page.waitForURL(/[?&]state=dead/);
    expect(await page.locator("body").getAttribute("data-same")).toBe("yes");
    expect(await page.locator("#hosts table").count()).toBe(1);
    await page.goBack();
    await page.waitForURL(`${site.address}/admin/hosts`);
    await until(async () => (await page.getByLabel("State").inputValue()) === "");
    await context.close();
  });

  test("hostile text runs nothing and asks nothing", async () => {
    const { context, page, complaints } = await site.signIn();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("dialog", () => complaints.push("a dialog opened"));
    site.app.fake.say(HOSTILE);
    for (const path of ["/admin/hosts/1", "/admin/urls/1", "/admin/submissions", "/admin/audit"]) {
      await page.goto(site.address + path);
      await page.waitForLoadState("networkidle");
    }
    site.app.fake.say("Tidal power");
    expect(complaints).toEqual([]);
    const paths = requests.map((url) => url.slice(site.address.length));
    expect(
      paths.filter(
        (path) => !/^\/(admin\/[a-z]+(\/1)?|assets\/.*|events\?view=overview)$/.test(path),
      ),
    ).toEqual([]);
    expect(site.app.fake.calls.filter((call) => call.startsWith("drop"))).toEqual([]);
    await context.close();
  });
});

describe.skipIf(!hasBrowser)("the console without JavaScript", () => {
  test("signs in, filters, asks before it forgets, and signs out", async () => {
    const { context, page } = await site.signIn({ javaScriptEnabled: false });
    await page.getByRole("link", { name: "Hosts", exact: true }).click();
    await page.getByLabel("State").selectOption("dead");
    await page.getByRole("button", { name: "Filter" }).click();
    expect(page.url()).toContain("state=dead");
    await page.getByRole("link", { name: "a.example", exact: true }).click();
    const before = site.app.fake.calls.length;
    await page.getByLabel("Own delay, ms").fill("2500");
    await page.getByRole("button", { name: "Set delay" }).click();
    expect(await page.getByRole("status").textContent()).toContain("The delay is set");
    await page.getByRole("link", { name: "Forget…" }).click();
    expect(site.app.fake.calls.slice(before)).toEqual(["delay 2500 1 admin"]);
    await page.getByRole("button", { name: "Forget it" }).click();
    await page.waitForURL("**/admin/hosts");
    expect(site.app.fake.calls.slice(before)).toEqual(["delay 2500 1 admin", "forget 1 admin"]);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/login");
    await page.goto(`${site.address}/admin`);
    expect(page.url()).toContain("/login?next=");
    await context.close();
  });

  test("the cookie of a session is out of reach for scripts and bound to this host", async () => {
    const { context } = await site.signIn();
    const session = (await sessionCookie(context))!;
    expect(session).toMatchObject({ httpOnly: true, secure: true, sameSite: "Lax", path: "/" });
    expect(session.domain).toBe("127.0.0.1");
    await context.close();
  });
});

const HOSTILE = [
  `<script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)>`,
  `"><a href="javascript:alert(1)">x</a><iframe srcdoc="<script>alert(1)</script>"></iframe>`,
  `<div hx-post="/admin/urls/1/drop" hx-trigger="load"></div><base href=//evil.test/>`,
  `<div id="card-pace" hx-swap-oob="true">defaced</div>`,
  `<meta http-equiv=refresh content=0;url=//evil.test>`,
].join("\n");

const sessionCookie = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === "__Host-trawl");

/** The server's clock stands still: the overview is read anew only when it is turned. */
async function turnClock(isDone: () => Promise<boolean>): Promise<void> {
  await until(async () => {
    site.app.fake.advance(1_000);
    return isDone();
  });
}

function watchShifts(): void {
  const world = globalThis as { shifts?: number };
  world.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      world.shifts = (world.shifts ?? 0) + (entry as unknown as { value: number }).value;
    }
  }).observe({ type: "layout-shift", buffered: true });
}

function hide(isHidden: boolean): void {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
  document.dispatchEvent(new Event("visibilitychange"));
}
