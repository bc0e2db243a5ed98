import type { Command } from "./command.ts";

/** In the order of the usage. Each loads what it needs: half a second for all, a tenth for one. */
const LOADERS: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import("./start.ts")).startCommand,
  seed: async () => (await import("./seed.ts")).seedCommand,
  crawl: async () => (await import("./crawl.ts")).crawlCommand,
  search: async () => (await import("./search.ts")).searchCommand,
  explain: async () => (await import("./explain.ts")).explainCommand,
  status: async () => (await import("./status.ts")).statusCommand,
  doctor: async () => (await import("./doctor.ts")).doctorCommand,
  reconcile: async () => (await import("./reconcile.ts")).reconcileCommand,
  reindex: async () => (await import("./reindex.ts")).reindexCommand,
  block: async () => (await import("./block.ts")).blockCommand,
  unblock: async () => (await import("./block.ts")).unblockCommand,
  users: async () => (await import("./users.ts")).usersCommand,
};

/** Null: there is no such command. */
export async function findCommand(name: string | undefined): Promise<Command | null> {
  if (name === undefined || !Object.hasOwn(LOADERS, name)) return null;
  return await LOADERS[name]!();
}

export function allCommands(): Promise<Command[]> {
  return Promise.all(Object.values(LOADERS).map((load) => load()));
}
