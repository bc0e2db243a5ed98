import type { FieldTexts } from "../text/analysis.ts";
import type { CanonicalUrl } from "../url/canonical.ts";
import { hostName } from "../url/host.ts";
import { cleanText } from "./clean.ts";

/** The texts of a page by field, the same at its first indexing and when the index is rebuilt. */
export function fieldsOf(page: {
  url: CanonicalUrl;
  title: string;
  headings: string;
  text: string;
}): FieldTexts {
  const { url, title, headings, text } = page;
  return { title, headings, body: text, anchors: "", host: hostName(url), path: pathOf(url) };
}

/** Words of the address: path and query, decoded where that is possible. */
function pathOf(url: CanonicalUrl): string {
  const path = url.slice(url.indexOf("/", url.indexOf("//") + 2));
  try {
    return cleanText(decodeURIComponent(path), path.length);
  } catch {
    return path;
  }
}
