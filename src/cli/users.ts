import { setPassword } from "../db/accounts.ts";
import { recordAudit } from "../db/audit.ts";
import { hashPassword } from "../http/password.ts";
import { makePassword } from "./admin-account.ts";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { withParts } from "./parts.ts";

const PASSWORD_MIN = 8;
const STDIN_MAX = 1_000;

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
    const password = typed ? await firstLine() : makePassword();
    if (password.length < PASSWORD_MIN) {
      throw new UsageError(`a password has ${PASSWORD_MIN} characters or more`);
    }
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

async function firstLine(): Promise<string> {
  const text = await Bun.stdin.text();
  return text.slice(0, STDIN_MAX).split(/\r?\n/)[0]!;
}
