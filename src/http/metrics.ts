import type { LoopLag } from "../loop-lag.ts";
import type { OverviewReads } from "./deps.ts";
import type { Status } from "./status-json.ts";

export interface MetricsInput {
  status: Status;
  conservation: Awaited<ReturnType<OverviewReads["conservation"]>> | null;
  loopLag: LoopLag | null;
  liveReaders: number;
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number | null];

/** Prometheus text format 0.0.4. What is unknown is left out, never written as zero. */
export function metricsText(input: MetricsInput): string {
  const { status, conservation, loopLag, liveReaders } = input;
  const urls = Object.entries(status.urls ?? {}).filter(([state]) => state !== "due");
  const times = Object.entries(status.time_to_searchable_ms ?? {});
  return [
    gauge("info", "Always 1; the version is a label.", [[{ version: status.version }, 1]]),
    gauge("uptime_seconds", "Since the start of this process.", only(status.uptime_s)),
    gauge(
      "part_up",
      "1 while a part is up, or off on purpose; 0 otherwise.",
      Object.entries(status.parts).map(([part, health]) => [
        { part, health },
        health === "up" || health === "off" ? 1 : 0,
      ]),
    ),
    gauge("crawl_running", "1 while the crawl runs.", [
      [{ state: status.crawl.state }, status.crawl.state === "running" ? 1 : 0],
    ]),
    gauge(
      "urls",
      "URLs by state.",
      urls.map(([state, value]) => [{ state }, value] as const),
    ),
    gauge("urls_due", "Pending URLs whose time has come.", only(status.urls?.due ?? null)),
    gauge(
      "admitted",
      "URLs that were admitted, by origin.",
      Object.entries(status.admitted ?? {}).map(([origin, value]) => [{ origin }, value] as const),
    ),
    gauge(
      "refusals",
      "Candidates that were not admitted, by reason.",
      Object.entries(status.refused ?? {}).map(([reason, value]) => [{ reason }, value] as const),
    ),
    gauge("hosts_full", "Hosts that have reached their quota.", only(status.full?.hosts ?? null)),
    gauge("urls_crawled", "URLs fetched successfully at least once.", only(status.crawled)),
    gauge("documents", "Documents in the store.", only(status.documents)),
    gauge("indexed", "Documents in the index.", only(status.indexed)),
    gauge("enrich_backlog", "Documents that await enrichment.", only(status.enrich_backlog)),
    gauge("pages_per_second", "Pages settled a second.", only(status.pages_per_second)),
    gauge(
      "time_to_searchable_seconds",
      "From the start of a fetch to searchable.",
      times.map(([name, ms]) => [{ quantile: `0.${name.slice(1)}` }, ms / 1_000] as const),
    ),
    gauge(
      "event_loop_lag_seconds",
      "Wait of what is due for the event loop of this process, over the last minute.",
      lagSamples(loopLag),
    ),
    gauge("urls_accepted", "URLs ever admitted.", only(conservation?.accepted ?? null)),
    gauge("urls_present", "Sum of URLs in all states.", only(conservation?.present ?? null)),
    gauge("urls_removed", "URLs removed by operators.", only(conservation?.removed ?? null)),
    gauge("live_readers", "Open live streams.", only(liveReaders)),
  ].join("");
}

const lagSamples = (lag: LoopLag | null): Sample[] => [
  [{ quantile: "0.5" }, seconds(lag?.p50Ms)],
  [{ quantile: "0.99" }, seconds(lag?.p99Ms)],
  [{ quantile: "1" }, seconds(lag?.maxMs)],
];

/** To the microsecond: what is shorter is noise. */
const seconds = (ms: number | undefined): number | null =>
  ms === undefined ? null : Math.round(ms * 1_000) / 1_000_000;

const only = (value: number | null): Sample[] => [[{}, value]];

function gauge(name: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.flatMap(([labels, value]) =>
    value === null ? [] : [`trawl_${name}${labelText(labels)} ${value}\n`],
  );
  if (lines.length === 0) return "";
  return `# HELP trawl_${name} ${help}\n# TYPE trawl_${name} gauge\n${lines.join("")}`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (each) => ESCAPES[each]!)}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };
