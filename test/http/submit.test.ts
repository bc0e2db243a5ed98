import { describe, expect, test } from "bun:test";
import { htmlOf, texts } from "../support/html.ts";
import { publicDeps, publicSite } from "../support/public-site.ts";

const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const OFF = { settings: { ...publicDeps().settings, submit: "off" as const } };

describe("GET /submit", () => {
  test.each(["/submit", "/soumettre"])("%s shows a plain form", async (path) => {
    const page = await htmlOf(await publicSite().ask(`${path}?url=https://a.example/`));
    const form = page.querySelector("form.submit-form");
    expect(form?.getAttribute("action")).toBe("/submit");
    expect(form?.getAttribute("method")).toBe("post");
    expect(page.querySelector("#url")?.getAttribute("value")).toBe("https://a.example/");
  });
});

describe("POST /submit", () => {
  const rows = [
    ["queued", null, "queued", ""],
    ["known", null, "known already", ""],
    ["review", "scope", "operator will decide", "lies outside"],
    ["refused", "scheme", "cannot be taken", "Only addresses that begin with http"],
    ["refused", "a reason of tomorrow", "cannot be taken", "a reason of tomorrow"],
  ] as const;
  test.each(rows)("%s (%s): for programs and people", async (result, reason, told, why) => {
    for (const path of ["/submit", "/soumettre"]) {
      const urls: string[] = [];
      const site = publicSite({
        async submit(url) {
          urls.push(url);
          return { result, reason };
        },
      });
      const form = { url: " https://a.example/x " };
      const json = await site.ask(path, { form });
      expect(json.status).toBe(202);
      expect(await json.json()).toEqual({ result, reason });
      const answer = await site.ask(path, { form, headers: HTML });
      expect(answer.status).toBe(202);
      const page = await htmlOf(answer);
      expect(texts(page, "#outcome")[0]).toContain(told);
      expect(texts(page, "#outcome")[0]).toContain(why);
      expect(page.querySelector("form.submit-form") !== null).toBe(result === "refused");
      expect(urls).toEqual(["https://a.example/x", "https://a.example/x"]);
    }
  });

  test("takes JSON too", async () => {
    const answer = await publicSite().ask("/submit", { json: { url: "https://a.example/" } });
    expect(await answer.json()).toEqual({ result: "queued", reason: null });
  });

  test.each([
    ["no address", { form: { url: "  " } }],
    ["no field", { form: { other: "x" } }],
    ["a list", { json: { url: ["https://a.example/"] } }],
    ["no object", { json: 7 }],
  ])("%s: a readable 400", async (_, ask) => {
    const answer = await publicSite().ask("/submit", ask);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: { code: string } }).error.code).toBe("invalid");
    const page = await publicSite().ask("/submit", { ...ask, headers: HTML });
    expect(page.status).toBe(400);
    expect(texts(await htmlOf(page), "#outcome")).toEqual(["Please give an address."]);
  });

  test("an endless address is refused without being looked at", async () => {
    const site = publicSite({ submit: () => Promise.reject(new Error("must not be asked")) });
    const answer = await site.ask("/submit", {
      form: { url: `https://a.example/${"x".repeat(20_000)}` },
    });
    expect(await answer.json()).toEqual({ result: "refused", reason: "too long" });
  });

  test("a form of another site is refused", async () => {
    for (const headers of [
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
      { origin: "null" },
    ]) {
      const answer = await publicSite().ask("/submit", {
        form: { url: "https://a.example/" },
        headers,
      });
      expect(answer.status).toBe(403);
    }
  });

  test("a store that is down: 503 with Retry-After, the address kept in the field", async () => {
    const error = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    const site = publicSite({ submit: () => Promise.reject(error) });
    const form = { url: "https://a.example/kept" };
    const json = await site.ask("/submit", { form });
    expect([json.status, json.headers.get("retry-after")]).toEqual([503, "5"]);
    const page = await site.ask("/submit", { form, headers: HTML });
    expect(page.status).toBe(503);
    expect((await htmlOf(page)).querySelector("#url")?.getAttribute("value")).toBe(form.url);
  });
});

describe("SUBMIT=off", () => {
  test("closes the form readably, under every name and verb", async () => {
    const site = publicSite({
      ...OFF,
      submit: () => Promise.reject(new Error("must not be asked")),
    });
    for (const path of ["/submit", "/soumettre"]) {
      const shown = await site.ask(path);
      expect(shown.status).toBe(404);
      const page = await htmlOf(shown);
      expect(texts(page, "h1")).toEqual(["Submissions are closed"]);
      expect(page.querySelector("nav a[href='/submit']")).toBeNull();
      const sent = await site.ask(path, { form: { url: "https://a.example/" } });
      expect(sent.status).toBe(404);
      expect(((await sent.json()) as { error: { code: string } }).error.code).toBe("not_found");
    }
  });

  test("no page offers it", async () => {
    const site = publicSite(OFF);
    expect(
      (await htmlOf(await site.ask("/search?q=zzz.example"))).querySelector(".crawl-this"),
    ).toBeNull();
    expect(
      (await htmlOf(await site.ask("/bot"))).querySelector("main a[href='/submit']"),
    ).toBeNull();
  });
});
