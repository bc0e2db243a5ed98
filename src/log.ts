export type LogLevel = "debug" | "info" | "warn" | "error";

/** A named event (`noun.verb`) with flat fields; becomes one JSON line on stderr. */
export interface Log {
  debug(event: string, fields?: Record<string, unknown>): void;
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

const ORDER: Record<LogLevel, number> = { debug: 10, info: 20, warn: 30, error: 40 };

/** JSON escapes control characters, so a crawled text can never forge a line or a terminal code. */
export function createLog(
  level: LogLevel,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Log {
  const at =
    (own: LogLevel) =>
    (event: string, fields: Record<string, unknown> = {}) => {
      if (ORDER[own] < ORDER[level]) return;
      const line = { at: new Date().toISOString(), level: own, event, ...plain(fields) };
      write(`${JSON.stringify(line)}\n`);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

export const silentLog: Log = createLog("error", () => {});

function plain(fields: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    out[key] = value instanceof Error ? `${causeFirst(value)}${framesOf(value)}` : value;
  }
  return out;
}

const CAUSES_MAX = 4;
/** Of each message in a chain of causes: a failed query has all of its columns. */
const MESSAGE_MAX = 200;

/**
 * What went wrong, in one line: the last cause before what it led to, for a line may be cut. Of a
 * query its beginning and none of its parameters.
 */
export function causeFirst(error: unknown): string {
  const chain: string[] = [];
  for (let at = error, depth = 0; at != null && depth < CAUSES_MAX; depth++) {
    chain.unshift(messageOf(at));
    at = at instanceof Error ? at.cause : null;
  }
  return chain.join(" < ");
}

function messageOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const [message = ""] = (typeof code === "string" ? `${code} ${text}` : text).split("\nparams: ");
  const line = message.replace(/\s+/g, " ");
  return line.length > MESSAGE_MAX ? `${line.slice(0, MESSAGE_MAX)}…` : line;
}

/** Where it was thrown, without the message, which may be of many lines. */
function framesOf({ stack = "" }: Error): string {
  const from = stack.search(/\n\s+at /);
  return from < 0 ? "" : stack.slice(from);
}
