import { accessSync, constants, mkdirSync } from "node:fs";
import type { Config } from "../config.ts";
import { type Database, openDatabase } from "../db/connect.ts";
import { type EmbeddedStep, startEmbedded } from "../db/embedded.ts";
import { migrate } from "../db/migrate.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Log } from "../log.ts";
import { Interrupted, unlessInterrupted } from "./interrupt.ts";

export type Opened<T> = { kind: "open"; value: T } | { kind: "failed"; message: string };

/** Hears what opening is busy with. */
export type Say = (text: string, step: EmbeddedStep | "notice") => void;

const CONNECTIONS_MAX = 8;
/** A server that answers is not left in the middle; one that does not is not waited for. */
const MIGRATION_GRACE_MS = 2_000;
const INTERRUPTED = "interrupted";

const STEPS: Record<Exclude<EmbeddedStep, "creating">, string> = {
  starting: "Starting Postgres …",
  waiting: "Waiting for the running Postgres …",
};

interface StoreDeps {
  config: Config;
  log: Log;
  lifecycle: Lifecycle;
  signal: AbortSignal;
}

/** The truth: DATABASE_URL, or the embedded Postgres, adopted when another process runs it. */
export async function openStore(
  { config, log, lifecycle, signal }: StoreDeps,
  say: Say,
): Promise<Opened<Database>> {
  const folder = ensureFolder(config.data.dir);
  if (folder) return folder;
  let url = config.databaseUrl;
  if (url === null) {
    const { dir } = config.data;
    const progress = (step: EmbeddedStep) => {
      say(step === "creating" ? `Making a database in ${dir} (once) …` : STEPS[step], step);
    };
    const embedded = await startEmbedded({ dataDir: dir, log, progress, signal });
    if (embedded.kind !== "running") {
      return { kind: "failed", message: signal.aborted ? INTERRUPTED : embedded.message };
    }
    lifecycle.add("postgres", () => embedded.stop());
    if (embedded.notice) say(embedded.notice, "notice");
    url = embedded.url;
  }
  try {
    const migrated = await unlessInterrupted(signal, migrate(url), MIGRATION_GRACE_MS);
    if (migrated.kind !== "migrated") return { kind: "failed", message: migrated.message };
    if (signal.aborted) return { kind: "failed", message: INTERRUPTED };
  } catch (error) {
    if (error instanceof Interrupted) return { kind: "failed", message: INTERRUPTED };
    return { kind: "failed", message: `the database cannot be reached: ${reasonOf(error)}` };
  }
  const database = await openDatabase({ url, max: CONNECTIONS_MAX });
  lifecycle.add("database", () => database.close());
  return { kind: "open", value: database };
}

/** Makes DATA_DIR; null: it can be used. */
export function ensureFolder(dir: string): { kind: "failed"; message: string } | null {
  try {
    mkdirSync(dir, { recursive: true });
    accessSync(dir, constants.W_OK);
    return null;
  } catch (error) {
    const message =
      `DATA_DIR ${dir} cannot be written (${(error as NodeJS.ErrnoException).code}): ` +
      "let this account own it, or set DATA_DIR to another folder";
    return { kind: "failed", message };
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return [code, message].filter(Boolean).join(" ") || String(error);
}
