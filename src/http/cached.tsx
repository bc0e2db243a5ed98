/** @jsxRuntime automatic @jsxImportSource preact */
import { Elysia } from "elysia";
import { CachedPage } from "../../templates/cached.tsx";
import { QUERY_MAX } from "../../templates/search-link.ts";
import { within } from "../deadline.ts";
import type { Access } from "./auth.ts";
import { compress } from "./compress.ts";
import { page } from "./page.ts";
import { publicChrome } from "./public-chrome.ts";
import type { CachedOutcome, PublicDeps } from "./public-deps.ts";
import { urlOf } from "./request-url.ts";
import { cleanQuery } from "./search-params.ts";

const STORE_TIMEOUT_MS = 5_000;

/** `/cached/:id`: the stored text of a page, unless its author forbids it. */
export const cachedRoutes = (access: Access, deps: PublicDeps) =>
  new Elysia({ name: "cached" })
    .use(access)
    .use(compress())
    .get(
      "/cached/:id",
      async ({ params, chrome, request }) => {
        const cached = await read(params.id, deps);
        const q = urlOf(request).searchParams.get("q") ?? "";
        return page(
          <CachedPage
            chrome={publicChrome(chrome, request)}
            q={cleanQuery(q).slice(0, QUERY_MAX)}
            cached={cached}
          />,
          {
            status: cached.kind === "found" ? 200 : 404,
            headers: { "x-robots-tag": "noindex, nofollow" },
          },
        );
      },
      { audience: "public" },
    );

/** What is no id names no page: that is an answer, not a fault. */
async function read(id: string, deps: PublicDeps): Promise<CachedOutcome> {
  if (!/^[1-9]\d{0,15}$/.test(id)) return { kind: "missing" };
  return within(STORE_TIMEOUT_MS, deps.cached(Number(id)));
}
