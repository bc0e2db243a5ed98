/**
 * Whose fault an error of SQLite is: our surroundings' (with a hint how bad), or the document's.
 */
export type Failure =
  /** Somebody holds the file; it may pass in a moment. */
  | "busy"
  /** No room, or not allowed to write. */
  | "refused"
  /** The file cannot be read as an index. */
  | "broken"
  | "document";

const FAILURES: readonly (readonly [RegExp, Failure])[] = [
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, "busy"],
  [/^SQLITE_(FULL|READONLY|PERM|AUTH|NOMEM|NOLFS|INTERRUPT)/, "refused"],
  [/^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|ERROR|SCHEMA|MISUSE|INTERNAL)/, "broken"],
];

export function failureOf(error: unknown): Failure {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return FAILURES.find(([pattern]) => pattern.test(code))?.[1] ?? "document";
}

/** While the file is being opened there is no document to blame. */
export function openingFailureOf(error: unknown): Failure {
  const failure = failureOf(error);
  return failure === "document" ? "broken" : failure;
}

export const detailOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
