import { type Command, EXIT, type ExitCode } from "./command.ts";
import { handOver } from "./handed.ts";
import { withParts } from "./parts.ts";

export const reconcileCommand: Command = {
  name: "reconcile",
  usage: "[--repair]",
  summary: "index against store, and mend what differs",
  options: { repair: { type: "boolean" } },
  takes: [0, 0],
  async run(call): Promise<ExitCode> {
    return await withParts(call, async (parts) => {
      const repair = call.options.repair === true;
      const handed = await handOver(call, parts, "reconcile", { repair });
      if (handed.kind === "failed") {
        call.complain(`reconcile failed: ${handed.message}`);
        return EXIT.failed;
      }
      const { missing, orphan, stale } = handed.result;
      const differs = missing + orphan + stale > 0;
      const found = `missing ${missing}, orphan ${orphan}, stale ${stale}`;
      call.answer(handed.result, differs && repair ? `${found}: mended` : found);
      return differs && !repair ? EXIT.failed : EXIT.done;
    });
  },
};
