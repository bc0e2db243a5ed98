import type { UrlEvent } from "../../src/actors/url-event.ts";
import {
  after,
  DAY_MS,
  EVENTS,
  free,
  HOUR_MS,
  INDEXED,
  type LifeRow,
  urlRow,
} from "../support/url-row.ts";

const fetching = urlRow("in_progress");
const indexed = urlRow("in_progress", INDEXED);
const transient: UrlEvent = { type: "failed transiently", reason: "timeout" };

/** The rows of the life cycle in which a visit ends, for url.test.ts. */
export const visitRows: Record<string, LifeRow[]> = {
  "in_progress → pending: success": [
    [
      urlRow("in_progress", { attempts: 2, crashes: 2, reason: "timeout" }),
      EVENTS.succeeded,
      "pending",
      {
        ...free,
        nextCrawlAt: after(DAY_MS),
        attempts: 0,
        crashes: 0,
        reason: null,
        status: 200,
        intervalS: 86_400,
        visits: 1,
        visitedAt: after(0),
        crawledAt: after(0),
        etag: '"2"',
        contentHash: "22222222-2222-2222-2222-222222222222",
      },
      "the first: a day",
    ],
    [
      indexed,
      EVENTS.succeeded,
      "pending",
      {
        nextCrawlAt: after(12 * HOUR_MS),
        intervalS: 43_200,
        changes: 1,
        visits: 2,
        visitedAt: after(0),
        crawledAt: INDEXED.crawledAt!,
      },
      "changed: half",
    ],
    [
      urlRow("in_progress", { ...INDEXED, misses: 1 }),
      EVENTS.succeeded,
      "pending",
      { misses: 0 },
      "the next 404 is a first one again",
    ],
    [
      indexed,
      { ...EVENTS.succeeded, changed: false, contentHash: INDEXED.contentHash! },
      "pending",
      { nextCrawlAt: after(36 * HOUR_MS), intervalS: 129_600, visits: 2 },
      "unchanged: half as much again",
    ],
    [
      indexed,
      EVENTS["not modified"],
      "pending",
      { nextCrawlAt: after(36 * HOUR_MS), intervalS: 129_600, status: 304, visits: 2 },
      "304: the same",
    ],
    [
      indexed,
      { type: "not modified", etag: '"3"' },
      "pending",
      { etag: '"3"', intervalS: 129_600 },
      "304 renews a validator",
    ],
  ],
  "in_progress → pending: transient error": [
    [
      fetching,
      transient,
      "pending",
      { ...free, attempts: 1, reason: "timeout", nextCrawlAt: after(60_000 * 1.125) },
      "first retry",
    ],
    [
      urlRow("in_progress", { attempts: 1 }),
      transient,
      "pending",
      { attempts: 2, nextCrawlAt: after(120_000 * 1.125) },
      "second",
    ],
    [
      urlRow("in_progress", { attempts: 2 }),
      { ...transient, status: 503 },
      "pending",
      { attempts: 3, status: 503, nextCrawlAt: after(240_000 * 1.125) },
      "third",
    ],
    [
      fetching,
      EVENTS["not modified"],
      "pending",
      { attempts: 1, reason: "unasked 304", status: 304 },
      "304 without a document",
    ],
    [
      urlRow("in_progress", { etag: '"1"', lastModified: "x" }),
      EVENTS["not modified"],
      "pending",
      { etag: null, lastModified: null },
      "asked again without validators",
    ],
  ],
  "in_progress → pending: first 404 of an indexed URL": [
    [
      indexed,
      EVENTS["not found"],
      "pending",
      { misses: 1, status: 404, reason: "not found", nextCrawlAt: after(DAY_MS) },
      "once more in a day",
    ],
  ],
  "in_progress → done": (
    ["robots", "redirected", "duplicate", "noindex", "canonical", "not a page"] as const
  ).map(
    (reason): LifeRow => [
      urlRow("in_progress", { attempts: 1 }),
      { type: "settled", reason },
      "done",
      { ...free, reason, attempts: 0, nextCrawlAt: after(30 * DAY_MS), visits: 1 },
      "looked at again after 30 days",
    ],
  ),
  "in_progress → failed": [
    [
      fetching,
      EVENTS["failed permanently"],
      "failed",
      { ...free, reason: "too large", status: 200, nextCrawlAt: null },
      "permanent",
    ],
    [
      urlRow("in_progress", { ...INDEXED, misses: 1 }),
      EVENTS["failed permanently"],
      "failed",
      { misses: 0, nextCrawlAt: after(7 * DAY_MS), contentHash: INDEXED.contentHash! },
      "no 404 in a row; the document stays",
    ],
    [
      urlRow("in_progress", { attempts: 3 }),
      transient,
      "failed",
      { attempts: 4, reason: "timeout", nextCrawlAt: null },
      "the 4th transient",
    ],
    [
      urlRow("in_progress", { attempts: 3 }),
      EVENTS["not modified"],
      "failed",
      { attempts: 4, reason: "unasked 304" },
      "the 4th transient",
    ],
    [
      urlRow("in_progress", { crashes: 2 }),
      EVENTS["worker died"],
      "failed",
      { ...free, crashes: 3, reason: "crashes", nextCrawlAt: after(7 * DAY_MS) },
      "the 3rd crash, looked at again in case the page was not to blame",
    ],
    [
      urlRow("in_progress", { crashes: 2 }),
      EVENTS["lease expired"],
      "failed",
      { crashes: 3, reason: "crashes", nextCrawlAt: after(7 * DAY_MS) },
      "the 3rd crash",
    ],
    [
      urlRow("in_progress", { ...INDEXED, crashes: 2, intervalS: (-7 * DAY_MS) / 1_000 }),
      EVENTS["worker died"],
      "failed",
      { crashes: 3, reason: "crashes", nextCrawlAt: after(14 * DAY_MS) },
      "with a document as any failure",
    ],
    [fetching, EVENTS["not found"], "failed", { reason: "not found", status: 404 }, "no document"],
    [fetching, EVENTS.gone, "failed", { reason: "gone", status: 410 }, "410 at once"],
  ],
};
