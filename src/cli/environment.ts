import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type EnvText, readEnvFile } from "./env-file.ts";

export type Environment = EnvText;

/** What the settings are read from: the environment, and below it `.env` where one stands. */
export async function readEnvironment(): Promise<Environment> {
  const { values, problems } = await readEnvFile(resolve(".env"));
  return { values: { ...values, ...given() }, problems };
}

/**
 * The environment as it was given. Bun puts `.env` into its own when it is called without
 * `--no-env-file` in a folder without our bunfig.toml, with every `$` expanded and cut at every
 * `#`: where the system tells what was given, what Bun made of it is not looked at.
 */
function given(): Record<string, string> {
  try {
    const entries = readFileSync("/proc/self/environ", "utf8").split("\0").filter(Boolean);
    return Object.fromEntries(entries.map(parted));
  } catch {
    return Object.fromEntries(
      Object.entries(Bun.env).map(([name, value]) => [name, value ?? ""] as const),
    );
  }
}

function parted(entry: string): [string, string] {
  const at = entry.indexOf("=", 1);
  return at < 0 ? [entry, ""] : [entry.slice(0, at), entry.slice(at + 1)];
}
