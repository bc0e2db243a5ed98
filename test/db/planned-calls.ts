import { expect } from "bun:test";
import { ROOM_FOR_ALL } from "../../src/db/admission-room.ts";
import { admitUrls } from "../../src/db/admit-urls.ts";
import { chainFrom } from "../../src/db/chains.ts";
import { wakeHosts } from "../../src/db/change-hosts.ts";
import { claimUrls, markFetching } from "../../src/db/claim-urls.ts";
import type { Db } from "../../src/db/connect.ts";
import { claimContent, freeContent, ownerless } from "../../src/db/content.ts";
import {
  wakeDependants,
  wakeDuplicates,
  wakeStranded,
  wakeStrandedAfter,
  wakeThese,
} from "../../src/db/dependants.ts";
import { documentsAfter, documentsOf, saveDocuments } from "../../src/db/documents.ts";
import { comeDue, releaseStale } from "../../src/db/due.ts";
import {
  awaitSummaries,
  dueSummaries,
  endSummaryWaits,
  endWaits,
  waitingDocuments,
} from "../../src/db/enrichment.ts";
import { countRefusals } from "../../src/db/host-refusals.ts";
import {
  blockHostUrls,
  crawlHostUrlsNow,
  forgetHostUrls,
  forgottenHosts,
  reviveTrapped,
  unblockHostUrls,
} from "../../src/db/host-urls.ts";
import { dueHosts, nextTurnDue } from "../../src/db/hosts.ts";
import {
  doubtIndex,
  dueRepairs,
  endRepairs,
  repairsOf,
  storedMarks,
} from "../../src/db/index-repairs.ts";
import { claimModified, judgeClaims } from "../../src/db/lastmod-claims.ts";
import { applyUrls, deleteUrls, readUrlByKey, readUrls } from "../../src/db/operate-urls.ts";
import { forgetPages, takePages } from "../../src/db/page-keys.ts";
import { boostHosts } from "../../src/db/priority-boost.ts";
import { putOffUrls } from "../../src/db/put-off.ts";
import { noteRefusedSitemap, wakeRefusedSitemaps } from "../../src/db/refused-sitemaps.ts";
import { outOfRegionHosts } from "../../src/db/region-hosts.ts";
import { rescueTurns } from "../../src/db/rescue-turns.ts";
import { releaseUrls, settleUrls } from "../../src/db/settle-urls.ts";
import { addSitemaps, dueSitemaps, sitemapsOfHost } from "../../src/db/sitemaps.ts";
import { judgeSuspects } from "../../src/db/suspects.ts";
import { liftTraps, readTraps, saveLearned, trapsOfHost } from "../../src/db/traps.ts";
import { listUrls } from "../../src/db/urls-list.ts";
import {
  ageWorker,
  candidate,
  DAY_MS,
  documentOf,
  ending,
  endTurn,
  keyOf,
  living,
  makeDue,
  success,
  TTL_MS,
  takeTurn,
} from "./frontier.ts";

/** Every call of the frontier that runs often, or that meets a large host. */
export const CALLS: Record<string, (db: Db, hostId: number) => Promise<unknown>> = {
  "a visit from turn to end": async (db, hostId) => {
    const { token } = await turn(db, hostId);
    const urls = await claimUrls(db, [{ hostId, token, limit: 5 }]);
    await markFetching(
      db,
      urls.map(({ id }) => ({ id, token })),
    );
    await settleUrls(
      db,
      urls.map((url) => success(url, { nextCrawlAt: new Date() })),
    );
    await releaseUrls(db, token, [1]);
    await endNow(db, hostId, token);
  },
  admission: async (db) => {
    const rows = Array.from({ length: 200 }, (_, n) => candidate(`http://h${n}/new/${n}`));
    await admitUrls(db, [...rows, candidate("http://big.test/raised", { raise: true })]);
    await admitUrls(db, [candidate("http://big.test/raised", { raise: true, priority: 200 })]);
  },
  sitemaps: async (db, hostId) => {
    const found = Array.from({ length: 100 }, (_, n) => ({
      ...candidate(`http://h${n}/map/${n}.xml`),
      kind: n % 2 === 0 ? ("sitemap" as const) : ("feed" as const),
      origin: "robots" as const,
    }));
    await addSitemaps(db, found, ROOM_FOR_ALL);
    expect(await addSitemaps(db, found, ROOM_FOR_ALL)).toContainEqual({ kind: "known" });
    await dueSitemaps(db, [hostId, hostId + 1]);
    const [map] = await sitemapsOfHost(db, hostId, 1);
    const trust = await judgeClaims(db, map?.id ?? 1);
    await claimModified(
      db,
      [
        { key: keyOf("x"), lastmod: Date.now() },
        { key: found[0]!.key, lastmod: Date.now() },
      ],
      { trust, isBelieved: true },
    );
    await sitemapsOfHost(db, hostId, 50);
  },
  "hosts to be finished": async (db) => [await forgottenHosts(db), await outOfRegionHosts(db, 0)],
  "room for what was refused": async (db) => {
    await noteRefusedSitemap(db, 1, ["", "big.test", "unheard.test"]);
    await wakeRefusedSitemaps(db, ROOM_FOR_ALL, 20);
  },
  "priorities of a large host": async (db, hostId) => {
    await boostHosts(db, [{ id: hostId, boost: 2 }]);
  },
  traps: async (db, hostId) => {
    const counts = { pages: 9, dry: 4, barren: 4, seen: new Uint8Array(8), lookAt: null };
    const pattern = { hostId, pattern: "/item/0", ...counts, cutAt: Date.now(), isNew: true };
    const parameter = { hostId, name: "sid", same: 12, different: 0, neutralAt: Date.now() };
    await saveLearned(db, [pattern], [parameter]);
    await readTraps(db, [hostId, hostId + 1]);
    await takePages(db, [{ hostId, key: keyOf("page"), urlId: 1 }]);
    await trapsOfHost(db, hostId);
    await countRefusals(db, [{ host: "big.test", reason: "trap", count: 2 }]);
    await reviveTrapped(db, hostId, 0, 100);
    await liftTraps(db, hostId);
    await forgetPages(db, hostId, 10);
  },
  "due hosts": async (db) => [await dueHosts(db, 256), await nextTurnDue(db)],
  chores: async (db) => [await comeDue(db, 100), await releaseStale(db, 1_000)],
  rescue: async (db, hostId) => {
    const { workerId, token } = await turn(db, hostId);
    const [url] = await claimUrls(db, [{ hostId, token, limit: 1 }]);
    await markFetching(db, [{ id: url!.id, token }]);
    await ageWorker(db, workerId, TTL_MS + 1);
    await rescueTurns(db, { ttlMs: TTL_MS, crawlDelayMs: 1, turnMaxMs: DAY_MS });
    await judgeSuspects(db, () => "died", success);
    await makeDue(db, hostId);
  },
  content: async (db) => {
    const claims = [1, 2, 3].map((urlId) => ({ hash: keyOf(`plan ${urlId % 2}`), urlId }));
    await claimContent(db, claims);
    await claimContent(db, claims);
    await freeContent(db, [{ urlId: 1 }]);
    await ownerless(
      db,
      claims.map((claim) => ({ ...claim, ownerId: 1 })),
    );
  },
  "what counts on a page": async (db) => {
    await wakeDependants(db, [2, 3]);
    await wakeDuplicates(db, [2, 3]);
    await wakeThese(db, [2, 3]);
    await wakeStranded(db, [100, 200]);
    await wakeStrandedAfter(db, 0, 1_000);
    await chainFrom(db, keyOf("x"));
  },
  documents: async (db) => {
    await saveDocuments(db, [documentOf(1), documentOf(2)]);
    await documentsAfter(db, 100, 10);
  },
  enrichment: async (db) => {
    await saveDocuments(db, [documentOf(3, { contentHash: keyOf("enriched") })]);
    const waiting = (await waitingDocuments(db, 500)).filter(({ urlId }) => urlId === 3);
    await awaitSummaries(db, waiting);
    await endWaits(db, waiting);
    const due = await dueSummaries(db, 2);
    await endSummaryWaits(db, due);
    await documentsOf(db, [3]);
  },
  "the outbox to the index": async (db) => {
    await doubtIndex(db, [31, 32]);
    const due = await dueRepairs(db, 500);
    await storedMarks(
      db,
      (await repairsOf(db, [31, 32])).map(({ urlId }) => urlId),
    );
    await endRepairs(
      db,
      due.map((repair) => ({ ...repair, visits: 0, isDone: repair.urlId === 31 })),
    );
  },
  "moves by hand": async (db, hostId) => {
    const rows = await readUrls(db, [21, 22]);
    await applyUrls(
      db,
      rows.map((before) => ({ before, state: before.state, columns: {} })),
    );
    await deleteUrls(db, [23, 24]);
    await readUrlByKey(db, keyOf("x"));
    await wakeHosts(db, [hostId]);
  },
  "moves of a whole host": async (db, hostId) => {
    const until = new Date(Date.now() + DAY_MS);
    await putOffUrls(db, { hostId, prefix: "http://big.test/1", until }, 10);
    await crawlHostUrlsNow(db, hostId, 10);
    await blockHostUrls(db, hostId, 10);
    await unblockHostUrls(db, hostId, 5);
    await forgetHostUrls(db, hostId, 10);
  },
  "lists of the console": async (db) => {
    await listUrls(db, { sort: "newest", perPage: 20 });
    await listUrls(db, { sort: "newest", perPage: 20, state: "failed" });
    await listUrls(db, { sort: "oldest", perPage: 20, state: "failed", host: "big.test" });
  },
};

export async function turn(db: Db, hostId: number) {
  const request = { hostId, workerId: await living(db), token: crypto.randomUUID() };
  expect(await takeTurn(db, request)).not.toBeNull();
  return request;
}

export async function endNow(db: Db, hostId: number, token: string): Promise<void> {
  const end = ending({ hostId, token }, { nextFetchAt: new Date(0) });
  expect((await endTurn(db, end)).kind).toBe("ended");
}
