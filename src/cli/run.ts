import { parseArgs } from "node:util";
import { readConfig } from "../config.ts";
import { createLog } from "../log.ts";
import { version } from "../version.ts";
import { type Call, type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { printable } from "./printable.ts";

const GLOBAL_OPTIONS = {
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** From argv to an exit code. Nothing but `main.ts` ends the process. */
export async function runCommandLine(argv: readonly string[]): Promise<ExitCode> {
  const [name, ...rest] = argv;
  if (name === "--version" || name === "-v") return printed(version, EXIT.done);
  if (name === "--help" || name === "-h" || name === "help") return printed(overview(), EXIT.done);
  const command = COMMANDS.find((each) => each.name === name);
  if (!command) {
    const problem = name === undefined ? "no command given" : `unknown command ${quoted(name)}`;
    return misused(problem, overview());
  }
  try {
    return await call(command, rest);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return misused(error.message, usageOf(command));
  }
}

async function call(command: Command, argv: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = parsed(command, argv);
  if (values.help) return printed(usageOf(command), EXIT.done);
  const [least, most] = command.takes;
  if (positionals.length < least) throw new UsageError("an argument is missing");
  if (positionals.length > most) {
    throw new UsageError(`unexpected argument ${quoted(positionals[most]!)}`);
  }
  const read = readConfig(Bun.env);
  if (read.kind === "problems") {
    const lines = read.problems.map((problem) => `  ${problem}`).join("\n");
    return misused(`settings that cannot be used:\n${lines}`, "See .env.example for all of them.");
  }
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  const json = values.json === true;
  const complain = (text: string) => void process.stderr.write(`${printable(text)}\n`);
  const outcome = await command.run({
    config: read.config,
    log: createLog(command.name === "start" ? read.config.logLevel : quieter(read.config.logLevel)),
    args: positionals,
    options: values as Call["options"],
    json,
    signal: interrupted.signal,
    say: (text) => void (json || process.stdout.write(`${printable(text)}\n`)),
    answer: (value, text) =>
      void process.stdout.write(`${json ? JSON.stringify(value) : printable(text)}\n`),
    complain,
  });
  const cut = interrupted.signal.aborted && command.name !== "start";
  return cut ? EXIT.interrupted : outcome;
}

/** A command's own words are its output; of the log only trouble is worth a line beside them. */
function quieter(level: "debug" | "info" | "warn" | "error"): "debug" | "warn" | "error" {
  return level === "info" ? "error" : level;
}

function parsed(command: Command, argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: { ...command.options, ...GLOBAL_OPTIONS },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    throw new UsageError((error as Error).message.split(". To specify")[0]!);
  }
}

function usageOf({ name, usage, summary }: Command): string {
  return `Usage: trawl ${name} ${usage}`.trimEnd().concat(`\n${summary}`);
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name, usage }) => `${name} ${usage}`.length));
  const lines = COMMANDS.map(
    ({ name, usage, summary }) => `  ${`${name} ${usage}`.padEnd(width)}  ${summary}`,
  );
  return `Usage: trawl <command> [--json]\n\n${lines.join("\n")}`;
}

function printed(text: string, code: ExitCode): ExitCode {
  process.stdout.write(`${text}\n`);
  return code;
}

function misused(problem: string, usage: string): ExitCode {
  process.stderr.write(`${printable(problem)}\n\n${usage}\n`);
  return EXIT.usage;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
