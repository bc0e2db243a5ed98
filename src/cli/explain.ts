import { explainUrl } from "../crawl/explain.ts";
import { type Command, EXIT, type ExitCode } from "./command.ts";
import { withParts } from "./parts.ts";

export const explainCommand: Command = {
  name: "explain",
  usage: "<url>",
  summary: "everything known of one URL",
  options: {},
  takes: [1, 1],
  async run(call): Promise<ExitCode> {
    return await withParts(call, async ({ database }) => {
      const url = call.args[0]!;
      const found = await explainUrl({ db: database.db, config: call.config }, url);
      if (!found) {
        call.complain(`${url}: not known here`);
        return EXIT.failed;
      }
      call.answer(found, lines(found).join("\n"));
      return EXIT.done;
    });
  },
};

/** One line a fact, what belongs together indented below its name. */
function lines(value: object, indent = ""): string[] {
  return Object.entries(value).flatMap(([name, fact]) => {
    const label = `${indent}${name.replaceAll("_", " ")}:`;
    if (fact instanceof Date) return [`${label} ${fact.toISOString()}`];
    if (Array.isArray(fact)) return [label, ...fact.map((each) => `${indent}  ${oneLine(each)}`)];
    if (fact !== null && typeof fact === "object") return [label, ...lines(fact, `${indent}  `)];
    return [`${label} ${fact ?? "-"}`];
  });
}

function oneLine(fact: unknown): string {
  if (fact === null || typeof fact !== "object") return String(fact);
  return Object.entries(fact)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${value instanceof Date ? value.toISOString() : value}`)
    .join(" ");
}
