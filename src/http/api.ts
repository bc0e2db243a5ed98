import { Elysia, t } from "elysia";
import type { Access } from "./auth.ts";
import type { HttpDeps } from "./deps.ts";
import { notFound } from "./refusal.ts";
import { text } from "./text.ts";

/** `GET /api/urls?url=`: everything known of one URL, as `trawl explain` tells it. */
export const apiRoutes = (access: Access, { urls }: HttpDeps) =>
  new Elysia({ name: "api" }).use(access).get(
    "/api/urls",
    async ({ query }) => {
      const known = await urls.explain(query.url);
      if (known === null) throw notFound("This URL is not known here.");
      return Response.json(known, { headers: { "cache-control": "no-store" } });
    },
    { audience: "viewer", query: t.Object({ url: text(4_000, 1) }) },
  );
