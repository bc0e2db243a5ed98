import { canonicalUrl } from "../url/canonical.ts";
import { hostName } from "../url/host.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { handOver } from "./handed.ts";
import { withParts } from "./parts.ts";

export const blockCommand: Command = rule(
  "block",
  "never visit a host or domain, and forget its pages",
);
export const unblockCommand: Command = rule("unblock", "let a host or domain be visited again");

function rule(name: "block" | "unblock", summary: string): Command {
  return {
    name,
    usage: "<host|domain>",
    summary,
    options: {},
    takes: [1, 1],
    async run(call): Promise<ExitCode> {
      const host = nameOf(call.args[0]!);
      return await withParts(call, async (parts) => {
        const handed = await handOver(call, parts, name, { name: host });
        const refusal = handed.kind === "failed" ? handed.message : reasonOf(handed.result);
        if (refusal !== null) {
          call.complain(`${name} ${host}: ${refusal}`);
          return EXIT.failed;
        }
        const note = handed.kind === "done" && "note" in handed.result ? handed.result.note : "";
        call.answer({ [name]: host }, `${name}ed ${host}${note ? `; ${note}` : ""}`);
        return EXIT.done;
      });
    },
  };
}

function reasonOf(result: { kind: string; reason?: string }): string | null {
  return result.kind === "done" ? null : (result.reason ?? result.kind);
}

/** A host name as URLs have it; of a whole URL its host. */
function nameOf(text: string): string {
  const url = text.includes("://") ? text : `http://${text}/`;
  const canonical = canonicalUrl(url);
  if (canonical.kind === "refused") throw new UsageError(`${JSON.stringify(text)} is no host name`);
  return hostName(canonical.url);
}
