import type { UrlState } from "./deps.ts";

/** JSON of GET /status. Counts are null while the store is down. */
export interface Status {
  version: string;
  uptime_s: number;
  parts: Parts;
  crawl: {
    state: "running" | "parked" | "off";
    reason: "carrier" | "index" | "postgres" | "disk" | null;
  };
  urls: Record<UrlState | "due", number> | null;
  admitted: Record<string, number> | null;
  refused: Record<string, number> | null;
  full: { frontier: boolean; hosts: number } | null;
  crawled: number | null;
  documents: number | null;
  indexed: number | null;
  enrich_backlog: number | null;
  pages_per_second: number | null;
  time_to_searchable_ms: { p50: number; p95: number; p99: number } | null;
}

export interface Parts {
  postgres: PartHealth;
  carrier: PartHealth;
  index: PartHealth;
  ollama: "up" | "down" | "off";
  disk: "up" | "low";
}
export type PartHealth = "up" | "slow" | "refused" | "down";
