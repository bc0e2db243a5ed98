import { recordAudit } from "../db/audit.ts";
import { addBlock, isBlocked, pausedBy, removeBlock } from "../db/blocks.ts";
import { wakeHosts } from "../db/change-hosts.ts";
import { type Batch, blockHostUrls, unblockHostUrls } from "../db/host-urls.ts";
import {
  FORGOTTEN,
  type HostRow,
  readHost,
  readHostByName,
  setHostSettings,
  setHostState,
} from "../db/hosts.ts";
import { type HostName, isPublicSuffix, registrableDomain } from "../url/host.ts";
import { mendNow } from "./mend-index.ts";
import {
  type ActionResult,
  DONE,
  MISSING,
  moveUrl,
  type OperateDeps,
  refused,
} from "./move-url.ts";

/** Rows of one statement of a move of a whole host. */
const BATCH = 1_000;

/** Each action writes who did it to what; `actor` is an account, or `cli`. */
export async function pauseHost(deps: OperateDeps, id: number, actor: string) {
  return await changeState(deps, id, actor, "host.paused", {
    from: ["active", "waiting_robots", "backing_off", "parked", "dead"],
    state: "paused",
    reason: pausedBy(actor),
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

/** Null: the setting holds for its URLs, and nothing for its bytes. */
export async function setHostQuota(
  deps: OperateDeps,
  id: number,
  quota: Pick<HostRow, "urlsMax" | "bytesMax">,
  actor: string,
): Promise<ActionResult> {
  const host = await readHost(deps.db, id);
  if (!host) return MISSING;
  await setHostSettings(deps.db, id, quota);
  // It may have waited for that.
  await wakeHosts(deps.db, [id]);
  await audit(deps, actor, "host.quota", host.name, quota);
  deps.wake();
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
  // The page of a host can say no more than done: its own block goes when that opens the host.
  const domain = await domainBlockOver(deps, host.name);
  if (domain !== null) return refused(domainStays(domain));
  return await unblock(deps, host.name, actor);
}

/** A host, or a registrable domain with every host of it; known or not yet. */
export async function block(deps: OperateDeps, name: string, actor: string): Promise<ActionResult> {
  if (isPublicSuffix(name as HostName) && !(await readHostByName(deps.db, name))) {
    return refused(`many have sites of their own below ${name}: block those one by one`);
  }
  const reason = `blocked by ${actor}`;
  const hostIds = await addBlock(deps.db, { name, kind: kindOf(name), reason });
  await fitUrls(deps, hostIds);
  await audit(deps, actor, "host.blocked", name);
  deps.wake();
  return DONE;
}

/** What another block covers stays blocked; what was paused before is paused again. */
export async function unblock(
  deps: OperateDeps,
  name: string,
  actor: string,
): Promise<ActionResult> {
  const domain = await domainBlockOver(deps, name);
  const removed = await removeBlock(deps.db, name);
  if (removed.kind === "not blocked") {
    return refused(domain === null ? `${name} is not blocked` : domainStays(domain));
  }
  await fitUrls(deps, removed.hostIds);
  await audit(deps, actor, "host.unblocked", name);
  deps.wake();
  return domain === null ? DONE : { kind: "done", note: domainStays(domain) };
}

/** The domain of a host, if that is blocked as a whole. */
async function domainBlockOver({ db }: OperateDeps, name: string): Promise<string | null> {
  const domain = registrableDomain(name as HostName);
  return domain !== name && (await isBlocked(db, domain)) ? domain : null;
}

const domainStays = (domain: string): string =>
  `its domain is blocked as a whole: trawl unblock ${domain}`;

/** Their URLs follow the state of each host, whoever else blocks and unblocks it meanwhile. */
async function fitUrls(deps: OperateDeps, hostIds: readonly number[]): Promise<void> {
  for (const id of hostIds) {
    const isShut = async () => (await readHost(deps.db, id))?.state === "blocked";
    let before: boolean;
    do {
      before = await isShut();
      const move = before ? blockHostUrls : unblockHostUrls;
      await inBatches(deps, () => move(deps.db, id, BATCH));
    } while ((await isShut()) !== before);
  }
}

function kindOf(name: string): "domain" | "host" {
  return registrableDomain(name as HostName) === name ? "domain" : "host";
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
  if (!after) return refused(whyNot(before, change.state));
  await audit(deps, actor, action, before.name);
  if (change.nextTurnAt !== null) {
    await wakeHosts(deps.db, [id]);
    deps.wake();
  }
  return DONE;
}

/** Why a host cannot be paused or resumed, for people. */
function whyNot({ state, reason }: HostRow, wanted: string): string {
  if (state === "blocked")
    return "the host is blocked: nothing of it is visited until it is unblocked";
  if (state === "out_of_region") return "the host is out of the region: nothing of it is visited";
  if (reason === FORGOTTEN) return "the host is being forgotten";
  if (wanted === "paused") return "the host is paused already";
  return "the host is not paused: it goes on by itself";
}

/**
 * The store first, which then knows what must leave the index: at once, or as soon as the index can
 * be had.
 */
export async function inBatches(
  deps: Pick<OperateDeps, "db" | "index">,
  next: () => Promise<Batch>,
): Promise<void> {
  let mends = true;
  for (let batch = await next(); batch.moved > 0; batch = await next()) {
    if (mends) mends = (await mendNow(deps, batch.documents)).kind === "mended";
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
