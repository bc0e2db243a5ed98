/** @jsxRuntime automatic @jsxImportSource preact */
import type { PartHealth, Parts, Status } from "../../src/http/status-json.ts";

type Tone = "good" | "warn" | "bad" | "plain";
type Name = keyof Parts;

const NAMES: Readonly<Record<Name, string>> = {
  postgres: "Store (Postgres)",
  carrier: "Work carrier",
  index: "Search index",
  ollama: "Language model",
  disk: "Disk",
};

const TONES: Readonly<Record<PartHealth | "off" | "low", Tone>> = {
  up: "good",
  slow: "warn",
  refused: "bad",
  down: "bad",
  off: "plain",
  low: "bad",
};

/** What a part that is not well means for the operator, by part and health. */
const MEANINGS: Readonly<Record<Name, Partial<Record<PartHealth | "off" | "low", string>>>> = {
  postgres: {
    slow: "Answers late: claims and settles take longer, nothing is lost.",
    refused: "Refuses us: look at its password, limits and log. Crawling is parked.",
    down: "Does not answer. Search goes on from the index; crawling resumes by itself.",
  },
  carrier: {
    slow: "Hands out work late; the crawl is slower than it could be.",
    refused: "Refuses us: look at its password and limits. Crawling is parked.",
    down: "Does not answer. Crawling is parked; no work is lost, since jobs are only hints.",
  },
  index: {
    slow: "Pages become searchable late.",
    refused: "Refuses documents: look at its key, schema and disk. Claims are paused.",
    down: "Search answers 503 and claims are paused until it is back.",
  },
  ollama: {
    down: "Does not answer, or has no such model. Summaries wait for it, and nothing else does.",
    off: "Not set: pages get no summary.",
  },
  disk: {
    low: "Less free than DISK_MIN_FREE_MB: crawl and downloads are paused. Free some space.",
  },
};

export function PartsList({ parts }: { parts: Parts }) {
  return (
    <ul class="parts">
      {(Object.keys(NAMES) as Name[]).map((name) => {
        const health = parts[name];
        const meaning = MEANINGS[name][health] ?? "Works.";
        return (
          <li>
            <span class="part-name">{NAMES[name]}</span>
            <span class={`badge badge-${TONES[health]}`}>{health}</span>
            <span class="part-meaning muted">{meaning}</span>
          </li>
        );
      })}
    </ul>
  );
}

type Reason = NonNullable<Status["crawl"]["reason"]> | "unknown";

const PARKED_BY: Readonly<Record<Reason, string>> = {
  unknown: "a part is away",
  carrier: "the work carrier does not answer",
  index: "the index takes no documents",
  postgres: "the store does not answer",
  disk: "the disk is almost full",
};

/** `running`, or why not. */
export function crawlSentence({ state, reason }: Status["crawl"]): string {
  switch (state) {
    case "running":
      return "The crawl is running.";
    case "parked":
      return `The crawl is parked: ${PARKED_BY[reason ?? "unknown"]}. It resumes by itself.`;
    case "off":
      return "No process with the role crawl is running.";
    default:
      return state satisfies never;
  }
}
