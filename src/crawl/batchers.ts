import { Batcher, type BatchLimits } from "../batch.ts";
import { type AddressLease, takeAddresses } from "../db/addresses.ts";
import { claimUrls, markFetching } from "../db/claim-urls.ts";
import type { Db } from "../db/connect.ts";
import { claimContent } from "../db/content.ts";
import { takePages } from "../db/page-keys.ts";
import { type RobotsRow, readRobots, saveRobots } from "../db/robots.ts";
import { dueSitemaps } from "../db/sitemaps.ts";
import { readTraps } from "../db/traps.ts";
import { endTurns, takeTurns } from "../db/turns.ts";
import { LEASE_TTL_MS } from "../visit/heartbeat.ts";
import type { CrawlDeps } from "./deps.ts";

/** Many hosts that begin or end their turns at once cost a few statements, not some a host. */
const AT_ONCE: BatchLimits = { itemsMax: 128, waitMs: 2, parallel: 1 };
/** A body is up to 500 KiB. */
const ROBOTS: BatchLimits = { itemsMax: 16, waitMs: 2, parallel: 1 };

type TurnBatchers = Pick<
  CrawlDeps,
  "turnTakes" | "turnEnds" | "claims" | "marks" | "owners" | "dueSitemaps" | "storedTraps" | "pages"
>;

/** Small statements of many turns, gathered for a moment each. */
export function turnBatchers(db: Db): TurnBatchers {
  return {
    turnTakes: new Batcher(
      (asked) =>
        byWorker(asked, (workerId, requests) =>
          takeTurns(db, { workerId, ttlMs: LEASE_TTL_MS }, requests),
        ),
      AT_ONCE,
    ),
    dueSitemaps: new Batcher((hostIds) => dueSitemaps(db, hostIds), AT_ONCE),
    storedTraps: new Batcher((hostIds) => readTraps(db, hostIds), AT_ONCE),
    pages: new Batcher(async (wanted) => {
      const taken = await takePages(db, wanted);
      return wanted.map(({ urlId }) => taken.has(urlId));
    }, AT_ONCE),
    turnEnds: new Batcher((ends) => endTurns(db, ends), AT_ONCE),
    claims: new Batcher(
      async (requests) => {
        const claimed = Map.groupBy(await claimUrls(db, requests), (url) => url.hostId);
        return requests.map(({ hostId }) => claimed.get(hostId) ?? []);
      },
      { itemsMax: 64, waitMs: 2, parallel: 1 },
    ),
    marks: new Batcher(
      async (marks) => {
        await markFetching(db, marks);
        return marks.map(() => null);
      },
      { itemsMax: 256, waitMs: 10, busyWaitMs: 50, parallel: 1 },
    ),
    owners: new Batcher(
      async (wanted) => {
        const owners = await claimContent(db, wanted);
        return wanted.map(({ hash, urlId }) => owners.get(hash) ?? urlId);
      },
      { itemsMax: 128, waitMs: 4, busyWaitMs: 20, parallel: 1 },
    ),
  };
}

export function addressBatcher(db: Db, ipDelayMs: number) {
  return new Batcher<{ address: string; workerId: string }, AddressLease>(
    (asked) =>
      byWorker(asked, (workerId, requests) =>
        takeAddresses(
          db,
          { workerId, ttlMs: LEASE_TTL_MS, ipDelayMs },
          requests.map(({ address }) => address),
        ),
      ),
    AT_ONCE,
  );
}

export function robotsBatchers(db: Db) {
  return {
    reads: new Batcher<string, RobotsRow | null>(async (authorities) => {
      const rows = new Map((await readRobots(db, authorities)).map((row) => [row.authority, row]));
      return authorities.map((authority) => rows.get(authority) ?? null);
    }, ROBOTS),
    saves: new Batcher<RobotsRow, null>(async (rows) => {
      await saveRobots(db, rows);
      return rows.map(() => null);
    }, ROBOTS),
  };
}

/** A process is one worker, but for the moment in which it has lost its leases. */
async function byWorker<T extends { workerId: string }, R>(
  asked: readonly T[],
  ask: (workerId: string, asked: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const answers = new Map<T, R>();
  for (const [workerId, group] of Map.groupBy(asked, (request) => request.workerId)) {
    const results = await ask(workerId, group);
    for (const [at, request] of group.entries()) answers.set(request, results[at]!);
  }
  return asked.map((request) => answers.get(request)!);
}
