import { en } from "../../templates/words/en.ts";
import { PolicyCache } from "../crawl/policy.ts";
import { type SeedItem, type SeedReport, seedUrls } from "../crawl/submit.ts";
import { withScheme } from "../crawl/typed-url.ts";
import { type Command, EXIT, type ExitCode, numberOption } from "./command.ts";
import { whyNameless } from "./identity.ts";
import { unlessInterrupted } from "./interrupt.ts";
import { operateDeps, withParts } from "./parts.ts";
import { allItems, openSeedFile, type SeedFileOptions } from "./seed-file.ts";

const REASONS: Readonly<Record<string, string>> = en.submit.reasons;
/** Refusals are told one by one up to here; `--json` tells all. */
const REFUSALS_SHOWN = 50;
const REFUSED_LENGTH_SHOWN = 200;

export const seedCommand: Command = {
  name: "seed",
  usage: "<file|url>... [--priority 0..255]",
  summary: "admit URLs; a file has one a line (# begins a comment), or is a sitemap, feed or OPML",
  options: { priority: { type: "string" } },
  takes: [1, 10_000],
  async run(call): Promise<ExitCode> {
    const priority = numberOption(call, "priority", [0, 255]);
    const troubles: string[] = [];
    const options: SeedFileOptions = {
      wholeMax: call.config.fetch.bytesMax,
      trouble: (message) => void troubles.push(message),
    };
    // A pipe may have nobody at its other end.
    const gathered = await unlessInterrupted(call.signal, gather(call.args, options));
    if (gathered.kind === "unusable") {
      call.complain(troubles.length > 0 ? troubles.join("\n") : gathered.message);
      return EXIT.failed;
    }
    return await withParts(call, async (parts) => {
      const deps = operateDeps(call, parts);
      const policy = new PolicyCache({ ...deps, log: call.log });
      await policy.refresh();
      const { signal } = call;
      const report = await seedUrls({ ...deps, policy }, gathered.items, { priority, signal });
      call.answer(report, words(report));
      for (const trouble of troubles) call.note(trouble);
      const nameless = await whyNameless(call.config, deps.db);
      if (nameless !== null) call.note(nameless);
      return report.admitted + report.known > 0 ? EXIT.done : EXIT.failed;
    });
  },
};

type Gathered =
  | { kind: "items"; items: AsyncIterable<SeedItem> }
  | { kind: "unusable"; message: string };

/** What names an existing file is one; else it is a URL, if it looks like one. */
async function gather(args: readonly string[], options: SeedFileOptions): Promise<Gathered> {
  const sources: (string[] | AsyncIterable<SeedItem>)[] = [];
  for (const arg of args) {
    const file = await openSeedFile(arg, options);
    if (file.kind === "unusable") return file;
    if (file.kind === "items") sources.push(file.items);
    else if (looksLikeUrl(arg)) sources.push([arg]);
    else return { kind: "unusable", message: `${arg}: there is no such file` };
  }
  const items = await allItems(sources);
  if (items !== null) return { kind: "items", items };
  return { kind: "unusable", message: `${args.join(", ")}: no URL in it` };
}

function looksLikeUrl(text: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return true;
  return withScheme(text) !== null && !/\.(txt|xml|gz|opml|rss|atom|csv|list)$/i.test(text);
}

function words({ admitted, known, refused }: SeedReport): string {
  const counts = `admitted ${admitted}, known ${known}, refused ${refused.length}`;
  const shown = refused
    .slice(0, REFUSALS_SHOWN)
    .map(({ url, reason }) => `  ${short(url)}: ${REASONS[reason] ?? reason}`);
  if (refused.length > shown.length) shown.push(`  … and ${refused.length - shown.length} more`);
  return [counts, ...shown].join("\n");
}

function short(url: string): string {
  return url.length <= REFUSED_LENGTH_SHOWN ? url : `${url.slice(0, REFUSED_LENGTH_SHOWN)}…`;
}
