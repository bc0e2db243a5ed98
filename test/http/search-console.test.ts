import { describe, expect, test } from "bun:test";
import { IndexUnavailable } from "../../src/search/port.ts";
import { htmlOf, texts } from "../support/html.ts";
import { startApp } from "./ask.ts";

/** The address of the form as a browser sends it. */
function tried(weights: Record<string, string> = {}, off: readonly string[] = []): string {
  const names = ["quality", "authority", "regionPage", "regionHost", "freshness", "locality"];
  const query = new URLSearchParams({ tried: "1", q: "tide" });
  const usual: Record<string, string> = { quality: "1", freshness: "1.2", navigational: "1" };
  const half = { authority: "0.5", regionPage: "0.5", rules: "1" };
  for (const name of [...names, "navigational", "rules"]) {
    query.set(`weight_${name}`, { ...usual, ...half, ...weights }[name] ?? "0.3");
    if (!off.includes(name)) query.set(`on_${name}`, "1");
  }
  query.set("on_text", "1");
  return `/admin/search?${query}`;
}

const PART = { "hx-request": "true", "hx-request-type": "partial" };

describe("the page of the search", () => {
  test("names every signal with what it means, its weight and its switch", async () => {
    const page = await htmlOf(await startApp().ask("/admin/search", { as: "viewer" }));
    expect(page.querySelectorAll(".weights-list > li")).toHaveLength(9);
    expect(page.querySelector("[name=weight_freshness]")?.getAttribute("value")).toBe("1.2");
    expect(texts(page, ".weights-list > li:nth-child(6) .hint").join()).toContain("saved by admin");
    expect(page.querySelectorAll("[type=checkbox][checked]")).toHaveLength(9);
    expect(page.querySelectorAll(".queries table")).toHaveLength(3);
  });

  test("with other weights both orders stand side by side, with what moved", async () => {
    const server = startApp();
    const page = await htmlOf(await server.ask(tried({ authority: "3" }), { as: "admin" }));
    expect(texts(page, ".orders h3")).toEqual(["In effect", "With these weights"]);
    const [now, after] = [...page.querySelectorAll(".order")];
    expect(texts(now!, ".order-title")[0]).toBe("Tidal power 1");
    expect(texts(after!, ".order-title")[0]).toBe("Tidal power 5");
    expect(texts(after!, ".moved").some((text) => text.includes("places up"))).toBe(true);
    expect(page.querySelectorAll(".order .explain-table")).toHaveLength(12);
    expect(texts(page, "#preview [role=status]")[0]).toStartWith("One signal differs");
    const save = page.querySelector("#preview form[method=post]");
    expect(save?.querySelector("[name=weight_authority]")?.getAttribute("value")).toBe("3");
    // Looking changes nothing.
    expect(server.fake.calls).toEqual([]);
  });

  test("htmx gets the preview alone; a viewer may try, and not save", async () => {
    const answer = await startApp().ask(tried({ authority: "3" }), { as: "viewer", headers: PART });
    const text = await answer.text();
    expect(text).toStartWith('<section id="preview"');
    expect(text).not.toContain('method="post"');
  });

  test("weights as in effect are one order, and nothing to save", async () => {
    const page = await htmlOf(await startApp().ask(tried(), { as: "admin" }));
    expect(page.querySelectorAll(".order")).toHaveLength(1);
    expect(page.querySelector("#preview form")).toBeNull();
  });

  test.each([["x"], ["-1"], ["5.01"], ["1e2"], ["0.123"], [""], ["٣"]])(
    "a weight of %j is told by its field",
    async (weight) => {
      const server = startApp();
      const page = await server.ask(tried({ authority: weight }), { as: "admin" });
      expect(page.status).toBe(400);
      expect(await page.text()).toContain("must be a number from 0 to 5");
      const api = await server.ask(`/api${tried({ authority: weight })}`, { as: "api token" });
      expect(api.status).toBe(400);
    },
  );

  test("a comma is a point for who learned it so", async () => {
    expect((await startApp().ask(tried({ authority: "0,8" }), { as: "admin" })).status).toBe(200);
  });

  test("an index that is away is told, and the page stands", async () => {
    const server = startApp();
    server.fake.deps.ranking.preview = async () => {
      throw new IndexUnavailable("away");
    };
    const page = await server.ask("/admin/search?q=tide", { as: "admin" });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("The search index cannot be reached.");
  });

  test("without QUERY_LOG it says how to have the queries", async () => {
    const server = startApp();
    server.fake.deps.ranking.queries = async () => null;
    const page = await server.ask("/admin/search", { as: "viewer" });
    expect(await page.text()).toContain("QUERY_LOG=on");
  });

  test("hostile text is text", async () => {
    const server = startApp();
    server.fake.say("<script>alert(1)</script>\"'");
    const text = await (await server.ask("/admin/search?q=%3Cscript%3E", { as: "admin" })).text();
    expect(text).not.toContain("<script>");
  });
});

describe("what an admin changes", () => {
  const FORM = Object.fromEntries(
    new URL(tried({ authority: "3" }), "http://localhost").searchParams,
  );

  test("is saved under the account's name, said once, and seen by programs", async () => {
    const server = startApp();
    const { on_freshness: _, ...form } = FORM;
    const answer = await server.ask("/admin/search/weights", { as: "admin", form });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/admin/search"]);
    expect(server.fake.calls).toEqual(["save 9 3 false admin"]);
    const json = await (
      await server.ask("/api/admin/search?q=tide", { as: "viewer token" })
    ).json();
    const { signals, now } = json as { signals: { name: string }[]; now: { total: number } };
    expect([signals.length, now.total]).toEqual([9, 48]);
  });

  test.each([
    [{ weights: { authority: 0.8, freshness: "off" } }, 200, "save 9 0.8 false api"],
    [{ weights: { authority: "0.8" } }, 400, null],
    [{ weights: { authority: 6 } }, 400, null],
    [{ weights: { speed: 1 } }, 400, null],
    [{ weights: { text: 2 } }, 400, null],
    [{ weights: [] }, 400, null],
    [{}, 400, null],
  ] as const)("as JSON %j: %i", async (json, status, call) => {
    const server = startApp();
    const answer = await server.ask("/api/admin/search/weights", { as: "api token", json });
    expect(answer.status).toBe(status);
    expect(server.fake.calls).toEqual(call === null ? [] : [call]);
  });

  test.each([
    [{ host: "Example.org", factor: "raise" }, 303, "raise example.org admin"],
    [
      { host: "https://www.example.org/a?b", factor: "muchLower" },
      303,
      "muchLower www.example.org admin",
    ],
    [{ host: "Québec.example", factor: "lower" }, 303, "lower xn--qubec-csa.example admin"],
    [{ host: "10.0.0.1:8080", factor: "raise" }, 303, "raise 10.0.0.1 admin"],
    [{ host: "[::1]", factor: "raise" }, 303, "raise [::1] admin"],
    [{ host: "my_host.example.", factor: "raise" }, 303, "raise my_host.example admin"],
    ...["*.example.org", "foo..bar", "-", "a'b.example", "10.1", "10.0.0.0/8", "0x7f.1"].map(
      (host) => [{ host, factor: "raise" }, 400, null] as const,
    ),
    [{ host: "a b", factor: "raise" }, 400, null],
    [{ host: "", factor: "raise" }, 400, null],
    [{ host: "a.example", factor: "toString" }, 400, null],
    [{ host: "a.example" }, 400, null],
  ])("a host %j: %i", async (form, status, call) => {
    const server = startApp();
    const answer = await server.ask("/admin/search/hosts", { as: "admin", form });
    expect(answer.status).toBe(status);
    expect(server.fake.calls).toEqual(call === null ? [] : [call]);
  });

  test("what no rule could be made for now can be taken away", async () => {
    const server = startApp();
    const form = { host: "*.example.org" };
    await server.ask("/admin/search/hosts/remove", { as: "admin", form });
    expect(server.fake.calls).toHaveLength(1);
  });

  test("a foreign or forged form changes nothing", async () => {
    const server = startApp();
    for (const path of ["weights", "reset", "hosts", "hosts/remove"]) {
      const at = `/admin/search/${path}`;
      const forged = await server.ask(at, { as: "admin", form: { ...FORM, csrf: "x" } });
      const headers = { "sec-fetch-site": "cross-site" };
      const foreign = await server.ask(at, { as: "admin", form: FORM, headers });
      const viewer = await server.ask(at, { as: "viewer", form: FORM });
      expect([forged.status, foreign.status, viewer.status], path).toEqual([403, 403, 403]);
    }
    expect(server.fake.calls).toEqual([]);
  });

  test("a reset asks first", async () => {
    const server = startApp();
    const page = await htmlOf(await server.ask("/admin/search", { as: "admin" }));
    expect(page.querySelector('a[href="/admin/search/reset"]')).not.toBeNull();
    await server.ask("/admin/search/reset", { as: "admin" });
    expect(server.fake.calls).toEqual([]);
    await server.ask("/admin/search/reset", { as: "admin", form: {} });
    expect(server.fake.calls).toEqual(["reset admin"]);
  });
});
