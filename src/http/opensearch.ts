import type { Words } from "../../templates/words/words.ts";
import { escapeXml } from "./xml.ts";

/** The OpenSearch description by which a browser adds this search engine. */
export function openSearchXml(origin: string, words: Words): string {
  const url = (type: string, path: string, rel = "") =>
    `<Url type="${type}" method="get"${rel} template="${escapeXml(origin + path)}"/>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>Trawl</ShortName>
<Description>${escapeXml(words.search.intro)}</Description>
<InputEncoding>UTF-8</InputEncoding>
<OutputEncoding>UTF-8</OutputEncoding>
${url("text/html", "/search?q={searchTerms}")}
${url("application/rss+xml", "/search.rss?q={searchTerms}")}
${url("application/x-suggestions+json", "/suggest?q={searchTerms}")}
${url("application/opensearchdescription+xml", "/opensearch.xml", ' rel="self"')}
</OpenSearchDescription>
`;
}
