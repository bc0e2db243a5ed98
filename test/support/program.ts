import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { freePort } from "./ports.ts";
import { START_ENV } from "./start-env.ts";
import { until } from "./until.ts";

export const ROOT = join(import.meta.dir, "..", "..");
const MAIN = join(ROOT, "src", "main.ts");

export interface ProgramOptions {
  /** Settings beside the ones that keep a test on loopback. */
  env?: Record<string, string>;
  dataDir?: string;
  args?: string[];
  /** A process group of its own, as a terminal gives one. */
  group?: boolean;
}

/** `trawl start` as a user runs it: a process of its own, a folder and ports of its own. */
export class Program {
  readonly dataDir: string;
  readonly env: Record<string, string>;
  url = "";
  #child: Subprocess<"ignore", "pipe", "pipe"> | null = null;
  #args: string[];
  #group: boolean;
  #output = "";

  constructor({ env = {}, dataDir, args = [], group = false }: ProgramOptions = {}) {
    this.#group = group;
    this.dataDir = dataDir ?? mkdtempSync(join(tmpdir(), "trawl-test-"));
    this.#args = args;
    this.env = {
      PATH: process.env.PATH ?? "",
      HOME: process.env.HOME ?? "",
      DATA_DIR: this.dataDir,
      ADMIN_PASSWORD: "correct horse",
      API_TOKEN: "test-token-of-sixteen",
      RATE_LIMIT_PER_S: "0",
      DISK_MIN_FREE_MB: "10",
      ...env,
    };
  }

  get pid(): number {
    return this.#child!.pid;
  }

  get output(): string {
    return this.#output;
  }

  get exitCode(): number | null {
    return this.#child?.exitCode ?? null;
  }

  get exited(): Promise<number> {
    return this.#child!.exited;
  }

  /** Starts and waits until /healthz answers. */
  async start({ timeoutMs = 60_000 } = {}): Promise<void> {
    const port = this.env.PORT ?? String(await freePort());
    this.env.PORT = port;
    this.url = `http://127.0.0.1:${port}`;
    this.spawn();
    await until(
      async () => {
        if (this.#child!.exitCode !== null) throw new Error(`it ended:\n${this.#output}`);
        return (await fetch(`${this.url}/healthz`).catch(() => null))?.ok;
      },
      { timeoutMs, what: "/healthz" },
    );
  }

  /** Starts without waiting for anything. */
  spawn(): void {
    const child = Bun.spawn([process.execPath, MAIN, "start", ...this.#args], {
      cwd: tmpdir(),
      env: { ...START_ENV, ...this.env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      detached: this.#group,
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) void this.#collect(stream);
  }

  async #collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      this.#output = (this.#output + decoder.decode(chunk, { stream: true })).slice(-200_000);
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.#child!.kill(signal);
  }

  /** What a terminal does at Ctrl-C: the signal goes to the whole process group. */
  interruptGroup(): void {
    process.kill(-this.pid, "SIGINT");
  }

  /**
   * The process stands still for a while, as under a debugger or on a machine that was suspended.
   */
  async freeze(ms: number): Promise<void> {
    this.kill("SIGSTOP");
    await Bun.sleep(ms);
    this.kill("SIGCONT");
  }

  /** Another command of the program beside it. */
  async run(...args: string[]): Promise<Ran> {
    return await runCommand(args, this.env);
  }

  async api<T = unknown>(path: string): Promise<T> {
    const headers = { authorization: `Bearer ${this.env.API_TOKEN}` };
    return (await (await fetch(this.url + path, { headers })).json()) as T;
  }

  /** kill -9 of the program and of the Postgres that it started, all at once. */
  async killEverything(): Promise<void> {
    const pids = [this.pid, ...processesOf(this.dataDir)];
    for (const pid of pids) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // Gone already.
      }
    }
    await this.#child!.exited;
    await until(() => processesOf(this.dataDir).length === 0, { what: "the end of all processes" });
  }

  /** Starts, and is killed with all it started after `ms`, wherever it stands by then. */
  async startAndKill(ms: number): Promise<void> {
    this.spawn();
    await Bun.sleep(ms);
    await this.killEverything();
  }

  /** SIGTERM, then the folder goes too. */
  async stop({ keep = false } = {}): Promise<number> {
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    const code = child ? await child.exited : 0;
    if (!keep) rmSync(this.dataDir, { recursive: true, force: true });
    return code;
  }
}

export interface Ran {
  code: number;
  out: string;
  err: string;
}

export interface CommandOptions {
  /** Where the shell stands; by itself not in our own folder, where somebody's `.env` may be. */
  cwd?: string;
  /** What it reads on stdin. */
  input?: string;
}

/** One command of the program in a process of its own. */
export async function runCommand(
  args: readonly string[],
  env: Record<string, string>,
  options: CommandOptions = {},
): Promise<Ran> {
  return await spawnCommand(args, env, options).ran;
}

/** The same, to be interrupted before it is over. */
export function spawnCommand(
  args: readonly string[],
  env: Record<string, string>,
  { cwd = tmpdir(), input }: CommandOptions = {},
): { kill(signal: NodeJS.Signals): void; ran: Promise<Ran> } {
  const child = Bun.spawn([process.execPath, MAIN, ...args], {
    cwd,
    env,
    stdin: input === undefined ? "ignore" : Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const end = async (): Promise<Ran> => {
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { code, out, err };
  };
  return { kill: (signal) => child.kill(signal), ran: end() };
}

/**
 * Postgres processes whose working folder lies below `folder`: a backend runs in its data folder.
 */
export function processesOf(folder: string): number[] {
  const pids: number[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const state = stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
      if (state === "Z") continue;
      if (command.includes(folder)) pids.push(Number(name));
      else if (/^postgres: /.test(command) && parentIn(stat, pids, folder)) pids.push(Number(name));
    } catch {
      // It ended while we looked.
    }
  }
  return pids;
}

/** A backend names no folder in its command line: its parent, the server, does. */
function parentIn(stat: string, known: number[], folder: string): boolean {
  const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  if (known.includes(parent)) return true;
  try {
    return readFileSync(`/proc/${parent}/cmdline`, "utf8").includes(folder);
  } catch {
    return false;
  }
}
