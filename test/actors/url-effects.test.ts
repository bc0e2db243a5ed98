import { describe, expect, test } from "bun:test";
import { stepUrl } from "../../src/actors/step.ts";
import type { UrlEffect, UrlEvent, UrlRow, UrlState } from "../../src/actors/url-event.ts";
import {
  after,
  DAY_MS,
  EVENTS,
  env,
  expectColumns,
  INDEXED,
  stepped,
  urlRow,
} from "../support/url-row.ts";

const remove: UrlEffect = { type: "remove document" };
const free: UrlEffect = { type: "free content", contentHash: INDEXED.contentHash! };
const wake: UrlEffect = { type: "wake dependants" };
const stranded: UrlEffect = { type: "wake stranded" };
const leave = [remove, free, wake, stranded];
const indexed = urlRow("in_progress", INDEXED);
const fetching = urlRow("in_progress");
const crashed = urlRow("in_progress", { crashes: 1 });
const target = "https://b.example/y";
const settled = (over: Partial<UrlEvent & { type: "settled" }>): UrlEvent => ({
  ...EVENTS.settled,
  ...over,
});

describe("effects", () => {
  const rows: [from: UrlRow, event: UrlEvent, effects: UrlEffect[], why: string][] = [
    [fetching, EVENTS.succeeded, [], "indexed before it is settled"],
    [
      indexed,
      EVENTS.succeeded,
      [free, { type: "wake duplicates" }],
      "another main text now: the old one is searchable under a duplicate, if there is one",
    ],
    [
      urlRow("in_progress", { ...INDEXED, contentHash: null }),
      EVENTS.succeeded,
      [],
      "nobody is a duplicate of a text too short",
    ],
    [
      indexed,
      { ...EVENTS.succeeded, contentHash: INDEXED.contentHash! },
      [],
      "the same text is kept",
    ],
    [indexed, EVENTS["not modified"], [], "304 keeps the document"],
    [indexed, EVENTS["failed transiently"], [], "a transient error keeps the document"],
    [
      urlRow("in_progress", { ...INDEXED, attempts: 3 }),
      EVENTS["failed transiently"],
      [],
      "so does the 4th",
    ],
    [indexed, EVENTS["failed permanently"], [], "a failure keeps the document"],
    [indexed, EVENTS["not found"], [], "the first 404 keeps the document"],
    [
      urlRow("in_progress", { ...INDEXED, misses: 1 }),
      EVENTS["not found"],
      leave,
      "the second does not",
    ],
    [indexed, EVENTS.gone, leave, "410 at once"],
    [indexed, settled({ reason: "noindex" }), leave, "noindex at once"],
    [indexed, settled({ reason: "robots" }), leave, "robots refusal at once"],
    [
      urlRow("in_progress", { ...INDEXED, contentHash: null }),
      EVENTS.gone,
      [remove, wake, stranded],
      "a text too short to be compared",
    ],
    [fetching, EVENTS.gone, [stranded], "nothing was there, but others may count on it"],
    [fetching, EVENTS["not found"], [stranded], "nothing was there"],
    [fetching, EVENTS["failed permanently"], [stranded], "nothing was there"],
    [fetching, settled({ reason: "robots" }), [stranded], "nothing was there"],
    [
      urlRow("in_progress", { attempts: 3 }),
      EVENTS["failed transiently"],
      [stranded],
      "the 4th, and nothing was there",
    ],
    [
      urlRow("in_progress", { crashes: 2 }),
      EVENTS["worker died"],
      [remove, stranded],
      "the 3rd crash",
    ],
    [
      fetching,
      settled({ reason: "duplicate" }),
      [remove, stranded],
      "the loser of two in flight is indexed",
    ],
    [crashed, EVENTS.gone, [remove, stranded], "a crash may have left one in the index"],
    [
      crashed,
      EVENTS["failed permanently"],
      [remove, stranded],
      "a crash may have left one in the index",
    ],
    [crashed, EVENTS.succeeded, [], "and this one is indexed"],
    [indexed, EVENTS["host blocked"], leave, "a block takes documents out"],
    [urlRow("failed", INDEXED), EVENTS["host blocked"], leave, "also of a failed URL"],
    [urlRow("pending", INDEXED), EVENTS.dropped, leave, "row and document leave"],
    [urlRow("failed"), EVENTS.dropped, [remove, stranded], "whatever the row says"],
    [urlRow("blocked"), EVENTS["host unblocked"], [{ type: "wake host", lane: 1 }], "due again"],
    [urlRow("pending"), EVENTS["crawl now"], [{ type: "wake host", lane: 0 }], "first lane"],
    [urlRow("done"), EVENTS["submitted again"], [{ type: "wake host", lane: 0 }], "first lane"],
  ];
  test.each(rows.map((row): [string, ...typeof row] => [row[3], ...row]))(
    "%s",
    (_, from, event, effects) => {
      expect(stepped(stepUrl(from, event, env)).effects).toEqual(effects);
    },
  );
});

describe("a redirect or canonical", () => {
  const source = urlRow("in_progress", { priority: 200, depth: 3, hops: 2 });

  test.each([
    ["redirected", "redirect"],
    ["canonical", "canonical"],
  ] as const)("%s: its target is admitted with depth and priority of the source", (reason, via) => {
    const step = stepped(stepUrl(source, settled({ reason, target, targetId: 9 }), env));
    expect(step.state).toBe("done");
    expect(step.columns.targetId).toBe(9);
    expect(step.effects).toEqual([
      stranded,
      { type: "admit target", url: target, via, depth: 3, hops: 3, priority: 200 },
    ]);
  });

  test("without a target is done all the same", () => {
    const { effects } = stepped(stepUrl(source, settled({ reason: "redirected" }), env));
    expect(effects).toEqual([stranded]);
  });

  test("to itself, or one hop too far, is a failure and admits nothing", () => {
    const itself = settled({ reason: "redirected", target: source.url });
    expect(stepUrl(source, itself, env)).toMatchObject({
      state: "failed",
      columns: { reason: "redirect loop" },
      effects: [stranded],
    });
    const far = urlRow("in_progress", { hops: 5 });
    expect(stepUrl(far, settled({ reason: "redirected", target }), env)).toMatchObject({
      state: "failed",
      columns: { reason: "too many redirects" },
      effects: [stranded],
    });
  });
});

describe("a failed URL", () => {
  test("with a document is tried again after 7 days, then twice as long up to 90", () => {
    let row: UrlRow = indexed;
    const days: number[] = [];
    for (let i = 0; i < 6; i++) {
      const { columns } = stepped(stepUrl(row, EVENTS["failed permanently"], env));
      days.push((columns.nextCrawlAt!.getTime() - env.now) / DAY_MS);
      row = { ...row, ...columns, nextCrawlAt: after(-1), state: "failed" };
      row = { ...row, ...stepped(stepUrl(row, EVENTS["came due"], env)).columns, state: "pending" };
      row = { ...row, ...stepped(stepUrl(row, EVENTS.claimed, env)).columns, state: "in_progress" };
    }
    expect(days).toEqual([7, 14, 28, 56, 90, 90]);
    const back = stepped(stepUrl(row, EVENTS["not modified"], env));
    expectColumns(back.columns, { intervalS: 86_400, nextCrawlAt: after(DAY_MS) });
  });

  test("of TLS is tried again after a day, document or not", () => {
    for (const row of [indexed, fetching]) {
      const event: UrlEvent = { type: "failed permanently", reason: "tls" };
      const { columns } = stepped(stepUrl(row, event, env));
      expect(columns.nextCrawlAt).toEqual(after(DAY_MS));
    }
  });

  test("whose document a block took comes back when the block goes", () => {
    const row = urlRow("failed", { ...INDEXED, nextCrawlAt: after(DAY_MS) });
    const { state, columns } = stepped(stepUrl(row, EVENTS["host blocked"], env));
    expect(state).toBe("failed");
    expectColumns(columns, { nextCrawlAt: after(0), intervalS: null, etag: null });
  });
});

test("a page that left the index is fetched without validators when it comes back", () => {
  const { columns } = stepped(stepUrl(indexed, settled({ reason: "noindex" }), env));
  expectColumns(columns, { etag: null, lastModified: null, intervalS: null });
  expect(columns.contentHash).toBeNull();
});

describe("ignored, so that nothing is written", () => {
  const accepted: Record<UrlState, UrlEvent["type"][]> = {
    pending: ["claimed", "host blocked", "submitted again", "crawl now", "dropped"],
    in_progress: [
      ...(["released", "succeeded", "not modified", "failed transiently", "not found"] as const),
      ...(["gone", "settled", "failed permanently", "worker died", "lease expired"] as const),
      ...(["host blocked", "submitted again"] as const),
    ],
    done: ["submitted again", "operator retried", "crawl now", "host blocked", "dropped"],
    failed: ["submitted again", "operator retried", "crawl now", "host blocked", "dropped"],
    blocked: ["host unblocked", "dropped"],
  };
  const types = Object.keys(EVENTS) as UrlEvent["type"][];
  const rows = (Object.keys(accepted) as UrlState[]).flatMap((state) =>
    types.map((type) => [state, type, !accepted[state].includes(type)] as const),
  );
  test.each(rows)("in %s, %s: %p", (state, type, ignored) => {
    const event = EVENTS[type];
    expect(stepUrl(urlRow(state), event, env).kind === "ignored").toBe(ignored);
  });

  const guarded: [from: UrlRow, event: UrlEvent, why: string][] = [
    [urlRow("pending", { nextCrawlAt: after(1) }), EVENTS.claimed, "not due"],
    [urlRow("pending", { priority: 220 }), EVENTS["submitted again"], "a priority only rises"],
    [urlRow("done", { nextCrawlAt: after(1) }), EVENTS["came due"], "not due"],
    [urlRow("failed", { nextCrawlAt: null }), EVENTS["came due"], "never due"],
    [urlRow("done", { reason: "redirected" }), EVENTS["target left"], "no document shared"],
    [urlRow("done", { reason: "noindex" }), EVENTS.admitted, "a known URL keeps its row"],
  ];
  const named = guarded.map((row): [string, ...typeof row] => [row[2], ...row]);
  test.each(named)("%s", (_, row, event) => {
    expect(stepUrl(row, event, env)).toEqual({ kind: "ignored" });
  });
});
