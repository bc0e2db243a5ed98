import { describe, expect, test } from "bun:test";
import { htmlOf, texts } from "../support/html.ts";
import { type Server, startApp } from "./ask.ts";
import { SESSIONS } from "./fake.ts";

describe("actions", () => {
  const cases = [
    ["/admin/hosts/1/pause", "pause 1 admin", "/admin/hosts/1"],
    ["/admin/hosts/1/resume", "resume 1 admin", "/admin/hosts/1"],
    ["/admin/hosts/1/block", "block 1 admin", "/admin/hosts/1"],
    ["/admin/hosts/1/unblock", "unblock 1 admin", "/admin/hosts/1"],
    ["/admin/hosts/1/crawl", "crawl host 1 admin", "/admin/hosts/1"],
    ["/admin/hosts/1/lift", "lift 1 admin", "/admin/hosts/1"],
    ["/admin/hosts/1/forget", "forget 1 admin", "/admin/hosts"],
    ["/admin/urls/1/retry", "retry 1 admin", "/admin/urls/1"],
    ["/admin/urls/1/drop", "drop 1 admin", "/admin/urls"],
    ["/admin/urls/1/crawl", "crawl url 1 admin", "/admin/urls/1"],
    ["/admin/submissions/1/accept", "accepted 1 admin", "/admin/submissions"],
    ["/admin/submissions/1/refuse", "refused 1 admin", "/admin/submissions"],
  ] as const;
  test.each(cases)("%s is done in the account's name", async (path, call, location) => {
    const server = startApp();
    const answer = await server.ask(path, { as: "admin", form: {} });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, location]);
    const json = await server.ask(`/api${path}`, { as: "api token", method: "POST" });
    expect(await json.json()).toEqual({ result: "done" });
    expect(server.fake.calls).toEqual([call, call.replace("admin", "api")]);
    const told = await askAgain(server, location, answer);
    expect(texts(await htmlOf(told), "[role=status]")).toHaveLength(1);
    expect(told.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^trawl-done=;.*Max-Age=0/),
    ]);
  });

  test.each([
    ["2500", 303, "delay 2500 1 admin"],
    ["0", 303, "delay 0 1 admin"],
    ["", 303, "delay null 1 admin"],
    ["86400000", 303, "delay 86400000 1 admin"],
    ["86400001", 400, null],
    ["-1", 400, null],
    ["1e3", 400, null],
    ["one", 400, null],
  ])("a delay of %j: %i", async (delay, status, call) => {
    const server = startApp();
    const answer = await server.ask("/admin/hosts/1/delay", {
      as: "admin",
      form: { delay_ms: delay },
    });
    expect(answer.status).toBe(status);
    expect(server.fake.calls).toEqual(call === null ? [] : [call]);
  });

  test.each([
    [{ delay_ms: 1_500 }, 200],
    [{ delay_ms: null }, 200],
    [{}, 400],
    [{ delay_ms: [1] }, 400],
    [{ delay_ms: 1.5 }, 400],
  ])("as JSON %j: %i", async (json, status) => {
    const answer = await startApp().ask("/api/admin/hosts/1/delay", { as: "api token", json });
    expect(answer.status).toBe(status);
  });

  test.each([
    [{ urls_max: "500", bytes_max: "1000000" }, 303, "quota 500 1000000 1 admin"],
    [{ urls_max: "", bytes_max: "" }, 303, "quota null null 1 admin"],
    [{ urls_max: "0", bytes_max: "" }, 400, null],
    [{ urls_max: "3000000000", bytes_max: "" }, 400, null],
    [{ urls_max: "5", bytes_max: "-1" }, 400, null],
    [{ urls_max: "5" }, 400, null],
  ])("quotas of %j: %i", async (form, status, call) => {
    const server = startApp();
    const answer = await server.ask("/admin/hosts/1/quota", { as: "admin", form });
    expect(answer.status).toBe(status);
    expect(server.fake.calls).toEqual(call === null ? [] : [call]);
  });

  test("what cannot be done is said, on both doors", async () => {
    const server = startApp();
    server.fake.answer({ kind: "refused", reason: "the host is blocked" });
    const page = await server.ask("/admin/hosts/1/pause", { as: "admin", form: {} });
    expect(page.status).toBe(409);
    expect(await page.text()).toContain("The host is blocked.");
    const json = await server.ask("/api/admin/hosts/1/pause", { as: "api token", method: "POST" });
    expect(json.status).toBe(409);
    expect(await json.json()).toEqual({
      error: { code: "refused", message: "The host is blocked." },
    });
    server.fake.answer({ kind: "missing" });
    expect((await server.ask("/admin/urls/9/drop", { as: "admin", form: {} })).status).toBe(404);
  });

  test("a dangerous action asks first, on a page of its own that posts by itself", async () => {
    const server = startApp();
    const doors = [
      ["/admin/hosts/1/forget", "/admin/hosts/1"],
      ["/admin/hosts/1/block", "/admin/hosts/1"],
      ["/admin/urls/1/drop", "/admin/urls/1"],
    ] as const;
    for (const [path, from] of doors) {
      const origin = await htmlOf(await server.ask(from, { as: "admin" }));
      expect(origin.querySelector(`a[href="${path}"]`)).not.toBeNull();
      expect(origin.querySelector(`form[action="${path}"]`)).toBeNull();
      const page = await htmlOf(await server.ask(path, { as: "admin" }));
      expect(page.querySelector(`main form[method=post][action="${path}"]`)).not.toBeNull();
    }
    expect(server.fake.calls).toEqual([]);
  });

  test("is said on the page that it led to, and neither at a reload nor from a bookmark", async () => {
    const server = startApp();
    const answer = await server.ask("/admin/hosts/1/pause", { as: "admin", form: {} });
    const elsewhere = await askAgain(server, "/admin/urls/1", answer);
    expect(texts(await htmlOf(elsewhere), "[role=status]")).toEqual([]);
    expect(elsewhere.headers.getSetCookie()).toEqual([]);
    for (const path of ["/admin/hosts/1", "/admin/hosts/1?done=pause"]) {
      const later = await server.ask(path, { as: "admin" });
      expect(texts(await htmlOf(later), "[role=status]")).toEqual([]);
    }
  });

  test("a new session id and the end of the notice go along in one answer", async () => {
    const server = startApp();
    const answer = await server.ask("/admin/hosts/1/pause", { as: "admin", form: {} });
    server.fake.advance(3_600_001);
    const page = await askAgain(server, "/admin/hosts/1", answer, { "sec-fetch-dest": "document" });
    const names = page.headers.getSetCookie().map((cookie) => cookie.split("=")[0]);
    expect(names.sort()).toEqual(["__Host-trawl", "trawl-done"]);
  });

  test.each(["/hosts/1/hacked", "/hosts/2/pause", "x", "/urls/1/pause"])(
    "a made-up notice says nothing: %s",
    async (done) => {
      const cookie = `__Host-trawl=${SESSIONS.admin}; trawl-done=${done}`;
      const answer = await startApp().ask("/admin/hosts/1", { headers: { cookie } });
      expect(texts(await htmlOf(answer), "[role=status]")).toEqual([]);
    },
  );
});

/** The next page of the browser that got `before`. */
function askAgain(
  server: Server,
  path: string,
  before: Response,
  headers: Record<string, string> = {},
): Promise<Response> {
  const kept = before.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  const cookie = [`__Host-trawl=${SESSIONS.admin}`, ...kept].join("; ");
  return server.ask(path, { headers: { cookie, ...headers } });
}
