import { parseArgs } from "node:util";
import { systemClock } from "../clock.ts";
import { readConfig } from "../config.ts";
import { createLog, type LogLevel } from "../log.ts";
import { version } from "../version.ts";
import { type Call, type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { allCommands, findCommand } from "./commands.ts";
import { type Environment, readEnvironment } from "./environment.ts";
import { type Interrupt, Interrupted, unlessInterrupted } from "./interrupt.ts";
import { Output } from "./output.ts";
import { readRegion } from "./region-file.ts";

const GLOBAL_OPTIONS = {
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/**
 * After a signal a command ends by itself, or its parts are closed under it. What still runs then
 * is left behind.
 */
const GIVE_UP_MS = 11_000;

/** From argv to an exit code. Nothing but `main.ts` ends the process. */
export async function runCommandLine(
  argv: readonly string[],
  interrupt: Interrupt,
): Promise<ExitCode> {
  const output = new Output({ json: argv.includes("--json") });
  return await output.close(await outcomeOf(argv, output, interrupt));
}

async function outcomeOf(
  argv: readonly string[],
  output: Output,
  interrupt: Interrupt,
): Promise<ExitCode> {
  const [name, ...rest] = argv.filter((arg, at) => at > 0 || arg !== "--json");
  if (name === "--version" || name === "-v") return printed(output, { version }, version);
  if (name === "--help" || name === "-h" || name === "help") {
    const usage = await overview();
    return printed(output, { usage }, usage);
  }
  const command = await findCommand(name);
  if (!command) return misused(output, problemOf(name), await overview());
  try {
    return await call(command, rest, output, interrupt);
  } catch (error) {
    if (error instanceof UsageError) return misused(output, error.message, usageOf(command));
    const isStart = command.name === "start";
    if (error instanceof Interrupted) {
      if (isStart) return EXIT.done;
      output.complain(error.message);
      return EXIT.interrupted;
    }
    output.complain(`${command.name} failed: ${wordsOf(error)}`);
    return interrupt.signal.aborted && !isStart ? EXIT.interrupted : EXIT.failed;
  }
}

async function call(
  command: Command,
  argv: readonly string[],
  output: Output,
  { signal, insisted }: Interrupt,
): Promise<ExitCode> {
  const { values, positionals } = parsed(command, argv);
  const usage = usageOf(command);
  if (values.help) return printed(output, { usage }, usage);
  const [least, most] = command.takes;
  if (positionals.length < least) throw new UsageError("an argument is missing");
  if (positionals.length > most) {
    throw new UsageError(`unexpected argument ${quoted(positionals[most]!)}`);
  }
  const environment = await unlessInterrupted(signal, readEnvironment());
  const read = readConfig(environment.values, readRegion);
  const problems = [...environment.problems, ...(read.kind === "problems" ? read.problems : [])];
  if (read.kind === "problems" || problems.length > 0) {
    const lines = problems.map((problem) => `  ${problem}`).join("\n");
    const hint = "See .env.example for all of them.";
    return misused(output, `settings that cannot be used:\n${lines}`, hint);
  }
  const work = command.run({
    config: read.config,
    log: createLog(levelOf(command, read.config.logLevel, environment)),
    args: positionals,
    options: values as Call["options"],
    json: output.json,
    signal,
    say: (text) => output.say(text),
    answer: (value, text) => output.answer(value, text),
    note: (text) => output.note(text),
    complain: (text) => output.complain(text),
  });
  const isStart = command.name === "start";
  const leftBehind = isStart ? insisted : Promise.race([insisted, longAfter(signal)]);
  const outcome = await Promise.race([work, leftBehind.then(() => EXIT.interrupted)]);
  return signal.aborted && !isStart ? EXIT.interrupted : outcome;
}

async function longAfter(signal: AbortSignal): Promise<void> {
  await unlessInterrupted(signal, new Promise<never>(() => {})).catch(() => {});
  await systemClock.sleep(GIVE_UP_MS);
}

/**
 * A command's own words are its output; of the log only trouble is worth a line beside them. So it
 * is with a start before somebody's eyes, as long as the setting does not say what to show.
 */
function levelOf(command: Command, level: LogLevel, { values }: Environment): LogLevel {
  if (command.name !== "start") return level === "info" ? "error" : level;
  const isChosen = (values.LOG_LEVEL ?? "").trim() !== "";
  return process.stderr.isTTY && !isChosen ? "warn" : level;
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
    throw new UsageError((error as Error).message);
  }
}

function usageOf({ name, usage, summary }: Command): string {
  return `Usage: trawl ${name} ${usage}`.trimEnd().concat(`\n${summary}`);
}

async function overview(): Promise<string> {
  const commands = await allCommands();
  const width = Math.max(...commands.map(({ name, usage }) => `${name} ${usage}`.length));
  const lines = commands.map(
    ({ name, usage, summary }) => `  ${`${name} ${usage}`.padEnd(width)}  ${summary}`,
  );
  return `Usage: trawl <command> [--json]\n\n${lines.join("\n")}`;
}

function printed(output: Output, value: unknown, text: string): ExitCode {
  output.answer(value, text);
  return EXIT.done;
}

function misused(output: Output, problem: string, usage: string): ExitCode {
  output.complain(problem);
  output.note(`\n${usage}`);
  return EXIT.usage;
}

function problemOf(name: string | undefined): string {
  if (name === undefined) return "no command given";
  return name.startsWith("-")
    ? `unknown option ${quoted(name)}: the command comes first`
    : `unknown command ${quoted(name)}`;
}

/** Of lost infrastructure its own words; of a mistake of ours where it happened. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const origin: Error & { code?: string } = error.cause instanceof Error ? error.cause : error;
  const { code } = origin;
  const isOurs = code === undefined || code.startsWith("ERR_");
  return isOurs ? (error.stack ?? error.message) : `${origin.message} (${code})`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
