import { stepUrl } from "../actors/step.ts";
import type { UrlEffect, UrlEvent } from "../actors/url-event.ts";
import type { ClaimedUrl } from "../db/claim-urls.ts";
import { isOutage } from "../db/store-errors.ts";
import type { Fetched } from "../fetch/outcome.ts";
import { admit, fullAt, type RefusalReason } from "../frontier/admit.ts";
import { causeFirst } from "../log.ts";
import type { PackedPage } from "../parse/packed.ts";
import { canonicalUrl, urlKey } from "../url/canonical.ts";
import type { CrawlDeps } from "./deps.ts";
import { type Discovered, discover, newlyLinked } from "./discover.ts";
import type { ReadDocument } from "./index-document.ts";
import { documentOf, indexPage } from "./index-page.ts";
import { stepEnv } from "./move-url.ts";
import { readPage } from "./read-page.ts";
import { learnFrom } from "./turn-traps.ts";
import { eventOf, isPackedSitemap, type NotAsked, type UrlOutcome } from "./visit-event.ts";
import { type VisitSteps as Steps, visitRow } from "./visit-row.ts";

export interface TurnLease {
  hostId: number;
  host: string;
  /** Registrable domain of the host. */
  domain: string;
  token: string;
}

/**
 * A part of ours is down, and the claim ends with nothing counted: `give back` before the index was
 * written, `unsettled` after, perhaps.
 */
export type VisitEnd = "settled" | "give back" | "unsettled";

interface Reading {
  event: UrlEvent;
  page: PackedPage | null;
  /** What the index was given. */
  document?: ReadDocument;
  /** Our put may not be what the index holds. */
  doubtsIndex?: boolean;
}

/**
 * What an answer leads to, from its bytes to the group commit: parsed, indexed first, then settled.
 * Runs behind the gap of its host.
 */
export async function settleVisit(
  deps: CrawlDeps,
  lease: TurnLease,
  url: ClaimedUrl,
  result: UrlOutcome | NotAsked,
): Promise<VisitEnd> {
  const steps: Steps = {};
  if ("timing" in result) {
    steps.fetchStartedAt = result.timing.startedAt;
    steps.fetchedAt = result.timing.endedAt;
  }
  const reading = await readOrTell(deps, lease, url, result, steps);
  if (typeof reading === "string") return reading;
  return await settle(deps, lease, url, result, reading, steps);
}

/** A page that our own mistake meets must not come again at every turn for ever. */
async function readOrTell(...given: Parameters<typeof read>): ReturnType<typeof read> {
  const [deps, , url] = given;
  try {
    return await read(...given);
  } catch (error) {
    if (isOutage(error)) {
      deps.breaker.trip("postgres", causeFirst(error));
      return "give back";
    }
    deps.log.error("visit.crashed", { url: url.url, error });
    return { event: { type: "failed transiently", reason: "internal error" }, page: null };
  }
}

async function read(
  deps: CrawlDeps,
  lease: TurnLease,
  url: ClaimedUrl,
  result: UrlOutcome | NotAsked,
  steps: Steps,
): Promise<Reading | "give back" | "unsettled"> {
  if (isPackedSitemap(result, url.url)) {
    await deps.finds.ofUrl(url.url, "sitemap", lease.host, url.via === "seed");
    return { event: { type: "settled", reason: "not a page" }, page: null };
  }
  if (result.kind !== "fetched") return { event: eventOf(result, url.url), page: null };
  const parsed = await readPage(deps, url, result, lease.host);
  steps.parsedAt = deps.clock.now();
  if (parsed.kind === "give back") return "give back";
  if (parsed.kind === "no page") return { event: parsed.event, page: null };
  const { page } = parsed;
  if (parsed.event) return { event: parsed.event, page };
  const document = documentOf(url, page, result.timing.endedAt);
  const indexed = await indexPage(deps, lease, url, page, document);
  steps.indexedAt = deps.clock.now();
  switch (indexed.kind) {
    case "indexed":
      return { event: succeeded(url, result, page), page, document };
    case "superseded":
      return { event: succeeded(url, result, page), page, document, doubtsIndex: true };
    case "duplicate":
      return { event: { type: "settled", reason: "duplicate", targetId: indexed.ownerId }, page };
    case "refused":
      return { event: { type: "failed transiently", reason: "index refused" }, page: null };
    case "unavailable":
      deps.breaker.trip("index", indexed.detail);
      return "unsettled";
    default:
      return indexed satisfies never;
  }
}

function succeeded(url: ClaimedUrl, result: Fetched, page: PackedPage): UrlEvent {
  return {
    type: "succeeded",
    changed: page.textHash !== url.contentHash,
    status: result.status,
    etag: result.headers.etag,
    lastModified: result.headers.lastModified,
    contentHash: page.textHash,
  };
}

async function settle(
  deps: CrawlDeps,
  lease: TurnLease,
  url: ClaimedUrl,
  result: UrlOutcome | NotAsked,
  { event, page, document, doubtsIndex = false }: Reading,
  steps: Steps,
): Promise<VisitEnd> {
  const now = deps.clock.now();
  const step = stepUrl(url, event, stepEnv(deps));
  if (step.kind === "ignored" || step.state === "removed") {
    throw new Error(`a claimed URL cannot be ${event.type}`);
  }
  const does = (type: UrlEffect["type"]) => step.effects.some((effect) => effect.type === type);
  const targets = targetsOf(deps, lease, url, step.effects);
  const from = { depth: url.depth, host: lease.host, domain: lease.domain };
  const found = page ? discover(deps, page, from) : NOTHING;
  const at = { id: lease.hostId, name: lease.host };
  const learned = page ? learnFrom(deps, at, url, page, found) : undefined;
  const settled = await deps.settler.settle({
    row: { ...url, ...step.columns, state: step.state, id: url.id, leaseToken: lease.token },
    hostId: lease.hostId,
    token: lease.token,
    pages: document && url.crawledAt === null ? 1 : 0,
    bytes: result.kind === "fetched" ? result.wireBytes : 0,
    firstCrawl: url.crawledAt === null && step.columns.crawledAt != null,
    document: document ? { ...document, indexedAt: new Date(now) } : null,
    removesDocument: does("remove document"),
    doubtsIndex,
    freesContent: does("free content"),
    wakes: {
      dependants: does("wake dependants"),
      duplicates: does("wake duplicates"),
      stranded: does("wake stranded"),
    },
    duplicate: duplicateOf(url.id, event, page),
    candidates: [...found.rows, ...targets.rows],
    fullAt: [...found.full, ...targets.full],
    ...(learned && { learned }),
    linkedHosts: page ? newlyLinked(deps, page, lease.hostId) : [],
    targetKey: targetKeyOf(step.effects),
    visit: visitRow({
      hostId: lease.hostId,
      url,
      result,
      event,
      refusal: targets.refusal,
      state: step.state,
      steps,
      now,
    }),
  });
  if (settled === "refused") return await settleRefused(deps, lease, url, result, steps);
  return settled === "unavailable" ? "unsettled" : "settled";
}

/** The store cannot keep this page: it ends here, and takes nobody with it. */
async function settleRefused(
  deps: CrawlDeps,
  lease: TurnLease,
  url: ClaimedUrl,
  result: UrlOutcome | NotAsked,
  steps: Steps,
): Promise<VisitEnd> {
  const event: UrlEvent = { type: "failed permanently", reason: "store refused" };
  const bare = { ...url, etag: null, lastModified: null };
  return await settle(deps, lease, bare, result, { event, page: null, doubtsIndex: true }, steps);
}

function duplicateOf(urlId: number, event: UrlEvent, page: PackedPage | null) {
  if (event.type !== "settled" || event.reason !== "duplicate") return null;
  const [hash, ownerId] = [page?.contentHash, event.targetId];
  return hash == null || ownerId === undefined ? null : { urlId, hash, ownerId };
}

function targetKeyOf(effects: readonly UrlEffect[]): string | null {
  const effect = effects.find((each) => each.type === "admit target");
  const target = effect ? canonicalUrl(effect.url) : null;
  return target?.kind === "canonical" ? urlKey(target.url) : null;
}

const NOTHING: Discovered = { rows: [], full: new Set() };

interface Targets extends Discovered {
  /** Why what a redirect or canonical points at is not admitted. */
  refusal: RefusalReason | null;
}

/** On the same host the target is next in line: it is due since its source was. */
function targetsOf(
  deps: CrawlDeps,
  { host, domain }: TurnLease,
  { nextCrawlAt }: ClaimedUrl,
  effects: readonly UrlEffect[],
): Targets {
  const policy = deps.policy.policy();
  const targets: Targets = { rows: [], full: new Set(), refusal: null };
  for (const effect of effects) {
    if (effect.type !== "admit target") continue;
    const verdict = admit({ ...effect, source: { domain, score: null } }, policy);
    if (verdict.kind === "refused") {
      deps.refusals.count(verdict.reason, verdict.host);
      targets.refusal = verdict.reason;
      const at = fullAt(verdict);
      if (at !== null) targets.full.add(at);
      continue;
    }
    const due = verdict.host === host && nextCrawlAt !== null ? { nextCrawlAt } : {};
    targets.rows.push({ ...verdict, ...due, raise: false, seeds: false });
  }
  return targets;
}
