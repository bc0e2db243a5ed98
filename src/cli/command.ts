import type { ParseArgsOptionsConfig } from "node:util";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";

/** Exit codes of every command. */
export const EXIT = {
  done: 0,
  /** The thing asked for is not there, is taken, or failed. */
  failed: 1,
  /** Bad arguments or settings. */
  usage: 2,
  /** A crawl-only process that lost its carrier. */
  carrierLost: 3,
  /** Ended by SIGINT or SIGTERM. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface Command {
  name: string;
  /** After the name, as usage shows it. */
  usage: string;
  summary: string;
  options: ParseArgsOptionsConfig;
  /** How many positionals: least and most. */
  takes: readonly [number, number];
  run(call: Call): Promise<ExitCode>;
}

/** One call of a command, its arguments and settings checked. */
export interface Call {
  config: Config;
  log: Log;
  args: readonly string[];
  options: Readonly<Record<string, string | boolean | undefined>>;
  /** `--json`: exactly one JSON value on stdout. */
  json: boolean;
  /** Fires at SIGINT or SIGTERM. */
  signal: AbortSignal;
  /** Human words on stdout; silent under `--json`. */
  say(text: string): void;
  /** The result: as JSON under `--json`, else as `text`. */
  answer(value: unknown, text: string): void;
  /** Something to know beside the result, on stderr. */
  note(text: string): void;
  /** What went wrong, on stderr. */
  complain(text: string): void;
}

/** Arguments that no parser can judge: told with the usage, exit 2. */
export class UsageError extends Error {}

/** A whole number of `min` or more given as an option; undefined when it is not given. */
export function numberOption(
  call: Pick<Call, "options">,
  name: string,
  [min, max]: readonly [number, number],
): number | undefined {
  const raw = call.options[name];
  if (raw === undefined) return undefined;
  const value = Number(raw);
  if (typeof raw !== "string" || !/^-?\d+$/.test(raw)) {
    throw new UsageError(`--${name}: ${JSON.stringify(raw)} is no whole number`);
  }
  if (value < min || value > max) {
    throw new UsageError(`--${name}: ${value} is not from ${min} to ${max}`);
  }
  return value;
}
