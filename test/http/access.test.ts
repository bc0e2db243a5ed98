import { describe, expect, test } from "bun:test";
import { htmlOf } from "../support/html.ts";
import { startApp } from "./ask.ts";
import { createFake, SESSIONS } from "./fake.ts";

describe("who is not let in", () => {
  test("a person is led to the login page and back", async () => {
    const answer = await startApp().ask("/admin/hosts?state=dead");
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("/login?next=%2Fadmin%2Fhosts%3Fstate%3Ddead");
  });

  test.each([
    ["/api/urls?url=https://a.example/", {}],
    ["/metrics", {}],
    ["/events?view=overview", {}],
    ["/admin/hosts", { "hx-request": "true", "hx-request-type": "partial" }],
  ])("%s: a machine or a fragment gets 401, not a page to sign in", async (path, headers) => {
    const answer = await startApp().ask(path, { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  test("errors under /api are JSON", async () => {
    const answer = await startApp().ask("/api/urls?url=https://a.example/");
    expect(await answer.json()).toEqual({
      error: { code: "unauthorized", message: "This needs a session or a bearer token." },
    });
  });

  test("rights are asked before input is judged", async () => {
    const server = startApp();
    expect((await server.ask("/admin/hosts?state=zz")).status).toBe(303);
    expect((await server.ask("/admin/hosts?state=zz", { as: "viewer" })).status).toBe(400);
    expect((await server.ask("/api/admin/hosts/zz/pause", { method: "POST" })).status).toBe(401);
  });

  test.each([
    ["Bearer wrong-token-of-sufficient-length", 401],
    ["Bearer ", 401],
    ["Basic YWRtaW46Y29ycmVjdCBob3JzZQ==", 401],
    ["bearer viewer-token-of-the-tests-01234", 200],
    ["Bearer viewer-token-of-the-tests-0123", 401],
  ])("Authorization: %s -> %i", async (authorization, status) => {
    const answer = await startApp().ask("/metrics", { headers: { authorization } });
    expect(answer.status).toBe(status);
  });

  test("what a proxy in front asked for goes along with a session and does not hide it", async () => {
    const headers = { authorization: "Basic YWRtaW46Y29ycmVjdCBob3JzZQ==" };
    const statusOf = async (headers: Record<string, string>) =>
      (await startApp().ask("/admin", { as: "viewer", headers })).status;
    expect(await statusOf(headers)).toBe(200);
    expect(await statusOf({ authorization: "Bearer wrong-token-of-sufficient-length" })).toBe(303);
  });

  test("a form sent after the session ended leads to sign in, and back to its page", async () => {
    const server = startApp();
    const send = (headers: Record<string, string>) =>
      server.ask("/admin/hosts/1/pause", { form: {}, headers });
    const accept = "text/html,application/xhtml+xml";
    const cases = [
      ["http://localhost/admin/hosts/1?a=b", "%2Fadmin%2Fhosts%2F1%3Fa%3Db"],
      ["https://search.example/admin/urls", "%2Fadmin%2Furls"],
      ["https://evil.test/elsewhere", "%2Fadmin"],
      ["//evil.test/admin", "%2Fadmin"],
    ] as const;
    for (const [referer, next] of cases) {
      const answer = await send({ accept, referer });
      expect([answer.status, answer.headers.get("location")]).toEqual([303, `/login?next=${next}`]);
    }
    expect((await send({})).status).toBe(401);
    expect(server.fake.calls).toEqual([]);
  });

  test("htmx leads the window to sign in", async () => {
    const headers = {
      "hx-request": "true",
      "hx-request-type": "partial",
      "hx-current-url": "http://localhost/admin/hosts?state=dead",
    };
    const answer = await startApp().ask("/admin/hosts?state=paused", { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("hx-redirect")).toBe("/login?next=%2Fadmin%2Fhosts%3Fstate%3Ddead");
  });

  test("without API_TOKEN no token is the operator's", async () => {
    const fake = createFake({ settings: { apiToken: null } });
    expect((await startApp(fake).ask("/metrics", { as: "api token" })).status).toBe(401);
  });

  test.each([
    ["another session", `__Host-trawl=${"x".repeat(43)}`],
    [
      "the plain name on a secure origin, which a network attacker could set",
      `trawl=${SESSIONS.admin}`,
    ],
    ["a value that is no token", "__Host-trawl=a b"],
    ["the hash instead of the id", `__Host-trawl=${"0".repeat(64)}`],
  ])("%s is nobody's", async (_, cookie) => {
    expect((await startApp().ask("/admin", { headers: { cookie } })).status).toBe(303);
  });

  test("a session ends with its time", async () => {
    const server = startApp();
    server.fake.advance(86_400_001);
    expect((await server.ask("/admin", { as: "admin" })).status).toBe(303);
  });
});

describe("what a viewer sees", () => {
  const pages = ["/admin/hosts/1", "/admin/urls/1", "/admin/submissions", "/admin/search"];
  test.each(pages)("%s offers no action to a viewer, but to an admin", async (path) => {
    const server = startApp();
    const actionsFor = async (as: "viewer" | "admin") =>
      (await htmlOf(await server.ask(path, { as }))).querySelectorAll("main form[method=post]");
    expect(await actionsFor("viewer")).toHaveLength(0);
    expect((await actionsFor("admin")).length).toBeGreaterThan(0);
  });
});

test("every page answers its content alone when htmx asks for a part", async () => {
  const server = startApp();
  const pages = server.server.routes.filter(({ method, path }) => {
    return method === "GET" && /^\/(admin|login)/.test(path) && path !== "/admin/cards";
  });
  expect(pages.length).toBeGreaterThan(10);
  for (const { path } of pages) {
    const address = path.replace(":id", "1");
    const as = path === "/login" ? "anonymous" : "admin";
    const headers = { "hx-request": "true", "hx-request-type": "partial" };
    const part = await (await server.ask(address, { as, headers })).text();
    expect(part, path).not.toContain("<html");
    expect(part, path).not.toContain("site-header");
    const whole = await server.ask(address, { as });
    expect(await whole.text(), path).toStartWith("<!doctype html><html");
    expect(whole.headers.get("vary"), path).toContain("HX-Request, HX-Request-Type");
  }
});

describe("with the store down", () => {
  test("a session seen lately still shows what is wrong; one not seen waits", async () => {
    const server = startApp();
    expect((await server.ask("/admin", { as: "admin" })).status).toBe(200);
    server.fake.breakStore();
    server.fake.advance(2_000);
    const page = await server.ask("/admin", { as: "admin" });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Search goes on from the index");
    const unseen = await server.ask("/admin", { as: "viewer" });
    expect(unseen.status).toBe(503);
    expect(unseen.headers.get("retry-after")).toBe("5");
    server.fake.advance(600_001);
    expect((await server.ask("/admin", { as: "admin" })).status).toBe(503);
  });

  test("lists say 503, /status stays 200 with null counts, the API token works", async () => {
    const server = startApp();
    server.fake.breakStore();
    expect((await server.ask("/admin/hosts", { as: "api token" })).status).toBe(503);
    const status = await server.ask("/status");
    expect(status.status).toBe(200);
    expect(await status.json()).toMatchObject({ parts: { postgres: "down" }, urls: null });
    expect((await server.ask("/metrics", { as: "api token" })).status).toBe(200);
  });
});
