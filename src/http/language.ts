import { Elysia } from "elysia";
import { isLanguage, type Language } from "../../templates/words/words.ts";
import type { Access } from "./auth.ts";
import { cookieOf, setCookie } from "./cookies.ts";
import { fieldOf } from "./csrf.ts";
import { localPath } from "./local-path.ts";
import { seeOther } from "./page.ts";
import { urlOf } from "./request-url.ts";

const COOKIE = "trawl_lang";
const YEAR_S = 31_536_000;
/** An Accept-Language header names few languages; what follows is not worth reading. */
const HEADER_MAX = 1_000;

/**
 * Language of the pages for this request: that of the cookie, else what the browser prefers among
 * ours, else English. `lang=` in a URL is a filter and never asked.
 */
export function languageOf(request: Request): Language {
  const cookie = cookieOf(request.headers, COOKIE);
  if (cookie !== null && isLanguage(cookie)) return cookie;
  return preferred(request.headers.get("accept-language") ?? "") ?? "en";
}

/** `POST /language` (`lang`, `back`): remembers the language and returns to the page. Public. */
export const languageRoutes = (access: Access) =>
  new Elysia({ name: "language" }).use(access).post(
    "/language",
    ({ body, client, request }) => {
      const back = fieldOf(body, "back") ?? request.headers.get("referer") ?? "/";
      const language = fieldOf(body, "lang") ?? "";
      return seeOther(
        localPath(back, urlOf(request)),
        isLanguage(language)
          ? { "set-cookie": setCookie(COOKIE, language, client.isSecure, YEAR_S) }
          : {},
      );
    },
    { audience: "public" },
  );

function preferred(header: string): Language | null {
  let best: Language | null = null;
  let bestQuality = 0;
  for (const part of header.slice(0, HEADER_MAX).split(",")) {
    const [tag = "", ...parameters] = part.toLowerCase().split(";");
    const language = tag.trim().split("-")[0] ?? "";
    const weight = parameters.map((each) => each.trim()).find((each) => /^q\s*=/.test(each));
    const quality = weight === undefined ? 1 : Number(weight.slice(weight.indexOf("=") + 1));
    if (!isLanguage(language) || !(quality > bestQuality)) continue;
    best = language;
    bestQuality = quality;
  }
  return best;
}
