import { expect, test } from "bun:test";
import { htmlOf } from "../support/html.ts";
import { startApp } from "./ask.ts";
import { createFake } from "./fake.ts";
import { hostDetail } from "./rows.ts";

/** Text of a card of the page of a host that differs from the usual one. */
async function cardOf(id: string, host: Partial<ReturnType<typeof hostDetail>["host"]>) {
  const fake = createFake({ settings: { hostUrlsMax: 7_000 } });
  const detail = hostDetail("x");
  fake.deps.hosts.read = async () => ({ ...detail, host: { ...detail.host, ...host } });
  const page = await htmlOf(await startApp(fake).ask("/admin/hosts/1", { as: "viewer" }));
  return page.getElementById(id)?.textContent ?? "";
}

test("a host without a quota of its own shows the number that holds for it", async () => {
  expect(await cardOf("host-urls", { urlsMax: null })).toContain("URLs at most7,000");
  expect(await cardOf("host-urls", { urlsMax: 12 })).toContain("URLs at most12");
});

test("a host that has no room says which of its quotas is reached", async () => {
  const quota = { urlsMax: 50, urlCount: 49, bytesMax: 1_000, byteCount: 999 };
  expect(await cardOf("host-urls", quota)).toContain("Roomyes");
  expect(await cardOf("host-urls", { ...quota, urlCount: 50 })).toContain("no more URLs are taken");
  expect(await cardOf("host-urls", { ...quota, byteCount: 1_000 })).toContain("bytes are used up");
});

test("a time that is over holds nothing back, the beginning of time least of all", async () => {
  for (const nextFetchAt of [null, new Date(0)]) {
    expect(await cardOf("host-state", { nextFetchAt })).toContain("Next fetch allowedany time");
  }
});

test("gaps of a host without a delay are no multiples of it", async () => {
  const text = await cardOf("host-gaps", { delayMs: 0 });
  expect(text).toContain("no delay is set");
  expect(text).not.toContain("×");
  expect(await cardOf("host-gaps", { delayMs: 2_000 })).toContain("multiples of the delay of 2 s");
});

test("sitemaps show where they come from, what they brought, and their trouble", async () => {
  const text = await cardOf("host-sitemaps", {});
  for (const said of ["http://a.example/x.xml", "sitemap", "robots.txt", "1,234", "56"]) {
    expect(text).toContain(said);
  }
});

test("what is not taken is shown with its numbers, and an admin may lift it", async () => {
  const text = await cardOf("host-traps", {});
  for (const said of ["pattern cut", "46,501", "/shop?", "1,042", "17", "sid", "same page"]) {
    expect(text).toContain(said);
  }
  expect(text).not.toContain("Lift");
  const { ask } = startApp(createFake());
  const page = await htmlOf(await ask("/admin/hosts/1", { as: "admin" }));
  expect(page.getElementById("host-traps")?.innerHTML).toContain("/admin/hosts/1/lift");
});

test("a host without traps says so", async () => {
  const fake = createFake();
  const none = { patterns: [], parameters: [], refusals: [] };
  fake.deps.hosts.read = async () => ({ ...hostDetail("x"), traps: none });
  const page = await htmlOf(await startApp(fake).ask("/admin/hosts/1", { as: "admin" }));
  const card = page.getElementById("host-traps")!;
  expect(card.textContent).toContain("No trap was met");
  expect(card.innerHTML).not.toContain("/lift");
});
