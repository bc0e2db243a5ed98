import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./ports.ts";
import { tool } from "./suites.ts";
import { until } from "./until.ts";

export interface SiteOptions {
  hosts?: number;
  pages?: number;
  links?: number;
  kb?: number;
  fail?: number;
  latencyMs?: number;
  robots?: string;
  names?: boolean;
  /** All pages are made before it answers. */
  warm?: boolean;
  /** So many pages stay in memory once made. */
  keep?: number;
  /** A folder of real pages, which take the place of made ones. */
  htmlDir?: string;
  log?: boolean;
}

export interface SiteStats {
  requests: number;
  pages: number;
  robots: number;
  maxInFlightPerHost: number;
  minGapMsPerHost: number;
}

/** One request; times in epoch ms. */
export interface Access {
  t0: number;
  t1: number;
  host: string;
  path: string;
  status: number;
}

export interface Site {
  port: number;
  pid: number;
  /** URL of page n of host h. */
  page(h: number, n?: number): string;
  stats(): Promise<SiteStats>;
  /** Statistics begin anew. */
  reset(): Promise<void>;
  accesses(): Access[];
  stop(): Promise<void>;
}

/**
 * The synthetic web in a process of its own; null (and a visible line) when the tool is not there.
 */
export async function startSite(options: SiteOptions = {}): Promise<Site | null> {
  const script = tool("site.ts");
  if (!script) return null;
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "trawl-site-"));
  const log = join(folder, "access.jsonl");
  const { hosts = 2, pages = 5, links = 8, kb = 2, names = false } = options;
  const args = ["--port", `${port}`, "--hosts", `${hosts}`, "--pages", `${pages}`];
  args.push("--links", `${links}`, "--kb", `${kb}`);
  if (options.fail) args.push("--fail", `${options.fail}`);
  if (options.latencyMs) args.push("--latency-ms", `${options.latencyMs}`);
  if (options.robots) args.push("--robots", options.robots);
  if (options.log) args.push("--log", log);
  if (names) args.push("--names");
  if (options.warm) args.push("--warm");
  if (options.keep !== undefined) args.push("--keep", `${options.keep}`);
  if (options.htmlDir) args.push("--html-dir", options.htmlDir);
  const child = Bun.spawn([process.execPath, script, ...args], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  const base = `http://127.0.0.1:${port}`;
  const stats = async () => (await (await fetch(`${base}/__stats`)).json()) as SiteStats;
  await until(() => stats().catch(() => null), { timeoutMs: 60_000, what: "the site" });
  const host = (h: number) =>
    names ? `h${h}.test` : `127.0.${1 + Math.floor(h / 250)}.${1 + (h % 250)}`;
  return {
    port,
    pid: child.pid,
    page: (h, n = 0) => `http://${host(h)}:${port}${n === 0 ? "/" : `/p/${n}.html`}`,
    stats,
    reset: async () => {
      await fetch(`${base}/__reset`);
    },
    accesses: () =>
      (existsSync(log) ? readFileSync(log, "utf8") : "")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Access),
    stop: async () => {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
