import { type Command, EXIT, type ExitCode } from "./command.ts";
import { handOver } from "./handed.ts";
import { withParts } from "./parts.ts";

export const reindexCommand: Command = {
  name: "reindex",
  usage: "",
  summary: "rebuild the index from the store, searchable throughout",
  options: {},
  takes: [0, 0],
  async run(call): Promise<ExitCode> {
    return await withParts(call, async (parts) => {
      const handed = await handOver(call, parts, "reindex", {});
      if (handed.kind === "failed") {
        call.complain(`reindex failed: ${handed.message}`);
        return EXIT.failed;
      }
      const { documents, removed, refused } = handed.result;
      const counts = `${documents} documents indexed, ${removed} entries removed`;
      call.answer(handed.result, `${counts}, ${refused} refused`);
      return refused > 0 ? EXIT.failed : EXIT.done;
    });
  },
};
