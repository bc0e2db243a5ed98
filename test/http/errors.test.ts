import { describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { OPEN } from "../../src/http/auth.ts";
import { isOutage } from "../../src/http/errors.tsx";
import { htmlOf, texts } from "../support/html.ts";
import { startApp } from "./ask.ts";

const FRAGMENT = { "hx-request": "true", "hx-request-type": "partial" };

const boom = (error: unknown) => () =>
  new Elysia()
    .get("/boom", () => Promise.reject(error), OPEN)
    .get("/api/boom", () => Promise.reject(error), OPEN);

describe("an address that does not exist", () => {
  test.each([
    "/nope",
    "/admin/nope",
    "/admin/hosts/zz",
    "/admin/hosts/0",
    "/admin/urls/99999999999999999",
  ])("%s: a readable page", async (path) => {
    const answer = await startApp().ask(path, { as: "admin" });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const page = await htmlOf(answer);
    expect(page.documentElement.getAttribute("lang")).toBe("en");
    expect(texts(page, "h1")).toEqual(["Not found"]);
  });

  test.each(["/api/nope", "/api/admin/hosts/zz/pause", "/api/admin/hosts/1/nope"])(
    "%s: JSON",
    async (path) => {
      const answer = await startApp().ask(path, { as: "api token", method: "POST" });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { code: "not_found" } });
    },
  );

  test("a row that is not there", async () => {
    const server = startApp();
    for (const path of [
      "/admin/hosts/7",
      "/admin/hosts/7/forget",
      "/admin/urls/7",
      "/admin/urls/7/drop",
    ]) {
      expect((await server.ask(path, { as: "admin" })).status).toBe(404);
    }
  });

  test("htmx gets the fragment alone, with the true status", async () => {
    const answer = await startApp().ask("/admin/hosts/7", { as: "admin", headers: FRAGMENT });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toStartWith("<section");
  });
});

describe("what breaks", () => {
  test("our own mistake: 500, without a word of what it was", async () => {
    const server = startApp(undefined, [boom(new Error("password=hunter2 at /srv/secret.ts"))]);
    const page = await server.ask("/boom");
    expect(page.status).toBe(500);
    expect(await page.text()).not.toContain("hunter2");
    const api = await server.ask("/api/boom");
    expect(api.status).toBe(500);
    expect(await api.json()).toEqual({
      error: { code: "internal", message: "The mistake is ours and was recorded." },
    });
  });

  test("a part that is away: 503 and when to come again", async () => {
    const away = new Error("query failed", {
      cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }),
    });
    const answer = await startApp(undefined, [boom(away)]).ask("/api/boom");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
  });

  test.each([
    ["ECONNREFUSED", true],
    ["57P01", true],
    ["08006", true],
    ["57014", true],
    ["53100", true],
    ["25006", true],
    ["CONNECTION_CLOSED", true],
    ["23505", false],
    ["42601", false],
    ["ENOENT", false],
  ])("an error with code %s is an outage: %p", (code, expected) => {
    const error = Object.assign(new Error("x"), { code });
    expect(isOutage(error)).toBe(expected);
    expect(isOutage(new Error("outer", { cause: error }))).toBe(expected);
  });
});

describe("input that cannot be read", () => {
  test.each([
    ["/admin/hosts?sort=secret", 'The value of "sort" is not allowed.'],
    ["/admin/hosts?page=0", 'The value of "page" is not allowed.'],
    ["/admin/hosts?page=-1", 'The value of "page" is not allowed.'],
    ["/admin/urls?state=gone", 'The value of "state" is not allowed.'],
    [`/admin/urls?host=${"x".repeat(300)}`, 'The value of "host" is not allowed.'],
    ["/admin/hosts?q=a%00b", 'The value of "q" is not allowed.'],
    ["/admin/urls?host=%1b%5b31m", 'The value of "host" is not allowed.'],
    ["/admin/urls?reason=%00", 'The value of "reason" is not allowed.'],
    ["/admin/audit?actor=%7f", 'The value of "actor" is not allowed.'],
  ])("%s", async (path, message) => {
    const answer = await startApp().ask(path, { as: "admin" });
    expect(answer.status).toBe(400);
    expect(texts(await htmlOf(answer), ".error-page p")).toContain(message);
  });

  test("blank filters are no filters", async () => {
    const answer = await startApp().ask("/admin/hosts?q=&state=&sort=&order=&page=", {
      as: "viewer",
    });
    expect(answer.status).toBe(200);
  });

  test("a body that is not what it says", async () => {
    const answer = await startApp().ask("/api/admin/hosts/1/delay", {
      method: "POST",
      as: "api token",
      headers: { "content-type": "application/json" },
    });
    expect(answer.status).toBe(400);
  });
});

test("every answer carries the headers that keep scripts and frames out", async () => {
  const server = startApp();
  for (const path of ["/healthz", "/login", "/nope", "/api/nope", "/admin", "/status"]) {
    const { headers } = await server.ask(path);
    expect(headers.get("content-security-policy")).toContain(
      "default-src 'none'; script-src 'self'",
    );
    expect(headers.get("content-security-policy")).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("same-origin");
  }
});
