import {
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import {
  type Account,
  canMap,
  type DroppedAccount,
  hasName,
  isRoot,
  ownerAccount,
  reaches,
  unprivilegedAccount,
} from "./embedded-account.ts";
import { type Binaries, copyBinaries } from "./embedded-binaries.ts";
import { diskFailure, type EmbeddedFailure, unwritable } from "./embedded-failure.ts";
import { readPostmaster, runsOn } from "./embedded-pid.ts";

/** Where the data and the programs lie, and who runs them. */
export interface Place {
  readonly data: string;
  readonly binaries: Binaries;
  readonly account: Account;
  /** To be told: that something lies elsewhere than one would look for it. */
  readonly notice: string | null;
}

export type PlaceFound =
  | { readonly kind: "place"; readonly place: Place }
  | { readonly kind: "failed"; readonly failure: EmbeddedFailure };

export interface PlaceOptions {
  readonly dataDir: string;
  readonly binaries: Binaries;
  /** Where copies go that an unprivileged account can reach. */
  readonly refuge?: string;
  /** Are user namespaces to be tried? */
  readonly mayMap?: boolean;
}

const REFUGE = "/var/lib/trawl";

export async function findPlace(options: PlaceOptions): Promise<PlaceFound> {
  const dataDir = resolve(options.dataDir);
  try {
    mkdirSync(dataDir, { recursive: true });
    const place = await chooseAccount({ ...options, dataDir: realpathSync(dataDir) });
    return "message" in place ? { kind: "failed", failure: place } : { kind: "place", place };
  } catch (error) {
    return { kind: "failed", failure: diskFailure(error, dataDir) };
  }
}

async function chooseAccount(options: PlaceOptions): Promise<Place | EmbeddedFailure> {
  const { dataDir, binaries } = options;
  const data = dataFolder(dataDir);
  const owner = existsSync(data) ? statSync(data) : null;
  if (!isRoot()) {
    const isOurs = owner === null || owner.uid === process.getuid?.();
    if (!isOurs) return unwritable(data, "it belongs to another account");
    // Postgres asks the machine for the name of its account; a container may run as a bare number.
    const isMapped = !hasName() && (await canMap(binaries.postgres, dataDir));
    return { data, binaries, account: { kind: isMapped ? "mapped" : "own" }, notice: null };
  }
  if (owner !== null && owner.uid !== 0) {
    return withReachable(options, ownerAccount(owner.uid, owner.gid), data);
  }
  if (isRunning(data)) return { data, binaries, account: { kind: "mapped" }, notice: null };
  const mayMap = options.mayMap ?? true;
  if (mayMap && (await canMap(binaries.postgres, dataDir))) {
    return { data, binaries, account: { kind: "mapped" }, notice: null };
  }
  return giveAway(options, data);
}

/** A server at work is adopted as it is; its files must not change owner or place under it. */
function isRunning(data: string): boolean {
  const postmaster = readPostmaster(data);
  return postmaster !== null && runsOn(postmaster.pid, data);
}

/** DATA_DIR/postgres, or what it points at when the data had to go elsewhere. */
function dataFolder(dataDir: string): string {
  const data = join(dataDir, "postgres");
  return existsSync(data) ? realpathSync(data) : data;
}

/** Without user namespaces root's Postgres runs as another account, which must own the data. */
async function giveAway(options: PlaceOptions, data: string): Promise<Place | EmbeddedFailure> {
  const account = unprivilegedAccount();
  const isReached = await reaches(account, "/bin/true", dirname(data));
  const home = isReached ? data : relocate(options, data);
  if (!(await reaches(account, "/bin/true", dirname(home)))) return noAccount(account, home);
  if (existsSync(home)) giveTo(home, account);
  return withReachable(options, account, home);
}

/** Moves the data below the refuge and leaves a link where it was. */
function relocate(options: PlaceOptions, data: string): string {
  const id = new Bun.CryptoHasher("sha256").update(options.dataDir).digest("hex").slice(0, 12);
  const home = join(options.refuge ?? REFUGE, id);
  mkdirSync(home, { recursive: true, mode: 0o755 });
  const target = join(home, "postgres");
  const isFolder = lstatSync(data, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder) move(data, existsSync(target) ? `${data}.old-${process.pid}` : target);
  rmSync(data, { force: true });
  symlinkSync(target, data);
  return target;
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    const aside = join(dirname(to), `${basename(to)}.copy`);
    rmSync(aside, { recursive: true, force: true });
    cpSync(from, aside, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    renameSync(aside, to);
    rmSync(from, { recursive: true });
  }
}

/** The folder's own entry last: a half-changed tree is still root's and is done again. */
function giveTo(path: string, account: DroppedAccount): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) giveTo(child, account);
    else lchownSync(child, account.uid, account.gid);
  }
  chownSync(path, account.uid, account.gid);
}

async function withReachable(
  options: PlaceOptions,
  account: DroppedAccount,
  data: string,
): Promise<Place | EmbeddedFailure> {
  const { binaries } = options;
  const home = dirname(data);
  const told = `Postgres runs as the account ${account.name}, its data in ${data}`;
  if (await reaches(account, binaries.postgres, home)) {
    return { data, binaries, account, notice: told };
  }
  const copy = copyBinaries(binaries, home);
  if (!(await reaches(account, copy.postgres, home))) return noAccount(account, home);
  return { data, binaries: copy, account, notice: `${told} and a copy of it in ${copy.folder}` };
}

function noAccount(account: DroppedAccount, folder: string): EmbeddedFailure {
  const message =
    "Postgres cannot run as root here: user namespaces are switched off, and the account " +
    `${account.name} reaches nothing below ${folder}; run Trawl as an ordinary user, ` +
    "put DATA_DIR where that account can read, or set DATABASE_URL";
  return { kind: "no account", message };
}
