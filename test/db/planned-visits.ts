import { expect } from "bun:test";
import { freeAddresses, takeAddresses, wantedAddresses } from "../../src/db/addresses.ts";
import { ROOM_FOR_ALL } from "../../src/db/admission-room.ts";
import { type ClaimedUrl, claimUrls, markFetching } from "../../src/db/claim-urls.ts";
import type { Db } from "../../src/db/connect.ts";
import { claimContent } from "../../src/db/content.ts";
import { increment, readCounters } from "../../src/db/counters.ts";
import { unlinkHost } from "../../src/db/host-links.ts";
import {
  packedHosts,
  packedLinks,
  rankedHosts,
  rankedHostsAfter,
  readRanking,
  saveRanks,
} from "../../src/db/host-ranking.ts";
import { answeredRobots, readRobots, saveRobots } from "../../src/db/robots.ts";
import { type SettleItem, settleGroup } from "../../src/db/settle-group.ts";
import { releaseTurns } from "../../src/db/settle-urls.ts";
import { appendVisits } from "../../src/db/visits.ts";
import {
  candidate,
  documentOf,
  keyOf,
  robotsRow,
  settlement,
  success,
  TTL_MS,
} from "./frontier.ts";
import { endNow, turn } from "./planned-calls.ts";

/** What a page costs the store from its claim to its history, and what turns and ticks ask. */
export const VISIT_CALLS: Record<string, (db: Db, hostId: number) => Promise<unknown>> = {
  "a group of settles": async (db, hostId) => {
    const { token } = await turn(db, hostId);
    const urls = await claimUrls(db, [{ hostId, token, limit: 5 }]);
    expect(urls).toHaveLength(5);
    await markFetching(
      db,
      urls.map(({ id }) => ({ id, token })),
    );
    await claimContent(
      db,
      urls.map(({ id }) => ({ hash: keyOf(`text ${id}`), urlId: id })),
    );
    const { settled } = await settleGroup(db, itemsOf(urls), ROOM_FOR_ALL);
    expect(settled.size).toBe(4);
    await releaseTurns(db, [token]);
    await endNow(db, hostId, token);
  },
  robots: async (db, hostId) => {
    await saveRobots(db, [robotsRow("http://h1", hostId), robotsRow("http://new.test", hostId)]);
    await readRobots(db, ["http://h1", "http://h2"]);
    await answeredRobots(db, ["http://h1"]);
  },
  "slots of addresses": async (db) => {
    const workerId = crypto.randomUUID();
    await takeAddresses(db, { workerId, ttlMs: TTL_MS, ipDelayMs: 1 }, ["a1", "a2", "new"]);
    await wantedAddresses(db, workerId);
    await freeAddresses(db, workerId, [{ address: "a1", nextStartAt: new Date() }]);
  },
  "ranking of hosts": async (db, hostId) => {
    await readRanking(db);
    expect((await packedLinks(db).next()).done).toBe(false);
    expect((await packedHosts(db).next()).done).toBe(false);
    await rankedHosts(db, [1, 2]);
    await saveRanks(db, [{ id: 1, authority: 0.5, linkingHosts: 2 }]);
    await rankedHostsAfter(db, 0, 500);
    await unlinkHost(db, hostId);
  },
  "history and counters": async (db, hostId) => {
    const times = { claimedAt: new Date(), fetchStartedAt: null, fetchedAt: null };
    const none = { parsedAt: null, indexedAt: null, reason: null, address: null };
    const told = { outcome: "fetched", state: "pending", status: 200, bytes: 1 };
    const visit = { urlId: 1, hostId, settledAt: new Date(), ...times, ...none, ...told };
    expect(await appendVisits(db, [visit])).toBe(0);
    await increment(db, { crawled: 1, "refused.depth": 2 });
    await readCounters(db);
  },
};

/** One of each kind: a page with links, a duplicate, a redirect, one that is gone, one lost. */
function itemsOf(urls: readonly ClaimedUrl[]): SettleItem[] {
  const [page, copy, moved, gone, lost] = urls as [ClaimedUrl, ...ClaimedUrl[]];
  const links = Array.from({ length: 20 }, (_, n) => candidate(`http://h${n}/settled/${n}`));
  const target = candidate("http://big.test/target");
  const contentHash = keyOf(`text ${page.id}`);
  const done = (url: ClaimedUrl, reason: string) => success(url, { state: "done", reason });
  const wakes = { dependants: true, duplicates: true, stranded: true };
  return [
    settlement(page, {
      row: success(page, { contentHash, nextCrawlAt: new Date() }),
      pages: 1,
      firstCrawl: true,
      document: documentOf(page.id, { contentHash }),
      freesContent: true,
      candidates: links,
      linkedHosts: ["h1", "h2", "nowhere.test"],
    }),
    settlement(copy!, {
      row: { ...done(copy!, "duplicate"), targetId: page.id },
      duplicate: { urlId: copy!.id, hash: contentHash, ownerId: page.id },
    }),
    settlement(moved!, {
      row: done(moved!, "redirected"),
      targetKey: target.key,
      candidates: [target],
      wakes,
    }),
    settlement(gone!, {
      row: success(gone!, { state: "failed", reason: "gone", intervalS: null }),
      removesDocument: true,
      wakes,
    }),
    settlement(lost!, { row: { ...success(lost!), leaseToken: crypto.randomUUID() } }),
  ];
}
