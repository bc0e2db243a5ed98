import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { readPostmaster } from "../../src/db/embedded-pid.ts";
import { processesOf } from "./program.ts";

/** Another process locks the index of this folder against writers; `end` lets go. */
export async function lockIndex(dataDir: string): Promise<{ end(): Promise<void> }> {
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "index-holder.ts"), join(dataDir, "search.sqlite")],
    { stdin: "ignore", stdout: "pipe", stderr: "inherit" },
  );
  for await (const chunk of child.stdout) if (new TextDecoder().decode(chunk)) break;
  return {
    end: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** The server of the embedded Postgres of this folder; throws when none runs. */
export function postmasterOf(dataDir: string): { pid: number; data: string } {
  for (const pid of processesOf(dataDir)) {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    if (!words.includes("-D") || !/postgres$/.test(words[0] ?? "")) continue;
    const data = readlinkSync(`/proc/${pid}/cwd`);
    if (readPostmaster(data)?.pid === pid) return { pid, data };
  }
  throw new Error(`no Postgres runs in ${dataDir}`);
}

/** kill -9 of the server of this folder and of every session of it. */
export function killPostgresOf(dataDir: string): void {
  signalPostgresOf(dataDir, "SIGKILL");
}

/** The server and every session of it stand still, until the end of `meanwhile`. */
export async function freezePostgresOf<T>(
  dataDir: string,
  meanwhile: () => Promise<T>,
): Promise<T> {
  signalPostgresOf(dataDir, "SIGSTOP");
  try {
    return await meanwhile();
  } finally {
    signalPostgresOf(dataDir, "SIGCONT");
  }
}

function signalPostgresOf(dataDir: string, signal: NodeJS.Signals): void {
  for (const pid of processesOf(dataDir)) {
    try {
      process.kill(pid, signal);
    } catch {
      // Gone with its server.
    }
  }
}

/** The rows of a store whose Postgres runs, read from outside. */
export async function withStore<T>(
  dataDir: string,
  read: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
  const { data } = postmasterOf(dataDir);
  const password = readFileSync(join(data, "trawl-password"), "utf8").trim();
  const { port } = readPostmaster(data)!;
  const sql = postgres(`postgres://trawl:${password}@127.0.0.1:${port}/postgres`, { max: 1 });
  try {
    return await read(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** URLs that something was held against: an attempt, a crash, a failure. */
export const blemished = (dataDir: string) =>
  withStore(dataDir, async (sql) => {
    const [row] = await sql`select count(*) filter (where attempts > 0)::int as attempts,
      count(*) filter (where crashes > 0)::int as crashes,
      count(*) filter (where state = 'failed')::int as failed from urls`;
    return row as { attempts: number; crashes: number; failed: number };
  });
