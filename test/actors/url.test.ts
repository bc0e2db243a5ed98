import { describe, expect, test } from "bun:test";
import { stepUrl } from "../../src/actors/step.ts";
import { NEW_URL } from "../../src/actors/url-columns.ts";
import type { UrlColumns } from "../../src/actors/url-event.ts";
import {
  after,
  DAY_MS,
  EVENTS,
  env,
  expectColumns,
  free,
  type LifeRow,
  stepped,
  urlRow,
} from "../support/url-row.ts";
import { visitRows } from "./url-visit-rows.ts";

const pending = urlRow("pending");
const fetching = urlRow("in_progress");
const due = (priority?: number): Partial<UrlColumns> => ({
  nextCrawlAt: after(0),
  attempts: 0,
  ...(priority === undefined ? {} : { priority }),
});

/** The table of the specification (crawl.md, section 1), its rows in its order. */
const life: Record<string, LifeRow[]> = {
  "(new) → pending: admitted": [
    [null, EVENTS.admitted, "pending", { priority: 120, nextCrawlAt: after(0) }, "due at once"],
    [null, { type: "admitted", priority: 999 }, "pending", { priority: 255 }, "0..255"],
  ],
  "(new) → done: collected": [
    [null, EVENTS.collected, "done", { reason: "collected" }, "by a collector"],
    [
      urlRow("done", { reason: "collected" }),
      EVENTS.admitted,
      "pending",
      { ...due(120), reason: null },
      "crawled only if the crawl admits it",
    ],
  ],
  "pending → in_progress: claimed": [
    [
      pending,
      EVENTS.claimed,
      "in_progress",
      { leaseToken: EVENTS.claimed.token, claimedAt: after(0) },
      "under a token",
    ],
  ],
  "in_progress → pending: released": [
    [
      urlRow("in_progress", { attempts: 2 }),
      EVENTS.released,
      "pending",
      { ...free },
      "attempts unchanged",
    ],
    [
      fetching,
      { type: "released", reason: "host unavailable", notBefore: after(9_000) },
      "pending",
      { ...free, nextCrawlAt: after(9_000) },
      "behind its siblings",
    ],
  ],
  ...visitRows,
  "in_progress, pending → blocked": [
    [fetching, EVENTS["host blocked"], "blocked", { ...free, reason: "host blocked" }, "fetching"],
    [pending, EVENTS["host blocked"], "blocked", { reason: "host blocked" }, "waiting"],
    [
      urlRow("blocked"),
      EVENTS["host unblocked"],
      "pending",
      { ...due(), reason: null },
      "unblock brings pending back",
    ],
  ],
  "in_progress → pending: lease expired or worker gone": (
    ["worker died", "lease expired"] as const
  ).flatMap((type): LifeRow[] => [
    [
      urlRow("in_progress", { attempts: 1 }),
      { type, fetching: true },
      "pending",
      { ...free, crashes: 1, nextCrawlAt: after(5_000) },
      "the one being fetched, behind its siblings",
    ],
    [
      urlRow("in_progress", { crashes: 2 }),
      { type, fetching: false },
      "pending",
      { ...free },
      "the rest of the batch loses nothing",
    ],
  ]),
  "done, failed → pending": (["done", "failed"] as const).flatMap((state): LifeRow[] => {
    const over = { attempts: 4, crashes: 3, hops: 5 };
    const revived = { ...due(), crashes: 0, reason: null };
    const comeDue = after(-1);
    return [
      [
        urlRow(state, over),
        EVENTS["submitted again"],
        "pending",
        { ...revived, priority: 220, hops: 0 },
        "submitted again",
      ],
      [urlRow(state, over), EVENTS["operator retried"], "pending", revived, "operator retry"],
      [
        urlRow(state, { ...over, nextCrawlAt: comeDue }),
        EVENTS["came due"],
        "pending",
        { ...revived, nextCrawlAt: comeDue },
        "its own time",
      ],
    ];
  }),
  "pending, done, failed → pending: crawl now": [
    [
      urlRow("pending", { nextCrawlAt: after(DAY_MS), attempts: 2 }),
      EVENTS["crawl now"],
      "pending",
      due(255),
      "before its time",
    ],
    [urlRow("done"), EVENTS["crawl now"], "pending", due(255), "done"],
    [urlRow("failed"), EVENTS["crawl now"], "pending", due(255), "failed"],
  ],
  "done, failed unchanged: host blocked": [
    [urlRow("done"), EVENTS["host blocked"], "done", {}, "not revisited while blocked"],
    [urlRow("failed"), EVENTS["host blocked"], "failed", {}, "not revisited while blocked"],
  ],
  "any but in_progress → (removed)": (["pending", "done", "failed", "blocked"] as const).map(
    (state) => [urlRow(state), EVENTS.dropped, "removed", {}, "by an operator"],
  ),
  "done → pending: target left": (["duplicate", "canonical"] as const).map((reason) => [
    urlRow("done", { reason, targetId: 7 }),
    EVENTS["target left"],
    "pending",
    { ...due(), targetId: null, reason: null },
    "what it points at left the index",
  ]),
};

describe.each(Object.entries(life))("%s", (_, rows) => {
  test.each(rows.map((row): [string, LifeRow] => [`${row[1].type}: ${row[4]}`, row]))(
    "%s",
    (_, [from, event, to, columns]) => {
      const step = stepped(stepUrl(from, event, env));
      expect<string>(step.state).toBe(to);
      expectColumns({ ...NEW_URL, ...from, ...step.columns }, columns);
    },
  );
});
