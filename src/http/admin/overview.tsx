/** @jsxRuntime automatic @jsxImportSource preact */
import { Elysia } from "elysia";
import { CARDS, OverviewPage } from "../../../templates/console/overview.tsx";
import type { Access } from "../auth.ts";
import type { LiveCard } from "../live.ts";
import type { Overview } from "../overview.ts";
import { markup, page } from "../page.ts";

/** GET /admin, and its cards alone for browsers that cannot keep the stream. */
export const overviewRoutes = (access: Access, read: () => Promise<Overview>) =>
  new Elysia({ name: "admin-overview" })
    .use(access)
    .get(
      "/admin",
      async ({ chrome }) => page(<OverviewPage chrome={chrome} overview={await read()} />),
      { audience: "viewer" },
    )
    .get(
      "/admin/cards",
      async () => {
        const cards = overviewCards(await read());
        return new Response(cards.map((card) => card.html).join(""), {
          headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
        });
      },
      { audience: "viewer" },
    );

export const overviewCards = (overview: Overview): LiveCard[] =>
  CARDS.map(({ id, view }) => ({ id, html: markup(view({ overview, isFrame: true })) }));
