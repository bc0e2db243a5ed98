import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ran, runCommand, spawnCommand } from "./program.ts";

/** A folder to stand in, and an environment of nothing but what a test gives. */
export interface Shell {
  readonly folder: string;
  readonly env: Record<string, string>;
  run(...args: string[]): Promise<Ran>;
  spawn(...args: string[]): ReturnType<typeof spawnCommand>;
  path(name: string): string;
  remove(): void;
}

/** Settings and data of no other test; what a command writes lies below one folder. */
export function openShell(settings: Record<string, string> = {}): Shell {
  const folder = mkdtempSync(join(tmpdir(), "trawl-shell-"));
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    DATA_DIR: join(folder, "data"),
    DISK_MIN_FREE_MB: "10",
    ...settings,
  };
  return {
    folder,
    env,
    run: (...args) => runCommand(args, env, { cwd: folder }),
    spawn: (...args) => spawnCommand(args, env, { cwd: folder }),
    path: (name) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The one JSON value of a stdout; throws when there is anything else. */
export function jsonOf<T = unknown>({ out }: { out: string }): T {
  if (!out.endsWith("\n") || out.trim().includes("\n")) throw new Error(`no single line: ${out}`);
  return JSON.parse(out) as T;
}
