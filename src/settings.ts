import { type TSchema, Type } from "@sinclair/typebox";

/** One setting: its schema after conversion from text, its default as text, what it means. */
export interface Setting {
  group: string;
  schema: TSchema;
  /** As one would write it in .env; empty: unset. */
  fallback: string;
  meaning: string;
}

const text = Type.String({ minLength: 1 });
const count = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
const choice = (...values: string[]) => Type.Union(values.map((value) => Type.Literal(value)));
const DAY_MS = 86_400_000;

/** Every setting of Trawl, in the order of .env.example (a test compares the two). */
export const SETTINGS = {
  HOST: setting("web", text, "127.0.0.1", "address that the web server listens on"),
  PORT: setting("web", count(0, 65_535), "3000", "port of the web server; 0 takes any free one"),
  PUBLIC_URL: setting("web", text, "", "http(s) address of this server as the world sees it"),
  ADMIN_PASSWORD: setting(
    "web",
    text,
    "",
    "password of the account admin, 8 to 1000 characters; unset: made at the first start",
  ),
  API_TOKEN: setting(
    "web",
    text,
    "",
    "bearer token for /api and /metrics, 16 to 500 characters of plain ASCII, no spaces",
  ),
  TRUSTED_PROXIES: setting(
    "web",
    text,
    "",
    "CIDRs, comma separated, whose X-Forwarded-For is believed",
  ),
  SUBMIT: setting(
    "web",
    choice("review", "open", "off"),
    "review",
    "what /submit does out of scope",
  ),
  RATE_LIMIT_PER_S: setting(
    "web",
    count(0, 1_000_000),
    "50",
    "public requests a second and client; 0: off",
  ),
  LOG_LEVEL: setting(
    "web",
    choice("debug", "info", "warn", "error"),
    "info",
    "least level that is logged; unset, on a terminal: warn",
  ),

  DATA_DIR: setting("data", text, "./data", "folder of the embedded Postgres, index and secrets"),
  DISK_MIN_FREE_MB: setting(
    "data",
    count(0, 1e9),
    "1024",
    "MB; with less free on disk the crawl pauses",
  ),
  HISTORY_DAYS: setting(
    "data",
    count(1, 3650),
    "30",
    "days that the history of visits, and of queries, is kept",
  ),
  DATABASE_URL: setting("data", text, "", "Postgres 15 or newer; unset: an embedded Postgres 18"),
  REDIS_URL: setting("data", text, "", "Redis for the work queues; unset: they live in Postgres"),
  TYPESENSE_URL: setting(
    "data",
    text,
    "",
    "Typesense server; not supported yet: the index is embedded",
  ),
  TYPESENSE_API_KEY: setting("data", text, "", "its key"),
  OLLAMA_URL: setting(
    "data",
    text,
    "",
    "Ollama, for summaries of pages that allow it; unset: no language model",
  ),
  OLLAMA_MODEL: setting("data", text, "", "name of the model there, as llama3.2"),

  USER_AGENT: setting("identity", text, "", "User-Agent; unset: Trawl/<version> (+PUBLIC_URL/bot)"),

  CRAWL_SCOPE: setting(
    "scope",
    choice("any", "seeded-hosts", "seeded-domains", "region"),
    "seeded-domains",
    "which links are followed",
  ),
  REGION: setting(
    "scope",
    text,
    "",
    "profile of seeds/regions that pages are scored by, e.g. quebec; unset: none",
  ),
  CRAWL_MAX_DEPTH: setting("scope", count(0, 1000), "20", "links from a seed, at most"),
  FRONTIER_MAX_URLS: setting("scope", count(1, 1e10), "10000000", "URLs known in all, at most"),
  HOST_MAX_URLS: setting("scope", count(1, 1e9), "50000", "URLs known of one host, at most"),

  RANKING: setting(
    "search",
    text,
    "",
    "weights of signals, comma separated, e.g. authority:0.8,freshness:off; unset: the usual ones",
  ),
  QUERY_LOG: setting(
    "search",
    choice("off", "on"),
    "off",
    "on: what is asked for often is summed up for the console, without who asked",
  ),

  CRAWL_DELAY_MS: setting(
    "politeness",
    count(0, DAY_MS),
    "1000",
    "ms from an answer to the next request",
  ),
  CRAWL_IP_DELAY_MS: setting(
    "politeness",
    count(0, DAY_MS),
    "",
    "ms between starts at one address; unset: a tenth of CRAWL_DELAY_MS",
  ),
  CRAWL_IP_CONCURRENCY: setting(
    "politeness",
    count(1, 1000),
    "4",
    "requests in flight at one address",
  ),
  CRAWL_HOST_CONCURRENCY: setting(
    "politeness",
    count(1, 64),
    "1",
    "requests in flight at one host; more only for hosts of your own",
  ),
  HOST_DEAD_AFTER: setting(
    "politeness",
    count(1, 1000),
    "10",
    "failed turns in a row that make a host dead",
  ),

  CRAWL_TURNS: setting("work", count(1, 10_000), "256", "host turns that one process runs at once"),
  PARSE_THREADS: setting("work", count(1, 64), "", "parse threads; unset: cores - 1, at least 1"),
  LEASE_MS: setting(
    "work",
    count(10_000, DAY_MS),
    "1800000",
    "ms after which a claim without owner is freed",
  ),
  RETRY_BASE_MS: setting("work", count(1, DAY_MS), "60000", "ms before the first retry; doubles"),
  CARRIER_GRACE_MS: setting(
    "work",
    count(1000, DAY_MS),
    "60000",
    "ms without the carrier before a crawl-only process ends",
  ),

  FETCH_TIMEOUT_MS: setting("fetch", count(100, 600_000), "15000", "ms for one request in all"),
  FETCH_MAX_BYTES: setting(
    "fetch",
    count(1024, 1e9),
    "5000000",
    "bytes of one page, decoded, at most",
  ),
  SITEMAP_MAX_BYTES: setting(
    "fetch",
    count(1024, 1e9),
    "50000000",
    "bytes of one sitemap, decoded, that are read",
  ),
  FETCH_ALLOW_CIDRS: setting(
    "fetch",
    text,
    "",
    "private ranges opened on purpose, comma separated, e.g. 127.0.0.0/8",
  ),
  DNS_SERVERS: setting("fetch", text, "", "host:port list, comma separated; unset: the system's"),
  RENDER: setting(
    "fetch",
    choice("off", "auto"),
    "off",
    "script pages in Chromium; only off is built",
  ),

  RECRAWL_MIN_MS: setting(
    "recrawl",
    count(1000, 365 * DAY_MS),
    "3600000",
    "ms; shortest recrawl interval",
  ),
  RECRAWL_MAX_MS: setting(
    "recrawl",
    count(1000, 365 * DAY_MS),
    "2592000000",
    "ms; longest recrawl interval",
  ),
} satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

function setting(group: string, schema: TSchema, fallback: string, meaning: string): Setting {
  return { group, schema, fallback, meaning };
}
