import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { processesIn } from "./memory.ts";
import { freePort } from "./ports.ts";
import { ROOT } from "./program.ts";
import { until } from "./until.ts";

export interface Owner {
  uid: number;
  gid: number;
}

export interface InstalledOptions {
  /** Mode of the folder above. */
  below?: number;
  /** Whose it is, and who runs it; null: we. */
  owner?: Owner | null;
  /** `bun`: on a machine that has no Node. */
  runner?: "npm" | "bun";
}

/** A tree of the repository as somebody gets it who clones it, in a folder that is removed. */
export class Installed {
  readonly folder: string;
  readonly #above: string;
  readonly #home: string;
  readonly #owner: Owner | null;
  readonly #runner: "npm" | "bun";
  readonly #path: string;
  #url = "";
  #output = "";
  #started: Bun.Subprocess<"ignore", "pipe", "pipe"> | null = null;

  constructor({ below = 0o755, owner = null, runner = "npm" }: InstalledOptions = {}) {
    this.#runner = runner;
    this.#above = mkdtempSync(join(tmpdir(), "trawl-install-"));
    this.folder = join(this.#above, "trawl");
    this.#home = join(this.#above, "home");
    this.#owner = owner;
    mkdirSync(this.#home);
    this.#path = runner === "bun" ? pathWithoutNode(join(this.#above, "bin")) : ownPath();
    cloneTo(this.folder);
    chmodSync(this.#above, below);
    if (owner) Bun.spawnSync(["chown", "-R", `${owner.uid}:${owner.gid}`, this.#above]);
  }

  get output(): string {
    return this.#output;
  }

  get url(): string {
    return this.#url;
  }

  /** Milliseconds that the installation took. */
  async install(): Promise<number> {
    const began = performance.now();
    const installing = this.#spawn("install");
    const words = await new Response(installing.stderr).text();
    if ((await installing.exited) !== 0) throw new Error(`it cannot be installed:\n${words}`);
    return Math.round(performance.now() - began);
  }

  /** Starts in a session of its own; milliseconds until /healthz answers. */
  async start(timeoutMs: number): Promise<number> {
    const port = await freePort();
    this.#url = `http://127.0.0.1:${port}`;
    const began = performance.now();
    const started = this.#spawn("start", { PORT: `${port}` });
    this.#started = started;
    for (const stream of [started.stdout, started.stderr]) void this.#collect(stream);
    const isWell = async () => {
      if (started.exitCode !== null) throw new Error(`it ended:\n${this.#output}`);
      return (await fetch(`${this.#url}/healthz`).catch(() => null))?.ok;
    };
    await until(isWell, { timeoutMs, what: `/healthz\n${this.#output}` });
    return Math.round(performance.now() - began);
  }

  /** Everything that was started here and lives. */
  processes(): number[] {
    return processesIn(this.folder);
  }

  /** `terminal`: Ctrl-C, to all of the session; `runner`: to npm alone, which hands it on. */
  async interrupt(whom: "terminal" | "runner"): Promise<void> {
    process.kill(whom === "runner" ? this.#started!.pid : -this.#started!.pid, "SIGINT");
    await this.#started!.exited;
  }

  async remove(): Promise<void> {
    for (const pid of this.processes()) process.kill(pid, "SIGKILL");
    await until(() => this.processes().length === 0, { what: "the end of all" });
    rmSync(this.#above, { recursive: true, force: true });
  }

  async #collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) this.#output += decoder.decode(chunk, { stream: true });
  }

  #spawn(what: "install" | "start", more: Record<string, string> = {}) {
    const runner = Bun.which(this.#runner, { PATH: this.#path });
    if (runner === null) throw new Error(`no ${this.#runner} on ${this.#path}`);
    return Bun.spawn([runner, what], {
      cwd: this.folder,
      env: { ...cleanEnvironment(), PATH: this.#path, HOME: this.#home, ...more },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
      ...(this.#owner ?? {}),
    });
  }
}

/** A clone; with changes that are not committed, what the next commit would hold. */
function cloneTo(folder: string): void {
  const git = (...args: string[]) => Bun.spawnSync(["git", "-C", ROOT, ...args]);
  const isClean = git("status", "--porcelain").stdout.toString() === "";
  if (isClean && git("clone", "--quiet", ROOT, folder).success) return;
  const listed = git("ls-files", "-z", "--cached", "--others", "--exclude-standard");
  if (!listed.success) {
    const isOurs = (path: string) => !/\/(node_modules|data|\.git)(\/|$)/.test(path);
    cpSync(ROOT, folder, { recursive: true, filter: isOurs });
    return;
  }
  for (const path of listed.stdout.toString().split("\0")) {
    if (path === "" || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path));
  }
}

/** Nothing of this tree or of the npm that runs the test; only what leads to a registry. */
function cleanEnvironment(): Record<string, string> {
  const kept = /^(LANG|LC_.*|.*_proxy|npm_config_registry|SSL_CERT_FILE|NODE_EXTRA_CA_CERTS)$/i;
  const entries = Object.entries(process.env).filter(([name]) => kept.test(name));
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Without the programs of this tree. */
function ownPath(): string {
  const folders = (process.env.PATH ?? "").split(":");
  return folders.filter((folder) => !folder.includes("node_modules")).join(":");
}

/** A folder with every program of this machine but Node and what comes with it; and Bun. */
function pathWithoutNode(folder: string): string {
  mkdirSync(folder);
  const link = (name: string, target: string) => {
    if (!existsSync(join(folder, name))) symlinkSync(target, join(folder, name));
  };
  link("bun", process.execPath);
  for (const from of ownPath().split(":").filter(existsSync)) {
    for (const name of readdirSync(from)) {
      const isNode = /^(node|nodejs|npm|npx|corepack|bunx?)$/.test(name);
      if (!isNode && existsSync(join(from, name))) link(name, join(from, name));
    }
  }
  return folder;
}

/**
 * An account that is nobody's: of the name `nobody`, which every system has. Null: we are not root.
 */
export function ordinaryAccount(): Owner | null {
  if (process.getuid?.() !== 0) return null;
  const entry = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((line) => line.startsWith("nobody:"));
  const [, , uid, gid] = (entry ?? "").split(":").map(Number);
  return uid && gid ? { uid, gid } : null;
}

/** As long as a machine is left alone before its memory is looked at. */
export async function rest(ms: number): Promise<void> {
  await Bun.sleep(ms);
}
