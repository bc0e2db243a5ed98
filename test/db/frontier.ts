import { expect } from "bun:test";
import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { type AdmitRow, admitUrls } from "../../src/db/admit-urls.ts";
import { type ClaimedUrl, claimUrls } from "../../src/db/claim-urls.ts";
import type { Db } from "../../src/db/connect.ts";
import { type DocumentRow, saveDocuments } from "../../src/db/documents.ts";
import type { HostRow } from "../../src/db/hosts.ts";
import type { SettleItem } from "../../src/db/settle-group.ts";
import type { SettleRow } from "../../src/db/settle-urls.ts";
import {
  endTurns,
  type TurnEnd,
  type TurnEnded,
  type TurnRequest,
  takeTurns,
} from "../../src/db/turns.ts";
import { beat } from "../../src/db/workers.ts";
import { packText } from "../../src/text/packed.ts";
import { hostNamed } from "../support/rows.ts";

/** Makers of rows and hands on the store's clock, for the tests of this folder. */
export const TTL_MS = 4_000;
export const DAY_MS = 86_400_000;

/** The key of a URL as url/canonical.ts makes it, so that any text will do here. */
export function keyOf(url: string): string {
  const hex = createHash("sha256").update(url).digest("hex").slice(0, 32);
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export function candidate(url: string, more: Partial<AdmitRow> = {}): AdmitRow {
  const host = new URL(url).hostname;
  const facts = { depth: 0, hops: 0, priority: 100, via: "link" as const };
  return {
    key: keyOf(url),
    url,
    host,
    domain: host,
    ...facts,
    raise: false,
    seeds: false,
    ...more,
  };
}

/** Admits paths of one host; gives their ids in the order given. */
export async function admitPaths(
  db: Db,
  host: string,
  paths: readonly (string | Partial<AdmitRow>)[],
): Promise<number[]> {
  const rows = paths.map((path, at) =>
    typeof path === "string"
      ? candidate(`http://${host}${path}`)
      : candidate(`http://${host}/${at}`, path),
  );
  const results = await admitUrls(db, rows);
  return results.map((result) => {
    if (result.kind !== "admitted") throw new Error(`${result.key} was known`);
    return result.id;
  });
}

/** A worker; `life`: of the process that it is one of. */
export async function living(db: Db, life?: string): Promise<string> {
  const id = crypto.randomUUID();
  const report = life === undefined ? {} : { report: { life } };
  await beat(db, { id, hostname: "test", pid: 1, roles: ["crawl"], ...report }, TTL_MS);
  // However slow the machine of the test: it dies when the test says so.
  await ageWorker(db, id, -600_000);
  return id;
}

export interface TestTurn {
  readonly host: HostRow;
  readonly hostId: number;
  readonly workerId: string;
  readonly token: string;
}

/** A turn at a host that is due, by a worker that lives. */
export async function turnAt(db: Db, hostName: string, workerId?: string): Promise<TestTurn> {
  const worker = workerId ?? (await living(db));
  const { id: hostId } = await hostNamed(db, hostName);
  const token = crypto.randomUUID();
  const host = await takeTurn(db, { hostId, workerId: worker, token });
  if (!host) throw new Error(`no turn at ${hostName}`);
  return { host, hostId, workerId: worker, token };
}

/** One alone. */
export async function takeTurn(
  db: Db,
  { workerId, ...request }: TurnRequest & { workerId: string },
): Promise<HostRow | null> {
  return (await takeTurns(db, { workerId, ttlMs: TTL_MS }, [request]))[0]!;
}

/** One alone. */
export async function endTurn(db: Db, end: TurnEnd): Promise<TurnEnded> {
  return (await endTurns(db, [end]))[0]!;
}

export async function claimAll(db: Db, turn: TestTurn, limit = 1_000): Promise<ClaimedUrl[]> {
  return await claimUrls(db, [{ hostId: turn.host.id, token: turn.token, limit }]);
}

/** The end of a turn after which the host is due as soon as one of its URLs is. */
export function ending(
  turn: { readonly hostId: number; readonly token: string },
  more: Partial<TurnEnd> = {},
): TurnEnd {
  return {
    hostId: turn.hostId,
    token: turn.token,
    state: "active",
    reason: null,
    nextTurnAt: new Date(),
    nextFetchAt: new Date(),
    failures: 0,
    throttles: 0,
    robotsDelayMs: null,
    slowDelayMs: null,
    ...more,
  };
}

/** The row as a success would settle it: pending again, later. */
export function success(url: ClaimedUrl, more: Partial<SettleRow> = {}): SettleRow {
  return {
    ...url,
    state: "pending",
    attempts: 0,
    visits: url.visits + 1,
    visitedAt: new Date(),
    crawledAt: url.crawledAt ?? new Date(),
    intervalS: 86_400,
    status: 200,
    nextCrawlAt: new Date(Date.now() + DAY_MS),
    ...more,
  };
}

/** A success that brings and takes nothing, as a group commits it. */
export function settlement(url: ClaimedUrl, more: Partial<SettleItem> = {}): SettleItem {
  return {
    row: success(url),
    hostId: url.hostId,
    token: url.leaseToken,
    pages: 0,
    bytes: 0,
    firstCrawl: false,
    document: null,
    removesDocument: false,
    doubtsIndex: false,
    freesContent: false,
    wakes: { dependants: false, duplicates: false, stranded: false },
    duplicate: null,
    candidates: [],
    linkedHosts: [],
    targetKey: null,
    ...more,
  };
}

/** The last sign of life of a worker becomes `ageMs` old. */
export async function ageWorker(db: Db, workerId: string, ageMs: number): Promise<void> {
  await db.execute(
    sql`update workers set beat_at = clock_timestamp() - ${ageMs}::float8 * interval '1 ms'
      where id = ${workerId}::uuid`,
  );
}

/** Due now, whatever the gap says: for the next turn of a test. */
export async function makeDue(db: Db, hostId: number): Promise<void> {
  await db.execute(
    sql`update hosts set next_turn_at = clock_timestamp(), next_fetch_at = null
      where id = ${hostId}`,
  );
}

/** Documents as if these URLs had been indexed. */
export async function indexed(db: Db, urlIds: readonly number[]): Promise<void> {
  await saveDocuments(
    db,
    urlIds.map((urlId) => documentOf(urlId)),
  );
  await db.execute(
    sql`update urls set interval_s = 86400 where id = any(${`{${urlIds.join(",")}}`}::bigint[])`,
  );
}

export function documentOf(urlId: number, more: Partial<DocumentRow> = {}): DocumentRow {
  return {
    urlId,
    title: `Title ${urlId}`,
    description: "",
    lang: "en",
    headings: "",
    text: packText("text"),
    contentHash: null,
    simhash: null,
    linkDensity: 0.25,
    linkCount: 3,
    noarchive: false,
    noai: false,
    publishedAt: null,
    crawledAt: new Date(),
    indexedAt: new Date(),
    regionScore: null,
    region: null,
    category: null,
    ...more,
  };
}

/** `at` is `ms` after a moment since `began`, by the same clock as ours. */
export function expectAfter(at: Date | null, began: number, ms: number): void {
  expect(at!.getTime()).toBeGreaterThanOrEqual(began + ms - 1);
  expect(at!.getTime()).toBeLessThanOrEqual(Date.now() + ms + 1);
}

/** Fetched just now, and empty: everything may be asked. */
export const robotsRow = (authority: string, hostId: number) => ({
  authority,
  hostId,
  status: 200,
  body: "",
  etag: null,
  lastModified: null,
  fetchedAt: new Date(),
  expiresAt: new Date(),
  failures: 0,
  failure: null,
});
