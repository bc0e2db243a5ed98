/** @jsxRuntime automatic @jsxImportSource preact */
import { Elysia, t } from "elysia";
import { LoginPage } from "../../templates/console/login.tsx";
import type { Chrome } from "../../templates/layout.tsx";
import type { SignInWords } from "../../templates/words/sign-in.ts";
import { wordsOf } from "../../templates/words/words.ts";
import { PASSWORD_LENGTH_MAX } from "../credentials.ts";
import type { Access } from "./auth.ts";
import { setCookie, tokenOf } from "./cookies.ts";
import type { HttpDeps } from "./deps.ts";
import { languageOf } from "./language.ts";
import { localPath } from "./local-path.ts";
import { page, seeOther } from "./page.ts";
import { createPasswordCheck } from "./password.ts";
import { createRateLimit } from "./rate-limit.ts";
import { tooMany } from "./refusal.ts";
import { urlOf } from "./request-url.ts";
import { isSameSecret, randomToken } from "./secrets.ts";
import type { Sessions } from "./sessions.ts";
import { text } from "./text.ts";
import type { Client } from "./visitor.ts";

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
        const next = localPath(query.next || "/admin", urlOf(request));
        if (caller.kind === "session") return seeOther(next);
        return loginPage({ request, client, chrome, next, name: "", problem: null });
      },
      { audience: "public", query: t.Object({ next: t.Optional(t.String({ maxLength: 2_000 })) }) },
    )
    .post(
      "/login",
      async ({ body, request, client, chrome, caller }) => {
        const verdict = tries.take(client.key);
        if (verdict.kind === "limited") throw tooMany(verdict.retryAfterS, "tries");
        const { name, password } = body;
        const next = localPath(body.next || "/admin", urlOf(request));
        const again = (problem: LoginProblem, status: number) =>
          loginPage({ request, client, chrome, next, name, problem, status });
        if (!isOwnForm(request, client, body.form)) return again("stale", 403);
        const account = await deps.accounts.byName(name);
        switch (await passwords.verify(password, account?.passwordHash ?? null)) {
          case "busy":
            return again("busy", 503);
          case "wrong":
            deps.log.warn("login.failed", { name, client: client.key });
            return again("wrong", 401);
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
          name: text(100, 1),
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

type LoginProblem = keyof Pick<SignInWords, "stale" | "busy" | "wrong">;

interface LoginView {
  request: Request;
  client: Client;
  chrome: Chrome;
  next: string;
  name: string;
  problem: LoginProblem | null;
  status?: number;
}

/** The form carries the value of a cookie, so that no other site can send it for a visitor. */
function loginPage(props: LoginView): Response {
  const { request, client, chrome, status = 200, next, name, problem } = props;
  const { form } = client.cookies;
  const lang = languageOf(request);
  const formToken = tokenOf(request.headers, form) ?? randomToken();
  return page(
    <LoginPage
      chrome={{ ...chrome, lang, here: `/login?${new URLSearchParams({ next })}` }}
      formToken={formToken}
      isInsecure={!client.isSecure}
      next={next}
      name={name}
      problem={problem === null ? null : wordsOf(lang).signIn[problem]}
    />,
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
