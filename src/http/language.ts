import { Elysia } from "elysia";
import { isLanguage, type Language } from "../../templates/words/words.ts";
import type { Access } from "./auth.ts";
import { cookieOf, setCookie } from "./cookies.ts";
import { fieldOf } from "./csrf.ts";
import { seeOther } from "./page.ts";

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
        localPath(back, request.url),
        isLanguage(language)
          ? { "set-cookie": setCookie(COOKIE, language, client.isSecure, YEAR_S) }
          : {},
      );
    },
    { audience: "public" },
  );

/** Path and query of a page of this server; anything else leads to the first page. */
export function localPath(back: string, requestUrl: string): string {
  const here = new URL(requestUrl);
  const target = URL.parse(back, here);
  if (!target || target.origin !== here.origin) return "/";
  // A path such as `//evil.test` would be read as another host when it stands alone.
  return target.pathname.startsWith("//") ? "/" : target.pathname + target.search;
}

function preferred(header: string): Language | null {
  let best: Language | null = null;
  let bestQuality = 0;
  for (const part of header.slice(0, HEADER_MAX).split(",")) {
    const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
    const language = tag.split("-")[0] ?? "";
    const weight = parameters.find((each) => each.trim().startsWith("q="));
    const quality = weight === undefined ? 1 : Number(weight.trim().slice(2));
    if (!isLanguage(language) || !(quality > bestQuality)) continue;
    best = language;
    bestQuality = quality;
  }
  return best;
}
