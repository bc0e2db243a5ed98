import type { ActivityBucket } from "../../src/db/stats.ts";
import type {
  AuditRow,
  DocumentRow,
  HostDetail,
  HostRow,
  HostState,
  SubmissionRow,
  UrlDetail,
  UrlListRow,
  VisitRow,
} from "../../src/http/deps.ts";
import type { Status } from "../../src/http/status-json.ts";
import { sitemap } from "./sitemap-row.ts";
import { traps } from "./trap-rows.ts";

export const NOW = Date.UTC(2026, 2, 1, 12, 0, 0);

export const HOST_NAMES = [
  "a.example",
  "b.example",
  "a-host-with-a-rather-long-name.museum.example",
  "127.0.3.9",
];

export const STATUS: Status = {
  version: "0.1.0",
  uptime_s: 4_210,
  parts: { postgres: "up", carrier: "up", index: "slow", ollama: "off", disk: "up" },
  crawl: { state: "running", reason: null },
  urls: { pending: 11_200, due: 310, in_progress: 24, done: 840, failed: 266, blocked: 10 },
  admitted: { link: 81_020, sitemap: 4_711, feed: 12 },
  refused: { "host full": 1_204, nofollow: 93, scope: 48_210 },
  full: { frontier: false, hosts: 3 },
  crawled: 9_802,
  documents: 9_120,
  indexed: 9_118,
  enrich_backlog: 12,
  pages_per_second: 42.4,
  time_to_searchable_ms: { p50: 210, p95: 980, p99: 2_400 },
};

/** What is known of the store when it is down: nothing. */
export const STORE_DOWN: Partial<Status> = {
  parts: { ...STATUS.parts, postgres: "down" },
  crawl: { state: "parked", reason: "postgres" },
  urls: null,
  admitted: null,
  refused: null,
  full: null,
  crawled: null,
  documents: null,
  enrich_backlog: null,
  pages_per_second: null,
  time_to_searchable_ms: null,
};

export function host(id: number, name: string, text: string): HostRow {
  const states = ["active", "waiting_robots", "dead", "paused"] as const;
  return {
    id,
    name,
    domain: name,
    state: states[(id - 1) % 4]!,
    stateAt: new Date(NOW - 3_600_000),
    reason: id === 2 ? text : null,
    lane: 1,
    nextTurnAt: new Date(NOW + 30_000),
    nextFetchAt: id === 3 ? null : new Date(NOW + 1_000 * id),
    seededAt: new Date(NOW - 86_400_000),
    delayMs: id === 2 ? 5_000 : null,
    robotsDelayMs: null,
    slowDelayMs: null,
    turnToken: null,
    turnWorker: null,
    turnStartedAt: null,
    failures: 0,
    throttles: id * 3,
    linkingHosts: 12 * id,
    authority: 0.25,
    urlCount: 56 * id,
    pageCount: 4_210 * id,
    byteCount: 123_456_789,
    urlsMax: null,
    bytesMax: null,
    includePatterns: null,
    excludePatterns: null,
    createdAt: new Date(NOW - 86_400_000),
    regionSum: 0,
    priorityBoost: 0,
    regionCount: 0,
  };
}

export const robots = (text: string) => ({
  authority: "http://a.example:80",
  hostId: 1,
  status: 200,
  etag: null,
  lastModified: null,
  body: `User-agent: *\nDisallow: /private\n# ${text}`,
  fetchedAt: new Date(NOW - 7_200_000),
  expiresAt: new Date(NOW + 79_200_000),
  failures: 1,
  failure: text,
});

export function url(id: number, text: string): UrlListRow {
  const states = ["pending", "in_progress", "done", "failed", "blocked"] as const;
  return {
    id,
    hostId: 1,
    host: "a.example",
    key: "00000000-0000-0000-0000-000000000001",
    nextCrawlAt: new Date(NOW + 86_400_000),
    admittedAt: new Date(NOW - 5 * 86_400_000),
    via: "link",
    state: id === 1 ? "done" : states[id % 5]!,
    priority: 100,
    depth: 2,
    hops: 0,
    attempts: 0,
    crashes: 0,
    misses: 0,
    url: `http://a.example/${id}/${text}`,
    leaseToken: null,
    claimedAt: null,
    fetchingAt: null,
    reason: text,
    status: 200,
    visits: 12,
    changes: 3,
    visitedAt: new Date(NOW - 3_600_000),
    crawledAt: new Date(NOW - 4 * 86_400_000),
    intervalS: 86_400,
    etag: null,
    lastModified: null,
    contentHash: null,
    targetId: 2,
  };
}

export function visits(text: string): VisitRow[] {
  return Array.from({ length: 9 }, (_, index) => {
    const begin = NOW - (index + 1) * 1_350 - index * index * 40;
    return {
      id: index + 1,
      urlId: 1,
      hostId: 1,
      claimedAt: new Date(begin - 400),
      fetchStartedAt: new Date(begin),
      fetchedAt: new Date(begin + 120),
      parsedAt: index === 2 ? null : new Date(begin + 135),
      indexedAt: index === 2 ? null : new Date(begin + 190),
      settledAt: new Date(begin + 204),
      outcome: index === 2 ? "unreachable" : "fetched",
      state: "pending",
      reason: index === 2 ? text : null,
      status: index === 2 ? null : 200,
      bytes: 48_210,
      address: "192.0.2.7",
    };
  });
}

export const document = (text: string): DocumentRow => ({
  urlId: 1,
  title: text,
  description: text,
  lang: "en",
  headings: text,
  characters: 1_234,
  contentHash: null,
  simhash: null,
  linkDensity: 0.1,
  linkCount: 31,
  noarchive: false,
  noai: true,
  publishedAt: null,
  crawledAt: new Date(NOW - 3_600_000),
  indexedAt: new Date(NOW - 3_599_000),
  regionScore: 720,
  region: {
    signals: [{ kind: "place", matched: text, count: 3, points: 1.25 }],
    locations: [text],
  },
  category: text,
});

export const submission = (text: string, state: SubmissionRow["state"]): SubmissionRow => ({
  id: 1,
  url: `https://new.example/${text}`,
  key: "00000000-0000-0000-0000-000000000002",
  state,
  reason: text,
  submittedAt: new Date(NOW - 60_000),
  decidedAt: state === "review" ? null : new Date(NOW),
  decidedBy: state === "review" ? null : text,
});

/** 15 minutes of visits, as a wave. */
export const ACTIVITY: readonly ActivityBucket[] = Array.from({ length: 90 }, (_, at) => ({
  at: new Date(NOW - (90 - at) * 10_000),
  pages: 120 + Math.round(330 * Math.abs(Math.sin(at / 9))),
  errors: at % 7,
}));

export const HOSTS_BY_STATE: Record<HostState, number> = {
  active: 12,
  waiting_robots: 1,
  backing_off: 2,
  parked: 104,
  paused: 0,
  dead: 3,
  blocked: 1,
  out_of_region: 0,
};

export const hostDetail = (text: string): HostDetail => ({
  host: { ...host(1, "a.example", text), reason: text },
  robots: [robots(text)],
  sitemaps: [sitemap(text)],
  traps: traps(text),
  verdict: "allowed",
  urlsByState: { pending: 40, in_progress: 1, done: 12, failed: 3, blocked: 0 },
  documents: 38,
  regionScore: 0.72,
  visits: visits(text).map((visit) => ({ ...visit, url: `http://a.example/${text}` })),
});

export const urlDetail = (text: string): UrlDetail => ({
  url: url(1, text),
  document: document(text),
  target: { id: 2, url: `http://b.example/${text}` },
  visits: visits(text),
});

export const auditRow = (text: string): AuditRow => ({
  id: 1,
  at: new Date(NOW),
  actor: "admin",
  action: "host.blocked",
  subject: text,
  detail: { text },
});
