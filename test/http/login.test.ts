import { describe, expect, test } from "bun:test";
import { createPasswordCheck, hashPassword } from "../../src/http/password.ts";
import { hashToken } from "../../src/http/secrets.ts";
import { htmlOf } from "../support/html.ts";
import { type Server, startApp } from "./ask.ts";
import { createFake, PASSWORDS, SESSIONS } from "./fake.ts";

interface Form {
  cookie: string;
  fields: Record<string, string>;
}

/** Opens the login page as a browser does: its cookie and its hidden fields. */
async function openForm(
  server: Server,
  origin = "http://localhost",
  path = "/login",
): Promise<Form> {
  const answer = await server.ask(path, { origin });
  const page = await htmlOf(answer);
  const fields: Record<string, string> = {};
  for (const input of page.querySelectorAll("main input[type=hidden]")) {
    fields[input.getAttribute("name") ?? ""] = input.getAttribute("value") ?? "";
  }
  return { cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "", fields };
}

async function signIn(server: Server, change: Record<string, string> = {}, origin?: string) {
  const { cookie, fields } = await openForm(server, origin);
  return server.ask("/login", {
    form: { ...fields, name: "admin", password: PASSWORDS.admin, ...change },
    headers: { cookie },
    ...(origin === undefined ? {} : { origin }),
  });
}

const cookieOf = (answer: Response) => answer.headers.get("set-cookie") ?? "";

describe("signing in", () => {
  test("gives a new session, stored as a hash only, and writes it down", async () => {
    const server = startApp();
    const answer = await signIn(server);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("/admin");
    const id = /^__Host-trawl=([\w-]{43});/.exec(cookieOf(answer))?.[1] ?? "";
    expect([...server.fake.sessions.keys()]).toContain(hashToken(id));
    expect([...server.fake.sessions.keys()]).not.toContain(id);
    expect(server.fake.audited).toEqual(["admin account.signed_in admin"]);
    const cookie = `__Host-trawl=${id}`;
    expect((await server.ask("/admin", { headers: { cookie } })).status).toBe(200);
  });

  test.each([
    ["http://localhost", true],
    ["http://127.0.0.1:3000", true],
    ["http://[::1]:3000", true],
    ["https://search.example", true],
    ["http://192.0.2.7:3000", false],
    ["http://localhost.evil.test", false],
  ])("%s: the cookie is bound to Secure and __Host-: %p", async (origin, isSecure) => {
    const server = startApp();
    const answer = await signIn(server, {}, origin);
    const [value, ...flags] = cookieOf(answer).split("; ");
    expect(value).toStartWith(isSecure ? "__Host-trawl=" : "trawl=");
    expect(flags.sort()).toEqual(
      [
        "HttpOnly",
        "Max-Age=1209600",
        "Path=/",
        "SameSite=Lax",
        ...(isSecure ? ["Secure"] : []),
      ].sort(),
    );
    const page = await server.ask("/login", { origin });
    expect((await page.text()).includes("not encrypted")).toBe(!isSecure);
  });

  test("behind a trusted proxy or under PUBLIC_URL the cookie is secure as well", async () => {
    const trusted = startApp(createFake({ settings: { trustedProxies: ["127.0.0.0/8"] } }));
    const ask = { origin: "http://search.example", headers: { "x-forwarded-proto": "https" } };
    expect(cookieOf(await trusted.ask("/login", ask))).toContain("; Secure");
    expect(cookieOf(await startApp().ask("/login", ask))).not.toContain("; Secure");
    const named = startApp(createFake({ settings: { publicUrl: "https://search.example" } }));
    expect(cookieOf(await named.ask("/login", { origin: ask.origin }))).toContain("; Secure");
  });

  test("a wrong password and an unknown name look alike", async () => {
    const server = startApp();
    const wrong = await signIn(server, { password: "wrong" });
    const unknown = await signIn(server, { name: "nobody" });
    for (const answer of [wrong, unknown]) {
      expect(answer.status).toBe(401);
      expect(cookieOf(answer)).not.toContain("__Host-trawl=");
      expect(await answer.text()).toContain("The name or the password is wrong.");
    }
    expect(server.fake.sessions.size).toBe(2);
  });

  test("the form of another browser is refused, with a fresh one", async () => {
    const server = startApp();
    const { fields } = await openForm(server);
    const { cookie } = await openForm(server);
    const form = { ...fields, name: "admin", password: PASSWORDS.admin };
    for (const headers of [{}, { cookie }] as Record<string, string>[]) {
      const answer = await server.ask("/login", { form, headers });
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain("too old");
    }
    const foreign = { cookie, origin: "http://evil.test" };
    expect((await server.ask("/login", { form, headers: foreign })).status).toBe(403);
    expect(server.fake.sessions.size).toBe(2);
  });

  test("the tenth try in a row is the last for a while, by client", async () => {
    const server = startApp(createFake({ settings: { trustedProxies: ["127.0.0.1"] } }));
    const attempt = async (from: string, password: string) => {
      const { cookie, fields } = await openForm(server);
      const form = { ...fields, name: "admin", password };
      return server.ask("/login", { form, headers: { cookie, "x-forwarded-for": from } });
    };
    for (let round = 0; round < 10; round += 1) {
      expect((await attempt("192.0.2.1", "wrong")).status).toBe(401);
    }
    const limited = await attempt("192.0.2.1", PASSWORDS.admin);
    expect(limited.status).toBe(429);
    expect(limited.headers.get("retry-after")).toBe("10");
    expect((await attempt("192.0.2.2", PASSWORDS.admin)).status).toBe(303);
    server.fake.advance(10_000);
    expect((await attempt("192.0.2.1", PASSWORDS.admin)).status).toBe(303);
  });

  test.each([
    ["/admin/hosts?state=dead", "/admin/hosts?state=dead"],
    ["//evil.test/", "/"],
    ["https://evil.test/", "/"],
    ["/\\evil.test", "/"],
    ["javascript:alert(1)", "/"],
    ["", "/admin"],
  ])("next=%s leads to %s", async (next, expected) => {
    const answer = await signIn(startApp(), { next });
    expect(answer.headers.get("location")).toBe(expected);
  });

  test.each(["a\u0000b", "\u001b[31m", "\u0085"])(
    "a name with control characters is asked of nobody: %j",
    async (name) => {
      const server = startApp();
      server.fake.deps.accounts.byName = () => Promise.reject(new Error("the store was asked"));
      expect((await signIn(server, { name })).status).toBe(400);
    },
  );

  test("a name is shown again as the text that it is, a password never", async () => {
    const answer = await signIn(startApp(), { name: `"><script>x</script>`, password: "hunter22" });
    const text = await answer.text();
    expect(text).not.toContain("<script>x");
    expect(text).not.toContain("hunter22");
  });

  test("who is signed in already is not asked again", async () => {
    const answer = await startApp().ask("/login?next=/admin/urls", { as: "viewer" });
    expect(answer.headers.get("location")).toBe("/admin/urls");
  });
});

describe("a session", () => {
  const pageLoad = { "sec-fetch-dest": "document" };

  test("ends at sign-out, in the store and in the browser", async () => {
    const server = startApp();
    const answer = await server.ask("/logout", { form: {}, as: "admin" });
    expect(answer.headers.get("location")).toBe("/login");
    expect(cookieOf(answer)).toStartWith("__Host-trawl=; ");
    expect(cookieOf(answer)).toContain("Max-Age=0");
    expect((await server.ask("/admin", { as: "admin" })).status).toBe(303);
  });

  test("gets a new id after an hour; the old one serves a minute longer, not more", async () => {
    const server = startApp();
    const young = await server.ask("/admin", { as: "admin", headers: pageLoad });
    expect(young.headers.get("set-cookie")).toBeNull();
    server.fake.advance(3_600_001);
    const fragment = await server.ask("/admin/cards", { as: "admin" });
    expect(fragment.headers.get("set-cookie")).toBeNull();
    const answer = await server.ask("/admin", { as: "admin", headers: pageLoad });
    const cookie = cookieOf(answer).split(";")[0] ?? "";
    expect(cookie).toStartWith("__Host-trawl=");
    expect(cookie).not.toContain(SESSIONS.admin);
    const again = await server.ask("/admin", { as: "admin", headers: pageLoad });
    expect([again.status, again.headers.get("set-cookie")]).toEqual([200, null]);
    server.fake.advance(60_001);
    expect((await server.ask("/admin", { as: "admin" })).status).toBe(303);
    expect((await server.ask("/admin", { headers: { cookie } })).status).toBe(200);
  });
});

describe("password checks", () => {
  test("are argon2id, and no hash takes as long as a wrong one", async () => {
    const check = createPasswordCheck();
    const hash = await hashPassword("right");
    expect(hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(await check.verify("right", hash)).toBe("right");
    expect(await check.verify("wrong", hash)).toBe("wrong");
    const timed = async (against: string | null) => {
      const begin = performance.now();
      expect(await check.verify("wrong", against)).toBe("wrong");
      return performance.now() - begin;
    };
    await timed(null);
    const [known, unknown] = [await timed(hash), await timed(null)];
    expect(unknown).toBeGreaterThan(known / 5);
  });

  test("are bounded: too many at once are told so, an overlong one costs nothing", async () => {
    const check = createPasswordCheck({ concurrency: 1, queueMax: 1 });
    const hash = await hashPassword("right");
    const all = await Promise.all([1, 2, 3, 4].map(() => check.verify("right", hash)));
    expect(all.sort()).toEqual(["busy", "busy", "right", "right"]);
    expect(await check.verify("right", hash)).toBe("right");
    expect(await check.verify("x".repeat(1_001), hash)).toBe("wrong");
  });
});
