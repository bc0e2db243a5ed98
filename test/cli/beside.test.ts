import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { page, startOrigin } from "../support/origin.ts";
import { Program, runCommand } from "../support/program.ts";
import { jsonOf } from "../support/shell.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

const HOST = "127.0.3.1";
const HOSTILE = "127.0.3.2";
/** What would clear a screen, name its window and turn its text. */
const EVIL = "zqevil \u001b[2J\u001b]0;pwned\u0007 \u009b31m \u202egnp.exe";

const origin = startOrigin();
const program = new Program({
  env: { CRAWL_DELAY_MS: "0", FETCH_ALLOW_CIDRS: "127.0.0.0/8", ADMIN_PASSWORD: "" },
});
const at = (path = "/", host = HOST) => origin.url(host, path);
const found = async (word: string) => {
  const ran = await program.run("search", word, "--json");
  return jsonOf<{ total: number }>(ran).total;
};
const stateOf = async (url: string) =>
  jsonOf<{ state: string }>(await program.run("explain", url, "--json")).state;

beforeAll(async () => {
  origin.host(HOST, { "/": () => page("zqfront of it", "/a"), "/a": "zqleaf of it" });
  origin.host(HOSTILE, { "/": EVIL });
  await program.start();
  expect((await program.run("seed", at(), at("/", HOSTILE))).code).toBe(0);
  await until(async () => (await found("zqleaf")) === 1 && (await found("zqevil")) === 1, {
    timeoutMs: 30_000,
  });
});

afterAll(async () => {
  await program.stop();
  await origin.stop();
});

describe("beside a running start", () => {
  const COMMANDS: [args: string[], code: number, holds: object][] = [
    [["seed", at("/b"), "nope:"], 0, { admitted: 1, known: 0 }],
    [["seed", "nope:"], 1, { admitted: 0, known: 0 }],
    [["search", "zqfront"], 0, { total: 1, per_page: 10, hits: [{ url: at() }] }],
    [["search", "nothinghasthisword"], 1, { total: 0, hits: [] }],
    [["explain", at("/a")], 0, { url: at("/a"), via: "link", in_index: true }],
    [["explain", at("/unknown")], 1, { error: { code: "failed" } }],
    [["explain", "no address"], 1, { error: { code: "failed" } }],
    [["status"], 0, { parts: { postgres: "up", ollama: "off" }, enrich_backlog: 0 }],
    [["doctor"], 0, {}],
    [["reconcile"], 0, { missing: 0, orphan: 0, stale: 0 }],
    [["reindex"], 0, { removed: 0, refused: 0 }],
    [["crawl", "--until-idle", "--max-seconds", "1"], 0, { seconds: expect.any(Number) }],
    [["block", "elsewhere.example"], 0, { block: "elsewhere.example" }],
    [["unblock", "elsewhere.example"], 0, { unblock: "elsewhere.example" }],
    [["unblock", "elsewhere.example"], 1, { error: { code: "failed" } }],
    [["users", "passwd", "nobody"], 1, { error: { code: "failed" } }],
    [["users", "passwd", "admin"], 0, { name: "admin", password: expect.any(String) }],
  ];

  test.each(COMMANDS)("%j --json is one value, with exit %i", async (args, code, holds) => {
    const ran = await program.run(...args, "--json");
    expect({ code: ran.code, value: jsonOf(ran) }).toMatchObject({ code, value: holds });
    expect(ran.err === "").toBe(ran.out.includes('"error"') === false);
  });

  const FOR_PEOPLE = COMMANDS.filter(([[name], code]) => code === 0 && name !== "crawl");
  const once = [...Map.groupBy(FOR_PEOPLE, ([[name]]) => name).values()].map(([first]) => first!);

  test.each(once)("%j for people: words, exit %i", async (args, code) => {
    const ran = await program.run(...args);
    expect(ran.code).toBe(code);
    expect(`${ran.out}${ran.err}`).toMatch(/\w/);
    expect(ran.out).not.toMatch(/^[{[]/);
  });

  test("names in JSON are those of the API", async () => {
    for (const args of [["search", "zqfront"], ["explain", at()], ["status"]]) {
      const { out } = await program.run(...args, "--json");
      expect(out.match(/"[a-z]+[A-Z]\w*":/g) ?? []).toEqual([]);
    }
    const told = jsonOf(await program.run("explain", at(), "--json"));
    const params = `url=${encodeURIComponent(at())}`;
    expect(await program.api(`/api/urls?${params}`)).toMatchObject(told as object);
  });

  test("what was crawled drives no terminal, in words and in JSON", async () => {
    for (const json of [[], ["--json"]]) {
      for (const args of [
        ["search", "zqevil"],
        ["explain", at("/", HOSTILE)],
      ]) {
        const { code, out } = await program.run(...args, ...json);
        expect(code).toBe(0);
        expect(out).toContain("zqevil");
        expect(out.replace(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }
    }
  });

  test("block takes a host's pages out of the search, unblock brings them back", async () => {
    expect((await program.run("block", HOST)).out).toBe(`blocked ${HOST}\n`);
    expect([await found("zqleaf"), await stateOf(at("/a"))]).toEqual([0, "blocked"]);
    const seeded = await program.run("seed", at("/c"), "--json");
    expect([seeded.code, jsonOf(seeded)]).toEqual([
      1,
      { admitted: 0, known: 0, refused: [{ url: at("/c"), reason: "blocked" }] },
    ]);
    expect((await program.run("unblock", HOST)).out).toBe(`unblocked ${HOST}\n`);
    await until(async () => (await found("zqleaf")) === 1, { timeoutMs: 20_000 });
  });

  test("users passwd: the new password signs in at once, the old one no longer", async () => {
    const made = jsonOf<{ password: string }>(
      await program.run("users", "passwd", "admin", "--json"),
    );
    expect(await signIn(made.password)).toBe(303);
    const typed = ["users", "passwd", "admin", "--stdin"];
    const ran = await runCommand(typed, program.env, { input: "a typed password\nrest\n" });
    expect([ran.code, ran.out]).toEqual([0, "admin has a new password\n"]);
    expect([await signIn("a typed password"), await signIn(made.password)]).toEqual([303, 401]);
  });
});

describe("without a start", () => {
  beforeAll(async () => {
    expect(await program.stop({ keep: true })).toBe(0);
  });

  test("block and unblock work on the store and the index by themselves", async () => {
    expect((await program.run("block", HOST)).code).toBe(0);
    expect([await found("zqleaf"), await stateOf(at("/a"))]).toEqual([0, "blocked"]);
    expect((await program.run("unblock", HOST)).code).toBe(0);
    expect(await stateOf(at("/a"))).toBe("pending");
    const crawled = await program.run("crawl", "--until-idle", "--json");
    expect([crawled.code, jsonOf(crawled)]).toMatchObject([0, { stopped: "idle" }]);
    expect(await found("zqleaf")).toBe(1);
  });

  test("doctor finds all in order, and says what is not", async () => {
    const { code, out } = await program.run("doctor");
    expect(code).toBe(0);
    const parts = ["postgres", "carrier", "index", "disk"];
    const names = [...parts, "settings", "synonyms", "conservation"];
    for (const name of names) expect(out).toMatch(new RegExp(`^ok +${name} `, "m"));
    const broken = { ...program.env, REDIS_URL: "redis://127.0.0.1:1/" };
    const ran = await runCommand(["doctor"], broken);
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/^FAIL +carrier +down\n +see the server of REDIS_URL/m);
    const asJson = await runCommand(["doctor", "--json"], broken);
    const findings = jsonOf<{ name: string; ok: boolean; mend: string | null }[]>(asJson);
    expect(findings.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(["carrier"]);
    for (const { ok, mend } of findings) expect(mend === null).toBe(ok);
  });
});

/** Status of signing in as a browser does: with the cookie and the hidden field of the form. */
async function signIn(password: string): Promise<number> {
  const form = await fetch(`${program.url}/login`);
  const cookie = form.headers.get("set-cookie")!.split(";")[0]!;
  const hidden = /<input[^>]*name="form"[^>]*>/.exec(await form.text())![0];
  const token = /value="([^"]*)"/.exec(hidden)![1]!;
  const body = new URLSearchParams({ name: "admin", password, form: token, next: "/admin" });
  const init: RequestInit = { method: "POST", body, headers: { cookie }, redirect: "manual" };
  return (await fetch(`${program.url}/login`, init)).status;
}
