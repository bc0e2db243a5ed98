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
    out[key] = value instanceof Error ? (value.stack ?? value.message) : value;
  }
  return out;
}
