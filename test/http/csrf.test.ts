import { describe, expect, test } from "bun:test";
import { siteOf } from "../../src/http/csrf.ts";
import { type Ask, startApp } from "./ask.ts";
import { CSRF } from "./fake.ts";

const PAUSE = "/admin/hosts/1/pause";

describe("forms of a session", () => {
  const cases: readonly (readonly [why: string, ask: Ask, status: number])[] = [
    ["token in the form", { form: {} }, 303],
    ["token in the header", { form: { csrf: "" }, headers: { "x-csrf-token": CSRF } }, 303],
    ["no token", { method: "POST" }, 403],
    ["another token", { form: { csrf: "x".repeat(37) } }, 403],
    ["part of the token", { form: { csrf: CSRF.slice(0, -1) } }, 403],
    ["own origin", { form: {}, headers: { origin: "http://localhost" } }, 303],
    ["same-origin fetch", { form: {}, headers: { "sec-fetch-site": "same-origin" } }, 303],
    ["another origin, right token", { form: {}, headers: { origin: "http://evil.test" } }, 403],
    ["opaque origin", { form: {}, headers: { origin: "null" } }, 403],
    ["cross-site fetch", { form: {}, headers: { "sec-fetch-site": "cross-site" } }, 403],
    ["sibling host", { form: {}, headers: { "sec-fetch-site": "same-site" } }, 403],
    ["another port", { form: {}, headers: { origin: "http://localhost:81" } }, 403],
  ];
  test.each(cases)("%s", async (_, ask, status) => {
    const server = startApp();
    expect((await server.ask(PAUSE, { ...ask, as: "admin" })).status).toBe(status);
    expect(server.fake.calls).toEqual(status === 303 ? ["pause 1 admin"] : []);
  });

  test("a bearer token needs none: browsers never send one on their own", async () => {
    const server = startApp();
    const headers = { origin: "http://elsewhere.example" };
    const answer = await server.ask(`/api${PAUSE}`, { method: "POST", as: "api token", headers });
    expect(answer.status).toBe(200);
    expect(server.fake.calls).toEqual(["pause 1 api"]);
  });

  test("signing out needs the token as well", async () => {
    const server = startApp();
    expect((await server.ask("/logout", { method: "POST", as: "admin" })).status).toBe(403);
    expect(server.fake.sessions.size).toBe(2);
  });

  test("no GET changes anything", async () => {
    const server = startApp();
    for (const { method, path } of server.server.routes) {
      if (method !== "GET" || path === "/events") continue;
      await server.ask(path.replace(":id", "1").replace(":file", "x"), { as: "admin" });
    }
    expect(server.fake.calls).toEqual([]);
    expect(server.fake.audited).toEqual([]);
    expect(server.fake.sessions.size).toBe(2);
  });
});

describe("siteOf", () => {
  const cases = [
    [{}, null, "unknown", "no browser"],
    [{ origin: "https://search.example" }, "https://search.example", "own", "behind a proxy"],
    [{ origin: "https://other.example" }, "https://search.example", "foreign", "not ours"],
    [{ origin: "http://127.0.0.1:3000" }, null, "own", "the host asked"],
    [{ origin: "nonsense" }, null, "foreign", "unreadable"],
    [{ "sec-fetch-site": "none", origin: "null" }, null, "own", "typed by the user"],
  ] as const;
  test.each(cases)("%o with PUBLIC_URL %p is %s: %s", (headers, publicUrl, expected) => {
    const request = new Request("http://127.0.0.1:3000/x", { method: "POST", headers });
    expect(siteOf(request, publicUrl)).toBe(expected);
  });
});
