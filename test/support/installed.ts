import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
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

/** A tree of the repository as somebody gets it who clones it, in a folder that is removed. */
export class Installed {
  readonly folder: string;
  readonly #above: string;
  readonly #home: string;
  readonly #owner: Owner | null;
  #url = "";
  #output = "";
  #npm: Bun.Subprocess<"ignore", "pipe", "pipe"> | null = null;

  /** `below`: the mode of the folder above; `owner`: whose it is, and who runs it. */
  constructor({ below = 0o755, owner = null }: { below?: number; owner?: Owner | null } = {}) {
    this.#above = mkdtempSync(join(tmpdir(), "trawl-install-"));
    this.folder = join(this.#above, "trawl");
    this.#home = join(this.#above, "home");
    this.#owner = owner;
    mkdirSync(this.#home);
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

  /** Milliseconds that `npm install` took. */
  async install(): Promise<number> {
    const began = performance.now();
    const npm = this.#spawn(["npm", "install", "--no-audit", "--no-fund"]);
    const words = await new Response(npm.stderr).text();
    if ((await npm.exited) !== 0) throw new Error(`npm install failed:\n${words}`);
    return Math.round(performance.now() - began);
  }

  /** `npm start` in a session of its own; milliseconds until /healthz answers. */
  async start(timeoutMs: number): Promise<number> {
    const port = await freePort();
    this.#url = `http://127.0.0.1:${port}`;
    const began = performance.now();
    const npm = this.#spawn(["npm", "start"], { PORT: `${port}` });
    this.#npm = npm;
    for (const stream of [npm.stdout, npm.stderr]) void this.#collect(stream);
    const isWell = async () => {
      if (npm.exitCode !== null) throw new Error(`npm start ended:\n${this.#output}`);
      return (await fetch(`${this.#url}/healthz`).catch(() => null))?.ok;
    };
    await until(isWell, { timeoutMs, what: `/healthz\n${this.#output}` });
    return Math.round(performance.now() - began);
  }

  /** Everything that was started here and lives. */
  processes(): number[] {
    return processesIn(this.folder);
  }

  /** `terminal`: Ctrl-C, to all of the session; `npm`: to npm alone, which hands it on. */
  async interrupt(whom: "terminal" | "npm"): Promise<void> {
    process.kill(whom === "npm" ? this.#npm!.pid : -this.#npm!.pid, "SIGINT");
    await this.#npm!.exited;
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

  #spawn(command: string[], more: Record<string, string> = {}) {
    return Bun.spawn(command, {
      cwd: this.folder,
      env: { ...cleanEnvironment(), HOME: this.#home, ...more },
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
  const kept =
    /^(LANG|LC_.*|(https?|no)_proxy|SSL_CERT_FILE|NODE_EXTRA_CA_CERTS|npm_config_registry)$/i;
  const env = Object.entries(process.env).filter(([name]) => kept.test(name));
  const path = (process.env.PATH ?? "")
    .split(":")
    .filter((folder) => !folder.includes("node_modules"));
  return { ...(Object.fromEntries(env) as Record<string, string>), PATH: path.join(":") };
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
