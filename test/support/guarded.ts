import { openSync } from "node:fs";
import { join } from "node:path";

/**
 * Starts a server for tests that ends with this process, however that ends, by kill -9 too: a
 * shell of its own session waits for the end of a pipe that only we hold open, sends the server
 * `signal` and removes `folder`. No child of ours: a runner which ends children cannot reach it.
 */
export async function startGuarded(
  command: readonly string[],
  folder: string,
  { signal, ...identity }: { signal: "QUIT" | "KILL"; uid?: number; gid?: number },
): Promise<void> {
  const pipe = join(folder, "guard");
  const start = Bun.spawn(["/bin/sh", "-c", START, "sh", GUARD, pipe, signal, folder, ...command], {
    ...identity,
    cwd: "/",
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
    detached: true,
  });
  if ((await start.exited) !== 0) throw new Error(`cannot guard ${command[0]}`);
  openSync(pipe, "r+");
}

const START = `
guard=$1; pipe=$2; shift 2
mkfifo "$pipe" || exit 1
/bin/sh -c "$guard" sh "$pipe" "$@" </dev/null >/dev/null 2>&1 &
`;

/** Opening a pipe to read waits until somebody has it open to write. */
const GUARD = `
trap '' INT TERM HUP
pipe=$1; signal=$2; folder=$3; shift 3
"$@" >"$folder/log" 2>&1 &
server=$!
cat "$pipe" >/dev/null
kill -$signal $server
wait $server
rm -rf "$folder"
`;
