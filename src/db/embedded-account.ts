import { readFileSync } from "node:fs";

/** How a Postgres program is started: it refuses to run as root. */
export type Account =
  /** We are not root: as ourselves. */
  | { readonly kind: "own" }
  /** We outside, nobody inside a user namespace: what we own stays ours and reachable. */
  | { readonly kind: "mapped" }
  /** No user namespaces here: another account, which must reach program and data. */
  | { readonly kind: "dropped"; readonly name: string; readonly uid: number; readonly gid: number };

export type DroppedAccount = Account & { readonly kind: "dropped" };

const UNSHARE = ["unshare", "--user", "--map-user=65534", "--map-group=65534", "--"];
const NOBODY: DroppedAccount = { kind: "dropped", name: "nobody", uid: 65_534, gid: 65_534 };
const PROBE_TIMEOUT_MS = 10_000;

export interface Launch {
  readonly command: string[];
  readonly uid?: number;
  readonly gid?: number;
}

export function launchAs(account: Account, command: readonly string[]): Launch {
  switch (account.kind) {
    case "own":
      return { command: [...command] };
    case "mapped":
      return { command: [...UNSHARE, ...command] };
    case "dropped":
      return { command: [...command], uid: account.uid, gid: account.gid };
    default:
      return account satisfies never;
  }
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Is there a name for our number, wherever the machine keeps its accounts? */
export function hasName(): boolean {
  try {
    return Bun.spawnSync(["id", "-un"], { stderr: "ignore", timeout: PROBE_TIMEOUT_MS }).success;
  } catch {
    return true;
  }
}

/**
 * Asked by doing it: the namespace may be forbidden, and root without its capabilities may not
 * reach a program or a folder that belongs to somebody else.
 */
export async function canMap(program: string, folder: string): Promise<boolean> {
  const script = '[ -w "$2" ] && [ -x "$2" ] && exec "$1" --version';
  return succeeds({ command: [...UNSHARE, "/bin/sh", "-c", script, "sh", program, folder] });
}

/** May `account` run `program` and enter `folder`? */
export async function reaches(account: Account, program: string, folder: string) {
  const script = '[ -x "$2" ] && exec "$1" --version';
  return succeeds(launchAs(account, ["/bin/sh", "-c", script, "sh", program, folder]));
}

async function succeeds(launch: Launch): Promise<boolean> {
  try {
    const { command, ...identity } = launch;
    const child = Bun.spawn(command, {
      ...identity,
      cwd: "/",
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      timeout: PROBE_TIMEOUT_MS,
    });
    return (await child.exited) === 0;
  } catch {
    return false;
  }
}

/** The account `postgres` where the machine has one, else `nobody`. */
export function unprivilegedAccount(passwd = readPasswd()): DroppedAccount {
  const [, , uid, gid] = findEntry(passwd, ([name]) => name === "postgres").map(Number);
  return uid && gid ? { kind: "dropped", name: "postgres", uid, gid } : NOBODY;
}

/** The account that owns something, by its name where it has one. */
export function ownerAccount(uid: number, gid: number, passwd = readPasswd()): DroppedAccount {
  const [name] = findEntry(passwd, (fields) => fields[2] === `${uid}`);
  return { kind: "dropped", name: name ?? `${uid}`, uid, gid };
}

function findEntry(passwd: string, isWanted: (fields: string[]) => boolean): string[] {
  const entries = passwd.split("\n").map((line) => line.split(":"));
  return entries.find(isWanted) ?? [];
}

function readPasswd(): string {
  try {
    return readFileSync("/etc/passwd", "utf8");
  } catch {
    return "";
  }
}
