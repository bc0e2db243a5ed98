import { type AdmitResult, type AdmitRow, admitUrls } from "../db/admit-urls.ts";
import { saveSubmission } from "../db/submissions.ts";
import { checkUrl } from "../fetch/guard.ts";
import type { RefusedReason } from "../fetch/outcome.ts";
import { admit, isInScope, type RefusalReason, type UrlOrigin } from "../frontier/admit.ts";
import type { HostName } from "../url/host.ts";
import { allowedCidrs } from "./allowed-cidrs.ts";
import { moveUrl, type OperateDeps } from "./move-url.ts";
import type { PolicyCache } from "./policy.ts";
import { type NamedSitemap, seedSitemaps } from "./seed-sitemaps.ts";
import { typedUrl } from "./typed-url.ts";

export interface SubmitDeps extends OperateDeps {
  policy: PolicyCache;
}

export interface Submitted {
  result: "queued" | "known" | "review" | "refused";
  /** Of a refusal, and `scope` for what waits for review. */
  reason: SubmitRefusal | null;
}

/** Why a named URL is not taken: what admission says, what the guard says, what review says. */
export type SubmitRefusal =
  | RefusalReason
  | RefusedReason
  /** As many submissions wait for review as anybody will read. */
  | "review full"
  /** An operator has refused it before. */
  | "declined";

/** One URL that a visitor of the search page names. */
export async function submitUrl(deps: SubmitDeps, text: string): Promise<Submitted> {
  const judged = await judge(deps, text, "submission");
  if (judged.kind === "refused") return refused(judged.reason);
  const { row } = judged;
  const inScope = isInScope(row.host, row.domain, deps.policy.policy());
  if (!inScope && deps.config.web.submit === "review") {
    const { url, key } = row;
    const saved = await saveSubmission(deps.db, { url, key, reason: "scope" });
    if (saved.kind === "full") return refused("review full");
    if (saved.kind === "known" && saved.state === "refused") return refused("declined");
    return { result: "review", reason: "scope" };
  }
  return await queue(deps, { ...row, seeds: !inScope });
}

export interface SeedReport {
  admitted: number;
  known: number;
  refused: { url: string; reason: SubmitRefusal }[];
}

/** A URL as somebody wrote it, or what names URLs. */
export type SeedItem = string | NamedSitemap;

/** Of 10,000 lines a few round trips. */
const SEED_BATCH = 500;

/**
 * URLs, sitemaps and feeds that an operator names: their hosts are seeded, known ones come again.
 * After `signal` no more are taken; the report tells of those that were.
 */
export async function seedUrls(
  deps: SubmitDeps,
  items: Iterable<SeedItem> | AsyncIterable<SeedItem>,
  { priority, signal }: { priority?: number | undefined; signal?: AbortSignal } = {},
): Promise<SeedReport> {
  const report: SeedReport = { admitted: 0, known: 0, refused: [] };
  let batch: AdmitRow[] = [];
  let sitemaps: NamedSitemap[] = [];
  const flushSitemaps = async () => {
    for (const [at, result] of (await seedSitemaps(deps, sitemaps)).entries()) {
      const { url } = sitemaps[at]!;
      if (result.kind === "refused") report.refused.push({ url, reason: result.reason });
      else report[result.kind]++;
    }
    sitemaps = [];
  };
  const flush = async () => {
    const results = await enter(deps, batch);
    const counted = new Set<string>();
    for (const [at, result] of results.entries()) {
      // The same URL further down the list.
      if (result.kind === "refused") {
        report.refused.push({ url: batch[at]!.url, reason: result.reason });
        continue;
      }
      report[counted.has(result.key) ? "known" : result.kind]++;
      counted.add(result.key);
    }
    batch = [];
  };
  for await (const item of items) {
    if (signal?.aborted) break;
    if (typeof item !== "string") {
      sitemaps.push(item);
      if (sitemaps.length >= SEED_BATCH) await flushSitemaps();
      continue;
    }
    const judged = await judge(deps, item, "seed", priority);
    if (judged.kind === "refused") report.refused.push({ url: item, reason: judged.reason });
    else batch.push({ ...judged.row, seeds: true });
    if (batch.length >= SEED_BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  if (sitemaps.length > 0) await flushSitemaps();
  return report;
}

type Judged =
  | { kind: "row"; row: AdmitRow & { host: HostName } }
  | { kind: "refused"; reason: SubmitRefusal };

async function judge(
  deps: SubmitDeps,
  text: string,
  via: UrlOrigin,
  priority?: number,
): Promise<Judged> {
  const url = await typedUrl(deps.db, text);
  if (url === null) return { kind: "refused", reason: "invalid" };
  const verdict = admit(
    { url, via, depth: 0, hops: 0, ...(priority !== undefined && { priority }) },
    deps.policy.policy(),
  );
  if (verdict.kind === "refused") return verdict;
  const guarded = checkUrl(verdict.url, allowedCidrs(deps.config));
  if (guarded.kind === "refused") return { kind: "refused", reason: guarded.reason };
  return { kind: "row", row: { ...verdict, raise: true, seeds: false } };
}

/** Admits; a known URL that is over hears that it was named again. */
async function enter(deps: SubmitDeps, rows: readonly AdmitRow[]): Promise<AdmitResult[]> {
  const results = await admitUrls(deps.db, rows, [], deps.config.scope);
  for (const row of rows) if (row.seeds) deps.policy.addSeeded(row.host, row.domain);
  for (const [at, result] of results.entries()) {
    if (result.kind !== "known" || result.id === null) continue;
    if (result.state !== "done" && result.state !== "failed") continue;
    const priority = rows[at]!.priority;
    await moveUrl(deps, result.id, { type: "submitted again", priority });
  }
  deps.wake();
  return results;
}

/** For a submission that an operator accepts: its site is in scope from now on. */
export async function enterAccepted(deps: SubmitDeps, url: string): Promise<Submitted> {
  const judged = await judge(deps, url, "submission");
  if (judged.kind === "refused") return refused(judged.reason);
  return await queue(deps, { ...judged.row, seeds: true });
}

/** What somebody waits for goes to the first lane. */
async function queue(deps: SubmitDeps, row: AdmitRow): Promise<Submitted> {
  const [outcome] = await enter(deps, [{ ...row, lane: 0 }]);
  if (outcome!.kind === "refused") return refused(outcome!.reason);
  return { result: outcome!.kind === "admitted" ? "queued" : "known", reason: null };
}

function refused(reason: SubmitRefusal): Submitted {
  return { result: "refused", reason };
}
