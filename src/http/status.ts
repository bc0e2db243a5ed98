import { Elysia } from "elysia";
import { within } from "../deadline.ts";
import { type Access, OPEN } from "./auth.ts";
import type { HttpDeps } from "./deps.ts";
import type { Live } from "./live.ts";
import { metricsText } from "./metrics.ts";

const STATUS_TIMEOUT_MS = 10_000;
const NO_STORE = { "cache-control": "no-store" };

/** For machines: /healthz, /status and /metrics. */
export const statusRoutes = (access: Access, deps: HttpDeps, live: Live) =>
  new Elysia({ name: "status" })
    .get(
      "/healthz",
      () => new Response("ok\n", { headers: { "content-type": "text/plain", ...NO_STORE } }),
      OPEN,
    )
    .get(
      "/status",
      async () =>
        Response.json(await within(STATUS_TIMEOUT_MS, deps.status()), { headers: NO_STORE }),
      OPEN,
    )
    .use(access)
    .get(
      "/metrics",
      async () => {
        const [status, conservation] = await Promise.all([
          within(STATUS_TIMEOUT_MS, deps.status()),
          within(STATUS_TIMEOUT_MS, deps.overview.conservation()).catch(() => null),
        ]);
        const [loopLag, liveReaders] = [deps.loopLag(), live.readers];
        return new Response(metricsText({ status, conservation, loopLag, liveReaders }), {
          headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", ...NO_STORE },
        });
      },
      { audience: "viewer" },
    );
