import { searchJson } from "../http/search-json.ts";
import { IndexUnavailable } from "../search/port.ts";
import { type SearchResults, search } from "../search/search.ts";
import { type Command, EXIT, type ExitCode } from "./command.ts";
import { withIndex } from "./parts.ts";

const HITS = 10;

export const searchCommand: Command = {
  name: "search",
  usage: "<query>",
  summary: "search from the shell",
  options: {},
  takes: [1, 100],
  async run(call): Promise<ExitCode> {
    return await withIndex(call, async (index) => {
      try {
        const results = await search(index, {
          query: call.args.join(" "),
          page: 1,
          perPage: HITS,
          sort: "relevance",
          explain: false,
        });
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
    (hit, at) => `${at + 1}. ${text(hit.title) || hit.url}\n   ${hit.url}\n   ${text(hit.snippet)}`,
  );
  const total = `${results.total}${results.totalCapped ? " or more" : ""} found`;
  return [`${total} in ${results.tookMs} ms`, ...hits].join("\n");
}
