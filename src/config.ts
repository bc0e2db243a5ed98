import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { Value } from "@sinclair/typebox/value";
import type { LogLevel } from "./log.ts";
import { SETTINGS, type SettingName } from "./settings.ts";
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
  readonly userAgent: string;
  /** Lower-case product token of the user agent: what robots.txt calls us. */
  readonly robotsToken: string;
  readonly scope: {
    kind: "any" | "seeded-hosts" | "seeded-domains";
    depthMax: number;
    frontierUrlsMax: number;
    hostUrlsMax: number;
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

const SECRETS = /PASSWORD|TOKEN|KEY|_URL$/;

/** Reads every setting; all problems are told together, each with how to mend it. */
export function readConfig(env: Record<string, string | undefined>): ConfigResult {
  const problems: string[] = [];
  const values = {} as Record<SettingName, string | number | null>;
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    values[name] = readSetting(name, env[name]?.trim() || SETTINGS[name].fallback, problems);
  }
  problems.push(...crossProblems(values));
  if (problems.length > 0) return { kind: "problems", problems };
  return { kind: "config", config: Object.freeze(buildConfig(values)) };
}

function readSetting(name: SettingName, raw: string, problems: string[]): string | number | null {
  if (raw === "") return null;
  const { schema, fallback } = SETTINGS[name];
  const value = "minimum" in schema ? Number(raw) : raw;
  const error = Value.Errors(schema, value).First();
  if (!error) return value as string | number;
  const wanted = schema.anyOf
    ? `one of ${schema.anyOf.map((each: { const: string }) => each.const).join(", ")}`
    : "minimum" in schema
      ? `a whole number from ${schema.minimum} to ${schema.maximum}`
      : `at least ${schema.minLength} characters`;
  const said = SECRETS.test(name) ? "the value given" : JSON.stringify(raw);
  const hint = fallback === "" ? "or leave it unset" : `default ${fallback}`;
  problems.push(`${name}: ${said} is not ${wanted} (${hint})`);
  return null;
}

function crossProblems(values: Record<SettingName, string | number | null>): string[] {
  const problems: string[] = [];
  const say = (name: SettingName, what: string) => problems.push(`${name}: ${what}`);
  if (values.CRAWL_SCOPE === "region") {
    say("CRAWL_SCOPE", "region is not built yet; use any, seeded-hosts or seeded-domains");
  }
  if (values.RENDER === "auto") say("RENDER", "auto is not built yet; leave it off");
  if (values.TYPESENSE_URL !== null) {
    say("TYPESENSE_URL", "Typesense is not supported yet; leave it unset for the embedded index");
  }
  if (!isHost(String(values.HOST))) {
    say("HOST", `${JSON.stringify(values.HOST)} is no host name or IP address (default 127.0.0.1)`);
  }
  const urls = { PUBLIC_URL: ["http:", "https:"], DATABASE_URL: ["postgres:", "postgresql:"] };
  for (const [name, schemes] of Object.entries({ ...urls, REDIS_URL: ["redis:", "rediss:"] })) {
    const raw = values[name as SettingName];
    if (raw === null) continue;
    const url = URL.parse(String(raw));
    if (!url || !schemes.includes(url.protocol)) {
      say(name as SettingName, `must be an address that begins with ${schemes.join("// or ")}//`);
    }
  }
  for (const name of ["TRUSTED_PROXIES", "FETCH_ALLOW_CIDRS"] as const) {
    for (const cidr of list(values[name])) {
      if (!isCidr(cidr)) say(name, `${JSON.stringify(cidr)} is no CIDR (such as 10.0.0.0/8)`);
    }
  }
  for (const server of list(values.DNS_SERVERS)) {
    if (!isServer(server)) say("DNS_SERVERS", `${JSON.stringify(server)} is no address:port`);
  }
  if (
    values.USER_AGENT !== null &&
    !/^[A-Za-z_-]+(\/|\s|$)[\x20-\x7e]*$/.test(`${values.USER_AGENT}`)
  ) {
    say("USER_AGENT", "must begin with a product token of letters, - and _ and be plain ASCII");
  }
  if (Number(values.RECRAWL_MIN_MS) > Number(values.RECRAWL_MAX_MS)) {
    say("RECRAWL_MIN_MS", "is above RECRAWL_MAX_MS");
  }
  return problems;
}

function buildConfig(values: Record<SettingName, string | number | null>): Config {
  const text = (name: SettingName) => (values[name] === null ? null : String(values[name]));
  const number = (name: SettingName) => Number(values[name]);
  const publicUrl = text("PUBLIC_URL")?.replace(/\/+$/, "") ?? null;
  const userAgent =
    text("USER_AGENT") ?? `Trawl/${version}${publicUrl ? ` (+${publicUrl}/bot)` : ""}`;
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
    userAgent,
    robotsToken: /^[A-Za-z_-]+/.exec(userAgent)![0].toLowerCase(),
    scope: {
      kind: values.CRAWL_SCOPE as Config["scope"]["kind"],
      depthMax: number("CRAWL_MAX_DEPTH"),
      frontierUrlsMax: number("FRONTIER_MAX_URLS"),
      hostUrlsMax: number("HOST_MAX_URLS"),
    },
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
      allowCidrs: list(values.FETCH_ALLOW_CIDRS),
      dnsServers: values.DNS_SERVERS === null ? null : list(values.DNS_SERVERS),
    },
    recrawl: { minMs: number("RECRAWL_MIN_MS"), maxMs: number("RECRAWL_MAX_MS") },
    shown: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, shownValue(name, value)]),
    ),
  };
}

function shownValue(name: string, value: string | number | null): string {
  if (value === null) return "";
  return SECRETS.test(name) && name !== "PUBLIC_URL" ? "********" : String(value);
}

function list(value: string | number | null): string[] {
  return value === null
    ? []
    : String(value)
        .split(",")
        .map((each) => each.trim())
        .filter(Boolean);
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(text);
}

function isCidr(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

function isServer(text: string): boolean {
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text);
  return match !== null && isIP(match[1] ?? match[2]!) !== 0 && Number(match[3] ?? 53) <= 65_535;
}
