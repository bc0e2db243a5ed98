import { readFile, stat } from "node:fs/promises";
import { en } from "../../templates/words/en.ts";
import { PolicyCache } from "../crawl/policy.ts";
import { type SeedReport, seedUrls } from "../crawl/submit.ts";
import { type Command, EXIT, type ExitCode, numberOption } from "./command.ts";
import { operateDeps, withParts } from "./parts.ts";

const REASONS: Readonly<Record<string, string>> = en.submit.reasons;
const FILE_BYTES_MAX = 1_000_000_000;
/** Refusals are told one by one up to here; `--json` tells all. */
const REFUSALS_SHOWN = 50;

export const seedCommand: Command = {
  name: "seed",
  usage: "<file|url>... [--priority 0..255]",
  summary: "admit URLs; a file has one URL a line, # begins a comment",
  options: { priority: { type: "string" } },
  takes: [1, 10_000],
  async run(call): Promise<ExitCode> {
    const priority = numberOption(call, "priority", [0, 255]);
    const lines = await gather(call.args);
    if (lines.kind === "missing") {
      call.complain(lines.message);
      return EXIT.failed;
    }
    return await withParts(call, async (parts) => {
      const deps = operateDeps(call, parts);
      const policy = new PolicyCache({ db: deps.db, config: call.config, log: call.log });
      await policy.refresh();
      const report = await seedUrls({ ...deps, policy }, lines.urls, priority);
      call.answer(report, words(report));
      return report.admitted + report.known > 0 ? EXIT.done : EXIT.failed;
    });
  },
};

type Gathered = { kind: "urls"; urls: string[] } | { kind: "missing"; message: string };

/** What names an existing file is one; else it is a URL, if it looks like one. */
async function gather(args: readonly string[]): Promise<Gathered> {
  const urls: string[] = [];
  for (const arg of args) {
    const file = await stat(arg).catch(() => null);
    if (file === null) {
      if (!looksLikeUrl(arg)) return { kind: "missing", message: `${arg}: there is no such file` };
      urls.push(arg);
      continue;
    }
    if (!file.isFile()) return { kind: "missing", message: `${arg} is not a file` };
    if (file.size > FILE_BYTES_MAX) {
      return { kind: "missing", message: `${arg} is larger than 1 GB: split it` };
    }
    urls.push(...linesOf(await readFile(arg, "utf8")));
  }
  if (urls.length > 0) return { kind: "urls", urls };
  return { kind: "missing", message: `${args.join(", ")}: no URL in it` };
}

function looksLikeUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) || /^[^/\s]+\.[a-z]{2,}([/:?#]|$)/i.test(text)
    ? !/\.(txt|xml|opml|csv|list)$/i.test(text) || text.includes("://")
    : false;
}

function linesOf(text: string): string[] {
  return text
    .split(/\r\n|\n|\r/)
    .map((line) =>
      line
        .replace(/^\ufeff/, "")
        .replace(/(^|\s)#.*$/, "")
        .trim(),
    )
    .filter(Boolean);
}

function words({ admitted, known, refused }: SeedReport): string {
  const counts = `admitted ${admitted}, known ${known}, refused ${refused.length}`;
  const shown = refused
    .slice(0, REFUSALS_SHOWN)
    .map(({ url, reason }) => `  ${url}: ${REASONS[reason] ?? reason}`);
  if (refused.length > shown.length) shown.push(`  … and ${refused.length - shown.length} more`);
  return [counts, ...shown].join("\n");
}
