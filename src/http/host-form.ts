import { Elysia } from "elysia";
import type { Access } from "./auth.ts";
import { setCookie } from "./cookies.ts";
import { fieldOf } from "./csrf.ts";
import { HOSTS_COOKIE, readHostChoice } from "./host-choice.ts";
import { localPath } from "./local-path.ts";
import { seeOther } from "./page.ts";
import { urlOf } from "./request-url.ts";

const YEAR_S = 31_536_000;
/** Above them an earlier choice is given up: a cookie holds 4,096 bytes with its attributes. */
const CHOICES_MAX = 60;
const VALUE_MAX = 3_800;

/**
 * `POST /hosts` (`choice`: `block`, `raise` or `none`, a space and a host; `back`): remembers in a
 * cookie what the reader wants of a host, and returns to the page. Public; needs no script.
 */
export const hostFormRoutes = (access: Access) =>
  new Elysia({ name: "host-form" }).use(access).post(
    "/hosts",
    ({ body, client, request }) => {
      const back = fieldOf(body, "back") ?? request.headers.get("referer") ?? "/";
      const value = changed(request, fieldOf(body, "choice") ?? "");
      return seeOther(
        localPath(back, urlOf(request)),
        value === null
          ? {}
          : { "set-cookie": setCookie(HOSTS_COOKIE, value, client.isSecure, YEAR_S) },
      );
    },
    { audience: "public" },
  );

/** The cookie with one choice more or less; null: nothing that could be chosen. */
function changed(request: Request, asked: string): string | null {
  const [, choice, host] = /^(block|raise|none) ([a-z0-9.:[\]-]{1,255})$/.exec(asked) ?? [];
  if (choice === undefined) return null;
  const { raised, blocked } = readHostChoice(request);
  const kept = [
    ...[...blocked].map((each) => `-${each}`),
    ...[...raised].map((each) => `+${each}`),
  ];
  const entries = kept.filter((entry) => entry.slice(1) !== host);
  if (choice !== "none") entries.push((choice === "block" ? "-" : "+") + host);
  const last = entries.slice(-CHOICES_MAX);
  while (last.join("|").length > VALUE_MAX) last.shift();
  return last.join("|");
}
