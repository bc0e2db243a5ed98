import { blockCommand, unblockCommand } from "./block.ts";
import type { Command } from "./command.ts";
import { crawlCommand } from "./crawl.ts";
import { doctorCommand } from "./doctor.ts";
import { explainCommand } from "./explain.ts";
import { reconcileCommand } from "./reconcile.ts";
import { reindexCommand } from "./reindex.ts";
import { searchCommand } from "./search.ts";
import { seedCommand } from "./seed.ts";
import { startCommand } from "./start.ts";
import { statusCommand } from "./status.ts";
import { usersCommand } from "./users.ts";

/** In the order of the usage. */
export const COMMANDS: readonly Command[] = [
  startCommand,
  seedCommand,
  crawlCommand,
  searchCommand,
  explainCommand,
  statusCommand,
  doctorCommand,
  reconcileCommand,
  reindexCommand,
  blockCommand,
  unblockCommand,
  usersCommand,
];
