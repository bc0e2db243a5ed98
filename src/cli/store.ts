import { accessSync, constants, mkdirSync } from "node:fs";
import type { Config } from "../config.ts";
import { type Database, openDatabase } from "../db/connect.ts";
import { type EmbeddedStep, startEmbedded } from "../db/embedded.ts";
import { migrate } from "../db/migrate.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Log } from "../log.ts";

export type Opened<T> = { kind: "open"; value: T } | { kind: "failed"; message: string };

const CONNECTIONS_MAX = 8;

const STEPS: Record<EmbeddedStep, string> = {
  creating: "Making the database (once) …",
  starting: "Starting Postgres …",
  waiting: "Waiting for the running Postgres …",
};

/** The truth: DATABASE_URL, or the embedded Postgres, adopted when another process runs it. */
export async function openStore(
  { config, log, lifecycle }: { config: Config; log: Log; lifecycle: Lifecycle },
  say: (text: string) => void,
): Promise<Opened<Database>> {
  const folder = ensureFolder(config.data.dir);
  if (folder) return folder;
  let url = config.databaseUrl;
  if (url === null) {
    const progress = (step: EmbeddedStep) => say(STEPS[step]);
    const embedded = await startEmbedded({ dataDir: config.data.dir, log, progress });
    if (embedded.kind !== "running") return { kind: "failed", message: embedded.message };
    lifecycle.add("postgres", () => embedded.stop());
    if (embedded.notice) say(embedded.notice);
    url = embedded.url;
  }
  try {
    const migrated = await migrate(url);
    if (migrated.kind !== "migrated") return { kind: "failed", message: migrated.message };
  } catch (error) {
    return { kind: "failed", message: `the database cannot be reached: ${reasonOf(error)}` };
  }
  const database = await openDatabase({ url, max: CONNECTIONS_MAX });
  lifecycle.add("database", () => database.close());
  return { kind: "open", value: database };
}

function ensureFolder(dir: string): { kind: "failed"; message: string } | null {
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
