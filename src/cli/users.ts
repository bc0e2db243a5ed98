import { PASSWORD_LENGTH_MAX, whyNoPassword } from "../credentials.ts";
import { setPassword } from "../db/accounts.ts";
import { recordAudit } from "../db/audit.ts";
import { hashPassword } from "../http/password.ts";
import { makePassword } from "./admin-account.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { unlessInterrupted } from "./interrupt.ts";
import { withParts } from "./parts.ts";

export const usersCommand: Command = {
  name: "users",
  usage: "passwd <name> [--stdin]",
  summary: "give an account a new password: made here, or the first line of stdin",
  options: { stdin: { type: "boolean" } },
  takes: [2, 2],
  async run(call): Promise<ExitCode> {
    const [action, name] = call.args as [string, string];
    if (action !== "passwd") throw new UsageError(`unknown action ${JSON.stringify(action)}`);
    const typed = call.options.stdin === true;
    const password = typed ? await unlessInterrupted(call.signal, firstLine()) : makePassword();
    const problem = whyNoPassword(password);
    if (problem !== null) throw new UsageError(`a password ${problem}`);
    return await withParts(call, async ({ database }) => {
      if (!(await setPassword(database.db, name, await hashPassword(password)))) {
        call.complain(`${name}: there is no such account`);
        return EXIT.failed;
      }
      const entry = { actor: "cli", action: "account.password", subject: name };
      await recordAudit(database.db, entry);
      const shown = typed ? {} : { password };
      call.answer(
        { name, ...shown },
        typed ? `${name} has a new password` : `new password of ${name}: ${password}`,
      );
      return EXIT.done;
    });
  },
};

/** Up to the end of the first line: what stdin is connected to may stay open for ever. */
async function firstLine(): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of Bun.stdin.stream()) {
    text += decoder.decode(chunk, { stream: true });
    if (/[\r\n]/.test(text) || text.length > PASSWORD_LENGTH_MAX) break;
  }
  return (text + decoder.decode()).split(/\r\n|\n|\r/)[0]!;
}
