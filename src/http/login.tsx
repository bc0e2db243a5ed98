/** @jsxRuntime automatic @jsxImportSource preact */
import { Elysia, t } from "elysia";
import { LoginPage } from "../../templates/console/login.tsx";
import type { Chrome } from "../../templates/layout.tsx";
import type { Access, Client } from "./auth.ts";
import { setCookie, tokenOf } from "./cookies.ts";
import type { HttpDeps } from "./deps.ts";
import { localPath } from "./language.ts";
import { page, seeOther } from "./page.ts";
import { createPasswordCheck, PASSWORD_LENGTH_MAX } from "./password.ts";
import { createRateLimit } from "./rate-limit.ts";
import { tooMany } from "./refusal.ts";
import { isSameSecret, randomToken } from "./secrets.ts";
import type { Sessions } from "./sessions.ts";

/** Ten tries at once, then one every ten seconds, by client. */
const TRIES = { perS: 0.1, burst: 10 };
const FORM_LIFETIME_S = 3_600;

/** Signing in and out. */
export const loginRoutes = (access: Access, deps: HttpDeps, sessions: Sessions) => {
  const passwords = createPasswordCheck();
  const tries = createRateLimit({ ...TRIES, clock: deps.clock });
  return new Elysia({ name: "login" })
    .use(access)
    .get(
      "/login",
      ({ query, request, client, chrome, caller }) => {
        const next = localPath(query.next || "/admin", request.url);
        if (caller.kind === "session") return seeOther(next);
        return loginPage({ request, client, chrome, next, name: "", problem: null });
      },
      { audience: "public", query: t.Object({ next: t.Optional(t.String({ maxLength: 2_000 })) }) },
    )
    .post(
      "/login",
      async ({ body, request, client, chrome, caller }) => {
        const verdict = tries.take(client.key);
        if (verdict.kind === "limited") throw tooMany(verdict.retryAfterS, "tries to sign in");
        const { name, password } = body;
        const next = localPath(body.next || "/admin", request.url);
        const again = (problem: string, status: number) =>
          loginPage({ request, client, chrome, next, name, problem, status });
        if (!isOwnForm(request, client, body.form)) return again(STALE_FORM, 403);
        const account = await deps.accounts.byName(name);
        switch (await passwords.verify(password, account?.passwordHash ?? null)) {
          case "busy":
            return again("Too many people are signing in. Try again in a moment.", 503);
          case "wrong":
            deps.log.warn("login.failed", { name, client: client.key });
            return again("The name or the password is wrong.", 401);
        }
        if (caller.kind === "session") await sessions.end(caller.id);
        const { id, maxAgeS } = await sessions.begin(account!.id);
        await deps.audit.record({
          actor: account!.name,
          action: "account.signed_in",
          subject: account!.name,
        });
        return seeOther(next, {
          "set-cookie": setCookie(client.cookies.session, id, client.isSecure, maxAgeS),
        });
      },
      {
        audience: "open",
        body: t.Object({
          name: t.String({ minLength: 1, maxLength: 100 }),
          password: t.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX }),
          form: t.Optional(t.String({ maxLength: 100 })),
          next: t.Optional(t.String({ maxLength: 2_000 })),
        }),
      },
    )
    .post(
      "/logout",
      async ({ caller, client }) => {
        if (caller.kind === "session") await sessions.end(caller.id);
        return seeOther("/login", {
          "set-cookie": setCookie(client.cookies.session, "", client.isSecure, 0),
          // Else the back button would still show the console.
          "clear-site-data": '"cache"',
        });
      },
      { audience: "viewer" },
    );
};

const STALE_FORM =
  "The form was too old, or your browser did not keep its cookie. Try again; " +
  "if this comes back, allow cookies for this address.";

interface LoginView {
  request: Request;
  client: Client;
  chrome: Chrome;
  next: string;
  name: string;
  problem: string | null;
  status?: number;
}

/** The form carries the value of a cookie, so that no other site can send it for a visitor. */
function loginPage({ request, client, chrome, status = 200, ...view }: LoginView): Response {
  const { form } = client.cookies;
  const formToken = tokenOf(request.headers, form) ?? randomToken();
  return page(
    <LoginPage chrome={chrome} formToken={formToken} isInsecure={!client.isSecure} {...view} />,
    {
      status,
      headers: {
        "cache-control": "no-store",
        "set-cookie": setCookie(form, formToken, client.isSecure, FORM_LIFETIME_S),
      },
    },
  );
}

function isOwnForm(request: Request, client: Client, given: string | undefined): boolean {
  const expected = tokenOf(request.headers, client.cookies.form);
  return expected !== null && given !== undefined && isSameSecret(given, expected);
}
