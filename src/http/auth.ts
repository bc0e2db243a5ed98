import { Elysia } from "elysia";
import type { Chrome } from "../../templates/layout.tsx";
import { type Caller, type Credentials, identify } from "./caller.ts";
import { type ClientAddress, clientKey } from "./client-address.ts";
import { type CookieNames, cookieNames, isSecureOrigin, setCookie } from "./cookies.ts";
import { hasToken, siteOf } from "./csrf.ts";
import { isMachine } from "./errors.tsx";
import { wantsFragment } from "./htmx.ts";
import type { RateLimit } from "./rate-limit.ts";
import { forbidden, forged, Refusal, signInFirst, tooMany, unavailable } from "./refusal.ts";

/**
 * Who may use a route. `open`: everybody, never limited (health, assets). `public`: everybody,
 * rate limited by client. `viewer`, `admin`: accounts of that role or more.
 */
export type Audience = "open" | "public" | "viewer" | "admin";

/** For routes that need not know who asks, so that nobody is looked up for them. */
export const OPEN = { detail: { audience: "open" } as object };

export interface AccessOptions extends Credentials {
  publicUrl: string | null;
  clients: ClientAddress;
  rateLimit: RateLimit;
  chrome(path: string, caller: Caller): Chrome;
}

/** How the request reached us. */
export interface Client {
  /** Key of its allowances. */
  key: string;
  isSecure: boolean;
  cookies: CookieNames;
}

/** A request handled without a socket (tests, in-process calls) comes from this machine. */
const NO_SOCKET = "127.0.0.1";

/**
 * Gives every route of a plugin `caller`, `client` and `chrome`, and the macro `audience`, which
 * `app.ts` demands of each route. It runs before input is validated: strangers learn nothing.
 */
export function createAccess(options: AccessOptions) {
  const { publicUrl, clients, chrome } = options;
  return new Elysia({ name: "access" })
    .derive({ as: "scoped" }, async ({ request, server, path, set }) => {
      const peer = server?.requestIP(request)?.address ?? NO_SOCKET;
      const isSecure = isSecureOrigin(request, {
        isTrustedPeer: clients.isTrusted(peer),
        publicUrl,
      });
      const client: Client = {
        key: clientKey(clients.of(peer, request.headers)),
        isSecure,
        cookies: cookieNames(isSecure),
      };
      const caller = await identify(request.headers, client.cookies.session, options);
      const renewed = await renew(caller, request, client, options);
      if (renewed !== null) set.headers["set-cookie"] = renewed;
      const isFragment = wantsFragment(request);
      return { caller, client, chrome: { ...chrome(path, caller), isFragment } };
    })
    .macro({
      audience: (audience: Audience) => ({
        detail: { audience } as object,
        transform(context) {
          const { caller, client } = context as unknown as { caller: Caller; client: Client };
          const { request, path, body } = context;
          limit(audience, caller, client, options.rateLimit);
          demandRole(audience, caller, request, path);
          if (!["GET", "HEAD"].includes(request.method)) {
            demandOwnForm(audience, caller, request, body, publicUrl);
          }
        },
      }),
    });
}

export type Access = ReturnType<typeof createAccess>;

function limit(audience: Audience, caller: Caller, client: Client, rateLimit: RateLimit): void {
  if (audience === "open" || caller.kind === "session" || caller.kind === "token") return;
  const verdict = rateLimit.take(client.key);
  if (verdict.kind === "limited") throw tooMany(verdict.retryAfterS);
}

function demandRole(audience: Audience, caller: Caller, request: Request, path: string): void {
  if (audience === "open" || audience === "public") return;
  switch (caller.kind) {
    case "unverified":
      throw unavailable("The store does not answer, so your session cannot be checked.");
    case "nobody":
      throw isForPeople(request, path) ? toLogin(request) : signInFirst();
    default:
      if (audience === "admin" && caller.role !== "admin") throw forbidden();
  }
}

const isForPeople = (request: Request, path: string): boolean =>
  ["GET", "HEAD"].includes(request.method) &&
  !isMachine(path) &&
  path !== "/events" &&
  !wantsFragment(request);

function toLogin(request: Request): Refusal {
  const { pathname, search } = new URL(request.url);
  const next = encodeURIComponent(pathname + search);
  return new Refusal(303, "unauthorized", "Sign in first", "This page needs a session.", {
    location: `/login?next=${next}`,
  });
}

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
