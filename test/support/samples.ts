import { fieldsOf } from "../../src/parse/fields.ts";
import { digest } from "../../src/text/forward.ts";
import type { TextSample } from "../../src/text/shingles.ts";
import type { CanonicalUrl } from "../../src/url/canonical.ts";

/** What a parse thread hands over of a text at a URL. */
export function sampleOf(text: string, path = "/", title = ""): TextSample {
  const url = `http://a.example${path}` as CanonicalUrl;
  return digest(fieldsOf({ url, title, headings: "", text }), "en").sample;
}
