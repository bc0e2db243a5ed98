import { ruleSaid } from "../../templates/words/host-rules.ts";
import { labelOf, wordsOf } from "../../templates/words/words.ts";
import { searchJson } from "../http/search-json.ts";
import { IndexUnavailable } from "../search/port.ts";
import { type Hit, type SearchResults, search } from "../search/search.ts";
import { SIGNALS } from "../search/signals.ts";
import { type Command, EXIT, type ExitCode } from "./command.ts";
import { withIndex } from "./parts.ts";
import { lastRanking, withFactors } from "./ranking-parts.ts";
import { gazetteerOf } from "./region-file.ts";

const HITS = 10;

export const searchCommand: Command = {
  name: "search",
  usage: "<query> [--explain]",
  summary: "search from the shell",
  options: { explain: { type: "boolean" } },
  takes: [1, 100],
  async run(call): Promise<ExitCode> {
    return await withIndex(call, async (index) => {
      try {
        const request = {
          query: call.args.join(" "),
          page: 1,
          perPage: HITS,
          sort: "relevance",
          explain: call.options.explain === true,
        } as const;
        const { ranking, factors } = await lastRanking(call.config);
        const gazetteer = gazetteerOf(call.config);
        const results = await search(index, withFactors(request, factors), { gazetteer, ranking });
        call.answer(searchJson(results), words(results));
        return results.hits.length > 0 ? EXIT.done : EXIT.failed;
      } catch (error) {
        if (!(error instanceof IndexUnavailable)) throw error;
        call.complain(`the index cannot be read: ${error.message}`);
        return EXIT.failed;
      }
    });
  },
};

function words(results: SearchResults): string {
  if (results.hits.length === 0) return "nothing found";
  const text = (segments: readonly { text: string }[]) =>
    segments.map((each) => each.text).join("");
  const hits = results.hits.map(
    (hit, at) =>
      `${at + 1}. ${text(hit.title) || hit.url}\n   ${hit.url}\n   ${text(hit.snippet)}` +
      explained(hit),
  );
  const total = `${results.total}${results.totalCapped ? " or more" : ""} found`;
  return [`${total} in ${results.tookMs} ms`, ...placed(results), ...hits].join("\n");
}

/** A line a signal that says something, as the search page explains it. */
function explained({ explain, score }: Hit): string {
  if (explain === undefined) return "";
  const { explain: said, hostRules } = wordsOf("en");
  const told = Object.entries(explain).filter(
    ([name, value]) => name === "text" || value !== NEUTRAL.get(name),
  );
  const lines = told.map(([name, value]) => {
    // Nobody but the operator has a say here.
    const rule = name === "rules" ? ruleSaid(value, false, hostRules) : null;
    const note = rule ?? labelOf(said.notes, name, "");
    return `${labelOf(said.names, name)} ${value.toFixed(2)} (${note})`;
  });
  return ["", ...lines, `score ${score.toFixed(2)}`].join("\n     ");
}

const NEUTRAL = new Map<string, number>(SIGNALS.map(({ name, neutral }) => [name, neutral]));

function placed({ places, hits }: SearchResults): string[] {
  if (places === undefined || hits[0]?.explain === undefined) return [];
  const { near, elsewhere } = places;
  const words = wordsOf("en").places;
  return [
    ...(near.length === 0 ? [] : [words.asked(near.map(({ written }) => written))]),
    ...(elsewhere.length === 0 ? [] : [`elsewhere: ${elsewhere.join(", ")}`]),
  ];
}
