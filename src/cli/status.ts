import { createStatus, type Status } from "../crawl/status.ts";
import { Model } from "../enrich/model.ts";
import { type Command, EXIT, type ExitCode } from "./command.ts";
import { withLook } from "./parts.ts";

export const statusCommand: Command = {
  name: "status",
  usage: "",
  summary: "counts by state, backlog, parts and their health",
  options: {},
  takes: [0, 0],
  async run(call): Promise<ExitCode> {
    return await withLook(call, async ({ database: { db }, index }, breaker) => {
      const room = call.config.scope;
      const began = performance.now();
      const uptimeMs = () => performance.now() - began;
      const { ollama } = call.config;
      const model = ollama === null ? null : new Model(ollama);
      const status = await createStatus({ db, index, breaker, room, model, uptimeMs })();
      call.answer(status, words(status));
      return EXIT.done;
    });
  },
};

function words(status: Status): string {
  const { parts, crawl, urls, time_to_searchable_ms: times } = status;
  const shown = (value: number | null) => value ?? "unknown";
  const states = urls
    ? Object.entries(urls).map(([state, count]) => `${state.replace("_", " ")} ${count}`)
    : ["unknown"];
  return [
    `crawl      ${crawl.state}${crawl.reason ? ` (${crawl.reason})` : ""}`,
    `parts      ${Object.entries(parts)
      .map(([name, health]) => `${name} ${health}`)
      .join(", ")}`,
    `urls       ${states.join(", ")}`,
    `refused    ${refusals(status)}`,
    `crawled    ${shown(status.crawled)}`,
    `documents  ${shown(status.documents)}, indexed ${shown(status.indexed)}`,
    `enrich     ${shown(status.enrich_backlog)} wait`,
    `speed      ${shown(status.pages_per_second)} pages/s`,
    `searchable ${times ? Object.entries(times).map(percentile).join(", ") : "unknown"}`,
  ].join("\n");
}

function refusals({ refused, full }: Status): string {
  if (refused === null || full === null) return "unknown";
  const reasons = Object.entries(refused).map(([reason, count]) => `${reason} ${count}`);
  const frontier = full.frontier ? ["the frontier is full (FRONTIER_MAX_URLS)"] : [];
  const hosts = full.hosts > 0 ? [`hosts at their quota ${full.hosts}`] : [];
  return [...reasons, ...frontier, ...hosts].join(", ") || "none";
}

const percentile = ([name, ms]: [string, number]): string => `${name} ${ms} ms`;
