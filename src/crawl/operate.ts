import { recordAudit } from "../db/audit.ts";
import { addBlock, removeBlock } from "../db/blocks.ts";
import { wakeHosts } from "../db/change-hosts.ts";
import {
  type Batch,
  blockHostUrls,
  forgetHost,
  forgetHostUrls,
  unblockHostUrls,
} from "../db/host-urls.ts";
import { hostsUnder, readHost, setHostSettings, setHostState } from "../db/hosts.ts";
import { type HostName, registrableDomain } from "../url/host.ts";
import { type ActionResult, moveUrl, type OperateDeps } from "./move-url.ts";

/** Rows of one statement of a move of a whole host. */
const BATCH = 1_000;
const DONE: ActionResult = { kind: "done" };
const MISSING: ActionResult = { kind: "missing" };

/** Each action writes who did it to what; `actor` is an account, or `cli`. */
export async function pauseHost(deps: OperateDeps, id: number, actor: string) {
  return await changeState(deps, id, actor, "host.paused", {
    from: ["active", "waiting_robots", "backing_off", "parked", "dead"],
    state: "paused",
    reason: `paused by ${actor}`,
    nextTurnAt: null,
  });
}

export async function resumeHost(deps: OperateDeps, id: number, actor: string) {
  return await changeState(deps, id, actor, "host.resumed", {
    from: ["paused", "dead", "backing_off", "waiting_robots"],
    state: "active",
    reason: null,
    nextTurnAt: "when due",
    forgive: true,
  });
}

/** Its URLs come first, as soon as its gap allows; they are due at once. */
export async function crawlHostNow(deps: OperateDeps, id: number, actor: string) {
  const host = await readHost(deps.db, id);
  if (!host) return MISSING;
  if (host.state === "blocked" || host.state === "paused") {
    return refused(`the host is ${host.state}`);
  }
  await setHostState(deps.db, {
    id,
    state: "active",
    reason: null,
    nextTurnAt: new Date(deps.clock.now()),
    lane: 0,
    forgive: true,
  });
  await audit(deps, actor, "host.crawl_now", host.name);
  deps.wake();
  return DONE;
}

export async function setHostDelay(
  deps: OperateDeps,
  id: number,
  delayMs: number | null,
  actor: string,
): Promise<ActionResult> {
  const host = await readHost(deps.db, id);
  if (!host) return MISSING;
  await setHostSettings(deps.db, id, { delayMs });
  await audit(deps, actor, "host.delay", host.name, { delayMs });
  return DONE;
}

export async function blockHost(deps: OperateDeps, id: number, actor: string) {
  const host = await readHost(deps.db, id);
  if (!host) return MISSING;
  return await block(deps, host.name, actor);
}

export async function unblockHost(deps: OperateDeps, id: number, actor: string) {
  const host = await readHost(deps.db, id);
  if (!host) return MISSING;
  return await unblock(deps, host.name, actor);
}

/** A host, or a registrable domain with every host of it; known or not yet. */
export async function block(deps: OperateDeps, name: string, actor: string): Promise<ActionResult> {
  const kind = kindOf(name);
  await addBlock(deps.db, { name, kind, reason: `blocked by ${actor}` });
  for (const host of await hostsUnder(deps.db, kind, name)) {
    await setHostState(deps.db, {
      id: host.id,
      state: "blocked",
      reason: `blocked by ${actor}`,
      nextTurnAt: null,
    });
    await inBatches(deps, () => blockHostUrls(deps.db, host.id, BATCH));
  }
  await audit(deps, actor, "host.blocked", name);
  deps.wake();
  return DONE;
}

export async function unblock(
  deps: OperateDeps,
  name: string,
  actor: string,
): Promise<ActionResult> {
  if (!(await removeBlock(deps.db, name))) return refused(`${name} is not blocked`);
  for (const host of await hostsUnder(deps.db, kindOf(name), name)) {
    const from = ["blocked"] as const;
    const change = { state: "active", reason: null, nextTurnAt: "when due" } as const;
    await setHostState(deps.db, { id: host.id, from, ...change, forgive: true });
    await inBatches(deps, () => unblockHostUrls(deps.db, host.id, BATCH));
  }
  await audit(deps, actor, "host.unblocked", name);
  deps.wake();
  return DONE;
}

function kindOf(name: string): "domain" | "host" {
  return registrableDomain(name as HostName) === name ? "domain" : "host";
}

/** Removes its URLs, documents and rules; history stays until it is pruned. */
export async function forgetHostAll(deps: OperateDeps, id: number, actor: string) {
  const host = await readHost(deps.db, id);
  if (!host) return MISSING;
  await setHostState(deps.db, { id, state: "paused", reason: "forgotten", nextTurnAt: null });
  await inBatches(deps, () => forgetHostUrls(deps.db, id, BATCH));
  await audit(deps, actor, "host.forgotten", host.name);
  if (await forgetHost(deps.db, id)) return DONE;
  return refused("one of its pages is being visited right now; try again in a moment");
}

export const retryUrl = urlAction("url.retried", { type: "operator retried" });
export const dropUrl = urlAction("url.dropped", { type: "dropped" });
export const crawlUrlNow = urlAction("url.crawl_now", { type: "crawl now" });

function urlAction(action: string, event: Parameters<typeof moveUrl>[2]) {
  return async (deps: OperateDeps, id: number, actor: string): Promise<ActionResult> => {
    const result = await moveUrl(deps, id, event);
    if (result.kind === "done") await audit(deps, actor, action, String(id));
    return result;
  };
}

async function changeState(
  deps: OperateDeps,
  id: number,
  actor: string,
  action: string,
  change: Omit<Parameters<typeof setHostState>[1], "id">,
): Promise<ActionResult> {
  const before = await readHost(deps.db, id);
  if (!before) return MISSING;
  const after = await setHostState(deps.db, { id, ...change });
  if (!after) return refused(`a host that is ${before.state} cannot be ${change.state}`);
  await audit(deps, actor, action, before.name);
  if (change.nextTurnAt !== null) {
    await wakeHosts(deps.db, [id]);
    deps.wake();
  }
  return DONE;
}

/** The store first, then the index: what is left in between, reconcile would find. */
async function inBatches(deps: OperateDeps, next: () => Promise<Batch>): Promise<void> {
  for (let batch = await next(); batch.moved > 0; batch = await next()) {
    if (batch.documents.length > 0) await deps.index.remove(batch.documents);
  }
}

async function audit(
  deps: OperateDeps,
  actor: string,
  action: string,
  subject: string,
  detail?: Record<string, unknown>,
): Promise<void> {
  await recordAudit(deps.db, { actor, action, subject, ...(detail && { detail }) });
}

function refused(reason: string): ActionResult {
  return { kind: "refused", reason };
}
