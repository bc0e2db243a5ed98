import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { readConfig } from "../src/config.ts";
import { SETTINGS } from "../src/settings.ts";

const problemsOf = (env: Record<string, string>): string[] => {
  const read = readConfig(env);
  return read.kind === "problems" ? read.problems : [];
};

const configOf = (env: Record<string, string>) => {
  const read = readConfig(env);
  if (read.kind !== "config") throw new Error(read.problems.join("\n"));
  return read.config;
};

/** A value that cannot be used, for every setting that can have one. */
const BAD: Record<string, string> = {
  HOST: "not a host",
  PORT: "70000",
  PUBLIC_URL: "ftp://example.org",
  ADMIN_PASSWORD: "short",
  API_TOKEN: "short",
  TRUSTED_PROXIES: "10.0.0.0/33",
  SUBMIT: "maybe",
  RATE_LIMIT_PER_S: "-1",
  LOG_LEVEL: "loud",
  DISK_MIN_FREE_MB: "1.5",
  HISTORY_DAYS: "0",
  DATABASE_URL: "mysql://localhost/x",
  REDIS_URL: "http://localhost",
  TYPESENSE_URL: "http://localhost:8108",
  USER_AGENT: "\u00e9/1",
  CRAWL_SCOPE: "region",
  CRAWL_MAX_DEPTH: "deep",
  FRONTIER_MAX_URLS: "0",
  HOST_MAX_URLS: "0",
  CRAWL_DELAY_MS: "-5",
  CRAWL_IP_DELAY_MS: "x",
  CRAWL_IP_CONCURRENCY: "0",
  CRAWL_HOST_CONCURRENCY: "0",
  HOST_DEAD_AFTER: "0",
  CRAWL_TURNS: "0",
  PARSE_THREADS: "0",
  LEASE_MS: "1",
  RETRY_BASE_MS: "0",
  CARRIER_GRACE_MS: "1",
  FETCH_TIMEOUT_MS: "1",
  FETCH_MAX_BYTES: "1",
  FETCH_ALLOW_CIDRS: "localhost",
  DNS_SERVERS: "dns.example",
  RENDER: "auto",
  RECRAWL_MIN_MS: "1",
  RECRAWL_MAX_MS: "1",
};

describe("settings", () => {
  test("every bad value is told, all in one message", () => {
    const problems = problemsOf(BAD);
    const named = problems.map((problem) => problem.split(":")[0]).sort();
    expect(named).toEqual(Object.keys(BAD).sort());
  });

  test.each(Object.entries(BAD))("%s=%s alone is refused by name", (name, value) => {
    expect(problemsOf({ [name]: value }).map((problem) => problem.split(":")[0])).toContain(name);
  });

  test("a secret is never repeated in a message", () => {
    expect(problemsOf({ ADMIN_PASSWORD: "hunter2" }).join()).not.toContain("hunter2");
  });

  test("an empty value is the default, as in a copied .env.example", () => {
    const empty = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, ""]));
    expect(configOf(empty)).toEqual(configOf({}));
  });

  test("what derives from other settings", () => {
    expect(configOf({ CRAWL_DELAY_MS: "2000" }).politeness.ipDelayMs).toBe(200);
    expect(configOf({ CRAWL_DELAY_MS: "0" }).politeness.ipDelayMs).toBe(0);
    expect(configOf({ CRAWL_IP_DELAY_MS: "7" }).politeness.ipDelayMs).toBe(7);
    const named = configOf({ PUBLIC_URL: "https://trawl.example/" });
    expect(named.userAgent).toMatch(/^Trawl\/\d+\.\d+\.\d+ \(\+https:\/\/trawl\.example\/bot\)$/);
    expect(named.robotsToken).toBe("trawl");
    expect(configOf({ USER_AGENT: "My-Bot/2 x" }).robotsToken).toBe("my-bot");
  });

  test("secrets are masked where settings are shown", () => {
    const { shown } = configOf({
      ADMIN_PASSWORD: "correct horse",
      DATABASE_URL: "postgres://u:p@h/d",
      PORT: "1234",
    });
    expect(shown.ADMIN_PASSWORD).toBe("********");
    expect(shown.DATABASE_URL).toBe("********");
    expect(shown.PORT).toBe("1234");
  });
});

describe(".env.example", () => {
  const lines = readFileSync(new URL("../.env.example", import.meta.url), "utf8").split("\n");

  test("lists every setting once, in order, with default and meaning", () => {
    const listed = lines.flatMap((line, at) => {
      const match = /^#([A-Z][A-Z_0-9]*)=(.*)$/.exec(line);
      return match ? [[match[1], match[2], lines[at - 1]]] : [];
    });
    const wanted = Object.entries(SETTINGS).map(([name, { fallback, meaning }]) => [
      name,
      fallback,
      `# ${meaning}`,
    ]);
    expect(listed).toEqual(wanted);
  });
});
