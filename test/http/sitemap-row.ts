import type { HostDetail } from "../../src/http/deps.ts";

const NOW = Date.UTC(2026, 2, 1, 12, 0, 0);

export const sitemap = (text: string): HostDetail["sitemaps"][number] => ({
  id: 1,
  key: "00000000-0000-0000-0000-000000000001",
  hostId: 1,
  url: `http://a.example/${text}.xml`,
  kind: "sitemap",
  origin: "robots",
  depth: 0,
  hops: 0,
  foundAt: new Date(NOW),
  nextFetchAt: new Date(NOW + 3_600_000),
  fetchedAt: new Date(NOW),
  etag: text,
  lastModified: text,
  bodyHash: null,
  intervalS: 86_400,
  failures: 0,
  reason: text,
  entries: 1_234,
  admitted: 56,
  lastmodRight: 0,
  lastmodWrong: 0,
});
