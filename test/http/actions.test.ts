import { describe, expect, test } from "bun:test";
import { htmlOf, texts } from "../support/html.ts";
import { startApp } from "./ask.ts";

describe("actions", () => {
  const cases = [
    ["/admin/hosts/1/pause", "pause 1 admin", "/admin/hosts/1?done=pause"],
    ["/admin/hosts/1/resume", "resume 1 admin", "/admin/hosts/1?done=resume"],
    ["/admin/hosts/1/block", "block 1 admin", "/admin/hosts/1?done=block"],
    ["/admin/hosts/1/unblock", "unblock 1 admin", "/admin/hosts/1?done=unblock"],
    ["/admin/hosts/1/crawl", "crawl host 1 admin", "/admin/hosts/1?done=crawl"],
    ["/admin/hosts/1/forget", "forget 1 admin", "/admin/hosts?done=forget"],
    ["/admin/urls/1/retry", "retry 1 admin", "/admin/urls/1?done=retry"],
    ["/admin/urls/1/drop", "drop 1 admin", "/admin/urls?done=drop"],
    ["/admin/urls/1/crawl", "crawl url 1 admin", "/admin/urls/1?done=crawl"],
    ["/admin/submissions/1/accept", "accepted 1 admin", "/admin/submissions?done=accept"],
    ["/admin/submissions/1/refuse", "refused 1 admin", "/admin/submissions?done=refuse"],
  ] as const;
  test.each(cases)("%s is done in the account's name", async (path, call, location) => {
    const server = startApp();
    const answer = await server.ask(path, { as: "admin", form: {} });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, location]);
    const json = await server.ask(`/api${path}`, { as: "api token", method: "POST" });
    expect(await json.json()).toEqual({ result: "done" });
    expect(server.fake.calls).toEqual([call, call.replace("admin", "api")]);
    const page = await htmlOf(await server.ask(location, { as: "admin" }));
    expect(texts(page, "[role=status]")).toHaveLength(1);
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

  test("a made-up notice says nothing", async () => {
    const answer = await startApp().ask("/admin/hosts/1?done=hacked", { as: "admin" });
    expect(texts(await htmlOf(answer), "[role=status]")).toEqual([]);
  });
});
