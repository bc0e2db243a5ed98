import { type AnyElysia, Elysia } from "elysia";
import type { Chrome } from "../../templates/layout.tsx";
import { actionRoutes } from "./admin/actions.ts";
import { hostRoutes } from "./admin/hosts.tsx";
import { overviewCards, overviewRoutes } from "./admin/overview.tsx";
import { rankingActions } from "./admin/ranking-actions.ts";
import { recordRoutes } from "./admin/records.tsx";
import { searchConsoleRoutes } from "./admin/search.tsx";
import { urlRoutes } from "./admin/urls.tsx";
import { apiRoutes } from "./api.ts";
import { type Assets, assetRoutes, loadAssets } from "./assets.ts";
import { type Access, createAccess } from "./auth.ts";
import type { Caller } from "./caller.ts";
import { createClientAddress } from "./client-address.ts";
import type { HttpDeps } from "./deps.ts";
import { errors } from "./errors.tsx";
import { eventRoutes } from "./events.ts";
import { createLive, type Live } from "./live.ts";
import { loginRoutes } from "./login.tsx";
import { createOverview } from "./overview.ts";
import { createRateLimit } from "./rate-limit.ts";
import { firstLook, urlOf } from "./request-url.ts";
import { security } from "./security.ts";
import { servedMethods } from "./served-methods.ts";
import { createSessions } from "./sessions.ts";
import { statusRoutes } from "./status.ts";
import { demandAllowance, visitorOf } from "./visitor.ts";

export interface App {
  server: AnyElysia;
  live: Live;
}

/** Requests a client may make at once before its rate is kept. */
const BURST = 1_000;
/** No form of ours is larger; what takes files brings its own bound. */
const BODY_BYTES_MAX = 1_000_000;

/**
 * The whole web server, not yet listening. `families` are further page families (the public pages),
 * each a plugin made from the shared access check.
 */
export function createApp(
  deps: HttpDeps,
  families: readonly ((access: Access) => AnyElysia)[] = [],
): App {
  const assets = loadAssets();
  const { settings, clock, log, accounts } = deps;
  const sessions = createSessions(accounts, clock);
  const chrome = chromeOf(assets, settings.submit !== "off");
  const { publicUrl, apiToken } = settings;
  const rateLimit = createRateLimit({ perS: settings.rateLimitPerS, burst: BURST, clock });
  const clients = createClientAddress(settings.trustedProxies);
  const visitors = { sessions, accounts, apiToken, publicUrl, clients, rateLimit };
  const access = createAccess({ ...visitors, chrome });
  const readOverview = createOverview(deps);
  const live = createLive({
    clock,
    log,
    views: { overview: async () => overviewCards(await readOverview()) },
  });
  // The order matters: errors cover only what comes after them.
  const server = new Elysia({
    serve: { maxRequestBodySize: BODY_BYTES_MAX },
  })
    .use(
      errors({
        log,
        async chrome(request, socket) {
          const visitor = await visitorOf(request, socket, visitors);
          demandAllowance(visitor, rateLimit);
          return chrome(urlOf(request).pathname, visitor.caller);
        },
        plainChrome: (path) => chrome(path, { kind: "nobody" }),
        methodsOf: (path) => methodsOf(path),
      }),
    )
    .use(security())
    .use(firstLook({ clients, rateLimit, publicUrl }))
    .use(assetRoutes(assets))
    .use(statusRoutes(access, deps, live))
    .use(loginRoutes(access, deps, sessions))
    .use(eventRoutes(access, live, sessions))
    .use(overviewRoutes(access, readOverview))
    .use(hostRoutes(access, deps))
    .use(urlRoutes(access, deps))
    .use(recordRoutes(access, deps))
    .use(searchConsoleRoutes(access, deps))
    .use(rankingActions(access, deps))
    .use(actionRoutes(access, deps))
    .use(apiRoutes(access, deps));
  for (const family of families) server.use(family(access));
  demandAudiences(server);
  const methodsOf = servedMethods(server.routes);
  return { server, live };
}

function chromeOf(assets: Assets, acceptsSubmissions: boolean) {
  return (path: string, caller: Caller): Chrome => ({
    asset: assets.path,
    lang: "en",
    path,
    viewer: viewerOf(caller),
    acceptsSubmissions,
  });
}

/** A bearer token needs no CSRF token; forms it would get could not be sent by a browser anyway. */
function viewerOf(caller: Caller): Chrome["viewer"] {
  switch (caller.kind) {
    case "session":
      return { name: caller.name, role: caller.role, csrf: caller.csrf };
    case "token":
      return { name: caller.name, role: caller.role, csrf: "" };
    case "nobody":
    case "unverified":
      return null;
    default:
      return caller satisfies never;
  }
}

/** A route that names nobody as its audience would be open to all: better not to start. */
function demandAudiences(server: AnyElysia): void {
  const forgotten = server.routes.filter(
    ({ hooks }) => (hooks?.detail as { audience?: string } | undefined)?.audience === undefined,
  );
  if (forgotten.length === 0) return;
  const names = forgotten.map(({ method, path }) => `${method} ${path}`).join(", ");
  throw new Error(`routes without an audience: ${names}`);
}
