/** Why the embedded Postgres does not run; `message` says what is wrong and how to mend it. */
export interface EmbeddedFailure {
  readonly kind:
    | "no binaries"
    | "cannot run"
    | "no account"
    | "unwritable"
    | "no space"
    | "older data"
    | "newer data"
    | "damaged"
    | "port taken"
    | "crashed"
    | "timeout";
  readonly message: string;
}

const OUT_OF_SPACE = new Set(["ENOSPC", "EDQUOT"]);
const FORBIDDEN = new Set(["EACCES", "EPERM", "EROFS", "EBUSY", "ENOTDIR"]);

/** For an error of the file system below `path`; anything else is our own mistake and thrown on. */
export function diskFailure(error: unknown, path: string): EmbeddedFailure {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (OUT_OF_SPACE.has(code)) return noSpace(path);
  if (FORBIDDEN.has(code)) return unwritable(path, code);
  throw error;
}

function noSpace(path: string): EmbeddedFailure {
  const message = `no space left for the database in ${path}: free some, or move DATA_DIR`;
  return { kind: "no space", message };
}

export function unwritable(path: string, detail: string): EmbeddedFailure {
  const message =
    `the database folder ${path} cannot be written (${detail}): ` +
    "let this account own it, choose another DATA_DIR, or set DATABASE_URL";
  return { kind: "unwritable", message };
}

/** What the last words of a Postgres program that ended by itself mean. */
export function readLastWords(words: string, data: string): EmbeddedFailure {
  if (/No space left on device|Disk quota exceeded/.test(words)) return noSpace(data);
  if (/could not bind|Address already in use/.test(words)) {
    return { kind: "port taken", message: "no free port for the database on 127.0.0.1" };
  }
  if (/Read-only file system|Permission denied|wrong ownership|invalid permissions/.test(words)) {
    return unwritable(data, lastLine(words));
  }
  if (/could not look up effective user ID/.test(words)) return nameless(lastLine(words));
  if (/error while loading shared libraries|GLIBC|not found|Exec format/.test(words)) {
    return cannotRun(lastLine(words));
  }
  const message =
    `Postgres in ${data} ended while starting: ${lastLine(words)} ` +
    "(the whole log is in postgres.log beside that folder)";
  return { kind: "crashed", message };
}

export function cannotRun(detail: string): EmbeddedFailure {
  const message =
    `the embedded Postgres does not run on this machine (${detail}): ` +
    "it needs glibc; elsewhere set DATABASE_URL";
  return { kind: "cannot run", message };
}

function nameless(detail: string): EmbeddedFailure {
  const message =
    `Postgres runs as no account without a name (${detail}): add it to /etc/passwd, ` +
    "run Trawl as another account, or set DATABASE_URL";
  return { kind: "no account", message };
}

function lastLine(words: string): string {
  const lines = words.split("\n").filter((line) => line.trim() !== "");
  const telling = lines.filter((line) => /FATAL|PANIC|error/i.test(line));
  return (telling.at(-1) ?? lines.at(-1) ?? "no word of why").trim().slice(0, 500);
}
