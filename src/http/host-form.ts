import { Elysia } from "elysia";
import type { Access } from "./auth.ts";
import { setCookie } from "./cookies.ts";
import { fieldOf } from "./csrf.ts";
import { HOSTS_COOKIE, withChoice } from "./host-choice.ts";
import { localPath } from "./local-path.ts";
import { seeOther } from "./page.ts";
import { urlOf } from "./request-url.ts";

const YEAR_S = 31_536_000;

/**
 * `POST /hosts` (`choice`: `block`, `raise` or `none`, a space and a host; `back`): remembers in a
 * cookie what the reader wants of a host, and returns to the page. Public; needs no script.
 */
export const hostFormRoutes = (access: Access) =>
  new Elysia({ name: "host-form" }).use(access).post(
    "/hosts",
    ({ body, client, request }) => {
      const back = fieldOf(body, "back") ?? request.headers.get("referer") ?? "/";
      const value = withChoice(request, fieldOf(body, "choice") ?? "");
      return seeOther(
        localPath(back, urlOf(request)),
        value === null
          ? {}
          : { "set-cookie": setCookie(HOSTS_COOKIE, value, client.isSecure, YEAR_S) },
      );
    },
    { audience: "public" },
  );
