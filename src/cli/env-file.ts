import { readFile, stat } from "node:fs/promises";

export interface EnvText {
  values: Record<string, string>;
  /** What cannot be read, and how to mend it; no value is repeated in it. */
  problems: string[];
}

/** A file of settings has a few hundred lines; what is longer is something else. */
const BYTES_MAX = 1_000_000;

/** The settings of a file; without the file none. */
export async function readEnvFile(path: string): Promise<EnvText> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return unusable(`${path} is a folder, not a file of settings`);
    if (found.size > BYTES_MAX) return unusable(`${path} is too long to be a file of settings`);
    const bytes = await readFile(path);
    const text = decoded(bytes);
    if (text === null) return unusable(`${path} is no text: save it as UTF-8, NAME=value a line`);
    return parseEnv(text, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === "ENOENT") return { values: {}, problems: [] };
    return unusable(`${path} cannot be read (${code}): let this account read it, or remove it`);
  }
}

/**
 * Lines of `NAME=value`; the last one of a name counts. Nothing is ever put in for a `$`: a secret
 * is what is written. A value in quotes is all between them; in double ones a backslash keeps the
 * next quote, backslash or dollar sign. Without quotes a comment begins at a `#` after a blank.
 */
export function parseEnv(text: string, path: string): EnvText {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  for (const [at, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const named = /^\s*(?:export\s+)?([^\s=#'"]+)\s*=(.*)$/s.exec(line);
    const value = named ? readValue(named[2]!) : null;
    // Not the line itself: it may be half of a secret.
    if (named && value !== null) values[named[1]!] = value;
    else problems.push(`${path} line ${at + 1}: ${named ? UNCLOSED : "is no NAME=value"}`);
  }
  return { values, problems };
}

const UNCLOSED = "a value that begins with a quote must end with it";

/** Null: a quote that is not closed, or something behind the closing one. */
function readValue(raw: string): string | null {
  const text = raw.trim();
  if (text.startsWith("'")) return /^'([^']*)'(\s+#.*)?$/s.exec(text)?.[1] ?? null;
  if (text.startsWith('"')) {
    const inner = /^"((?:[^"\\]|\\.)*)"(\s+#.*)?$/s.exec(text)?.[1];
    return inner?.replace(/\\(["\\$])/g, "$1") ?? null;
  }
  return raw.replace(/\s#.*$/s, "").trim();
}

function decoded(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

function unusable(problem: string): EnvText {
  return { values: {}, problems: [problem] };
}
