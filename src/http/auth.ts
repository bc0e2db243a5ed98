import { Elysia } from "elysia";
import type { Chrome } from "../../templates/layout.tsx";
import type { Caller } from "./caller.ts";
import { setCookie } from "./cookies.ts";
import { hasToken, siteOf } from "./csrf.ts";
import { isMachine } from "./errors.tsx";
import { wantsFragment } from "./htmx.ts";
import type { RateLimit } from "./rate-limit.ts";
import { forbidden, forged, signInFirst, toLogin, unavailable } from "./refusal.ts";
import { urlOf } from "./request-url.ts";
import { type Client, demandAllowance, type VisitorDeps, visitorOf } from "./visitor.ts";

/**
 * Who may use a route. `open`: everybody, never limited (health, assets). `public`: everybody,
 * rate limited by client. `viewer`, `admin`: accounts of that role or more.
 */
export type Audience = "open" | "public" | "viewer" | "admin";

/** For routes that need not know who asks, so that nobody is looked up for them. */
export const OPEN = { detail: { audience: "open" } as object };

export interface AccessOptions extends VisitorDeps {
  chrome(path: string, caller: Caller): Chrome;
}

/**
 * Gives every route of a plugin `caller`, `client` and `chrome`, and the macro `audience`, which
 * `app.ts` demands of each route. It runs before input is validated: strangers learn nothing.
 */
export function createAccess(options: AccessOptions) {
  const { publicUrl, chrome } = options;
  return new Elysia({ name: "access" })
    .derive({ as: "scoped" }, async ({ request, server, set }) => {
      const visitor = await visitorOf(request, server, options);
      const renewed = await renew(visitor.caller, request, visitor.client, options);
      if (renewed !== null) set.headers["set-cookie"] = renewed;
      const { pathname } = urlOf(request);
      const isFragment = wantsFragment(request);
      return { ...visitor, chrome: { ...chrome(pathname, visitor.caller), isFragment } };
    })
    .macro({
      audience: (audience: Audience) => ({
        detail: { audience } as object,
        transform(context) {
          const { caller, client } = context as unknown as { caller: Caller; client: Client };
          const { request, body } = context;
          limit(audience, caller, client, options.rateLimit);
          demandRole(audience, caller, request);
          if (!["GET", "HEAD"].includes(request.method)) {
            demandOwnForm(audience, caller, request, body, publicUrl);
          }
        },
      }),
    });
}

export type Access = ReturnType<typeof createAccess>;

function limit(audience: Audience, caller: Caller, client: Client, rateLimit: RateLimit): void {
  if (audience !== "open") demandAllowance({ caller, client }, rateLimit);
}

function demandRole(audience: Audience, caller: Caller, request: Request): void {
  if (audience === "open" || audience === "public") return;
  switch (caller.kind) {
    case "unverified":
      throw unavailable((words) => words.sessionUnchecked);
    case "nobody":
      throw askToSignIn(request);
    default:
      if (audience === "admin" && caller.role !== "admin") throw forbidden();
  }
}

/** A person is led to sign in and from there back to a page, never to what only takes a form. */
function askToSignIn(request: Request) {
  const url = urlOf(request);
  if (isMachine(url.pathname)) return signInFirst();
  const page = pageBefore(request);
  const login = (next: string) => `/login?next=${encodeURIComponent(next)}`;
  // htmx leads the whole window there instead of swapping the answer into a part of it.
  if (request.headers.get("hx-request") === "true") {
    return signInFirst({ "hx-redirect": login(page) });
  }
  if (url.pathname === "/events") return signInFirst();
  if (["GET", "HEAD"].includes(request.method)) return toLogin(login(url.pathname + url.search));
  return wantsHtml(request) ? toLogin(login(page)) : signInFirst();
}

/** The page of the console that the request came from. A proxy may have changed its origin. */
function pageBefore({ headers }: Request): string {
  const from = URL.parse(headers.get("hx-current-url") ?? headers.get("referer") ?? "");
  return from?.pathname.startsWith("/admin") ? from.pathname + from.search : "/admin";
}

/** Browsers name text/html when they send a form; programs seldom do. */
export const wantsHtml = (request: Request): boolean =>
  (request.headers.get("accept") ?? "").includes("text/html");

/** A bearer token is never sent by a browser on its own, so only cookies can be abused. */
function demandOwnForm(
  audience: Audience,
  caller: Caller,
  request: Request,
  body: unknown,
  publicUrl: string | null,
): void {
  if (caller.kind === "token") return;
  if (siteOf(request, publicUrl) === "foreign") throw forged();
  const isPublic = audience === "open" || audience === "public";
  if (caller.kind === "session" && !isPublic && !hasToken(request, body, caller.csrf)) {
    throw forged();
  }
}

/** Only a page load renews: parallel requests of one page keep the id that they were sent with. */
async function renew(
  caller: Caller,
  request: Request,
  client: Client,
  { sessions }: AccessOptions,
): Promise<string | null> {
  const isPageLoad =
    request.method === "GET" && request.headers.get("sec-fetch-dest") === "document";
  if (caller.kind !== "session" || !isPageLoad) return null;
  const next = await sessions.rotate(caller.id, caller.session).catch(() => null);
  return next && setCookie(client.cookies.session, next.id, client.isSecure, next.maxAgeS);
}
