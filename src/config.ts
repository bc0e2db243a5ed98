import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { Value } from "@sinclair/typebox/value";
import type { LogLevel } from "./log.ts";
import { type Ranking, readRanking } from "./ranking.ts";
import { crossProblems, isRegionName, list, type SettingValues } from "./setting-problems.ts";
import { SETTINGS, type SettingName } from "./settings.ts";
import type { RegionSource } from "./text/region/source.ts";
import { version } from "./version.ts";

/** Settings as the program uses them: times in ms, sizes in bytes unless a name says otherwise. */
export interface Config {
  readonly web: {
    host: string;
    port: number;
    publicUrl: string | null;
    adminPassword: string | null;
    apiToken: string | null;
    trustedProxies: readonly string[];
    submit: "review" | "open" | "off";
    rateLimitPerS: number;
  };
  readonly logLevel: LogLevel;
  readonly data: { dir: string; diskMinFreeMb: number; historyDays: number };
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  /** The language model; null: there is none. */
  readonly ollama: { url: string; model: string } | null;
  readonly userAgent: string;
  /** Lower-case product token of the user agent: what robots.txt calls us. */
  readonly robotsToken: string;
  readonly scope: {
    kind: "any" | "seeded-hosts" | "seeded-domains" | "region";
    depthMax: number;
    frontierUrlsMax: number;
    hostUrlsMax: number;
  };
  /** What pages are scored for; null: no region. */
  readonly region: RegionSource | null;
  readonly search: {
    /** What differs from the usual weights. */
    ranking: Ranking;
    logsQueries: boolean;
  };
  readonly politeness: {
    crawlDelayMs: number;
    ipDelayMs: number;
    ipConcurrency: number;
    hostConcurrency: number;
    hostDeadAfter: number;
  };
  readonly work: {
    turns: number;
    parseThreads: number;
    leaseMs: number;
    retryBaseMs: number;
    carrierGraceMs: number;
  };
  readonly fetch: {
    timeoutMs: number;
    bytesMax: number;
    sitemapBytesMax: number;
    allowCidrs: readonly string[];
    dnsServers: readonly string[] | null;
  };
  readonly recrawl: { minMs: number; maxMs: number };
  /** Settings as written, for the console; secrets masked. */
  readonly shown: Readonly<Record<string, string>>;
}

export type ConfigResult =
  | { kind: "config"; config: Config }
  | { kind: "problems"; problems: string[] };

export type RegionRead =
  | { kind: "region"; region: RegionSource }
  | { kind: "problems"; problems: string[] };

/** Reads the profile of that name. */
export type ReadRegion = (name: string) => RegionRead;

const SECRETS = /PASSWORD|TOKEN|KEY|_URL$/;

const noRegion: ReadRegion = () => ({ kind: "problems", problems: ["there are no profiles"] });

/** Reads every setting; all problems are told together, each with how to mend it. */
export function readConfig(
  env: Record<string, string | undefined>,
  readRegion: ReadRegion = noRegion,
): ConfigResult {
  const problems: string[] = [];
  const values = {} as SettingValues;
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const raw = env[name] ?? "";
    // A blank at the end of a password is a part of it.
    const given = name === "ADMIN_PASSWORD" ? raw : raw.trim();
    values[name] = readSetting(name, given || SETTINGS[name].fallback, problems);
  }
  problems.push(...crossProblems(values));
  const region = regionOf(values.REGION, readRegion, problems);
  if (problems.length > 0) return { kind: "problems", problems };
  return { kind: "config", config: Object.freeze({ ...buildConfig(values), region }) };
}

function regionOf(
  name: SettingValues["REGION"],
  readRegion: ReadRegion,
  problems: string[],
): RegionSource | null {
  // One that is no name was told already, and must not become a path.
  if (name === null || !isRegionName(String(name))) return null;
  const read = readRegion(String(name));
  if (read.kind === "region") return read.region;
  problems.push(...read.problems.map((problem) => `REGION: ${problem}`));
  return null;
}

function readSetting(name: SettingName, raw: string, problems: string[]): string | number | null {
  if (raw === "") return null;
  const { schema, fallback } = SETTINGS[name];
  // Decimal digits: what else Number takes (0x50, 1e3) is more likely a slip.
  const number = /^-?\d+$/.test(raw) ? Number(raw) : Number.NaN;
  const value = "minimum" in schema ? number : raw;
  const error = Value.Errors(schema, value).First();
  if (!error) return value as string | number;
  const wanted = schema.anyOf
    ? `one of ${schema.anyOf.map((each: { const: string }) => each.const).join(", ")}`
    : `a whole number from ${schema.minimum} to ${schema.maximum}`;
  const said = SECRETS.test(name) ? "the value given" : JSON.stringify(raw);
  const hint = fallback === "" ? "or leave it unset" : `default ${fallback}`;
  problems.push(`${name}: ${said} is not ${wanted} (${hint})`);
  return null;
}

function buildConfig(values: SettingValues): Omit<Config, "region"> {
  const text = (name: SettingName) => (values[name] === null ? null : String(values[name]));
  const number = (name: SettingName) => Number(values[name]);
  // As a browser writes it: of a name in another script the ASCII form, which a header can carry.
  const publicUrl = URL.parse(text("PUBLIC_URL") ?? "")?.href.replace(/\/+$/, "") ?? null;
  const about = publicUrl ? ` (+${publicUrl}/bot)` : "";
  const userAgent = text("USER_AGENT") ?? `Trawl/${version}${about}`;
  return {
    web: {
      host: String(values.HOST),
      port: number("PORT"),
      publicUrl,
      adminPassword: text("ADMIN_PASSWORD"),
      apiToken: text("API_TOKEN"),
      trustedProxies: list(values.TRUSTED_PROXIES),
      submit: values.SUBMIT as Config["web"]["submit"],
      rateLimitPerS: number("RATE_LIMIT_PER_S"),
    },
    logLevel: values.LOG_LEVEL as LogLevel,
    data: {
      dir: resolve(String(values.DATA_DIR)),
      diskMinFreeMb: number("DISK_MIN_FREE_MB"),
      historyDays: number("HISTORY_DAYS"),
    },
    databaseUrl: text("DATABASE_URL"),
    redisUrl: text("REDIS_URL"),
    ollama: ollamaOf(text("OLLAMA_URL"), text("OLLAMA_MODEL")),
    userAgent,
    robotsToken: /^[A-Za-z_-]+/.exec(userAgent)![0].toLowerCase(),
    scope: {
      kind: values.CRAWL_SCOPE as Config["scope"]["kind"],
      depthMax: number("CRAWL_MAX_DEPTH"),
      frontierUrlsMax: number("FRONTIER_MAX_URLS"),
      hostUrlsMax: number("HOST_MAX_URLS"),
    },
    search: searchOf(values),
    politeness: {
      crawlDelayMs: number("CRAWL_DELAY_MS"),
      ipDelayMs:
        values.CRAWL_IP_DELAY_MS === null
          ? Math.ceil(number("CRAWL_DELAY_MS") / 10)
          : number("CRAWL_IP_DELAY_MS"),
      ipConcurrency: number("CRAWL_IP_CONCURRENCY"),
      hostConcurrency: number("CRAWL_HOST_CONCURRENCY"),
      hostDeadAfter: number("HOST_DEAD_AFTER"),
    },
    work: {
      turns: number("CRAWL_TURNS"),
      parseThreads:
        values.PARSE_THREADS === null
          ? Math.max(1, availableParallelism() - 1)
          : number("PARSE_THREADS"),
      leaseMs: number("LEASE_MS"),
      retryBaseMs: number("RETRY_BASE_MS"),
      carrierGraceMs: number("CARRIER_GRACE_MS"),
    },
    fetch: {
      timeoutMs: number("FETCH_TIMEOUT_MS"),
      bytesMax: number("FETCH_MAX_BYTES"),
      sitemapBytesMax: number("SITEMAP_MAX_BYTES"),
      allowCidrs: list(values.FETCH_ALLOW_CIDRS),
      dnsServers: values.DNS_SERVERS === null ? null : list(values.DNS_SERVERS),
    },
    recrawl: { minMs: number("RECRAWL_MIN_MS"), maxMs: number("RECRAWL_MAX_MS") },
    shown: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, shownValue(name, value)]),
    ),
  };
}

const searchOf = ({ RANKING, QUERY_LOG }: SettingValues): Config["search"] => ({
  ranking: readRanking(String(RANKING ?? "")).ranking,
  logsQueries: QUERY_LOG === "on",
});

const ollamaOf = (url: string | null, model: string | null): Config["ollama"] =>
  url === null || model === null ? null : { url, model };

function shownValue(name: string, value: string | number | null): string {
  if (value === null) return "";
  return SECRETS.test(name) && name !== "PUBLIC_URL" ? "********" : String(value);
}
