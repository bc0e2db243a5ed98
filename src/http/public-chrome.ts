import type { Chrome } from "../../templates/layout.tsx";
import type { PublicChrome } from "../../templates/public-page.tsx";
import { languageOf } from "./language.ts";
import { urlOf } from "./request-url.ts";

/** The frame of a public page for this request: in the reader's language, with a way back to it. */
export function publicChrome(chrome: Chrome, request: Request): PublicChrome {
  const { pathname, search } = urlOf(request);
  return { ...chrome, lang: languageOf(request), here: pathname + search };
}

/** Scheme and host under which the world sees this server, without a slash at the end. */
export const originOf = (request: Request, publicUrl: string | null): string =>
  publicUrl ?? urlOf(request).origin;
