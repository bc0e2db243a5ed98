import { parsePage } from "../../src/parse/page.ts";
import type { ParsedPage, ParseRequest } from "../../src/parse/parsed.ts";

/** A page at https://site.example/dir/page.html, parsed; throws when it is none. */
export async function parseHtml(
  html: string,
  more: Partial<ParseRequest> = {},
): Promise<ParsedPage> {
  const result = await parsePage({ ...requestOf(html), ...more });
  if (result.kind !== "page") throw new Error(`not a page but ${result.what}`);
  return result;
}

export function requestOf(html: string): ParseRequest {
  return {
    url: "https://site.example/dir/page.html",
    body: new TextEncoder().encode(html),
    contentType: "text/html",
    charset: "utf-8",
    robotsTag: [],
    contentLanguage: null,
    tdmReservation: null,
    linkCanonical: null,
    robotsToken: "trawl",
  };
}
