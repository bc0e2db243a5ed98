import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { stepUrl } from "../../src/actors/step.ts";
import type { UrlEvent } from "../../src/actors/url-event.ts";
import type { UrlRow } from "../../src/db/admit-urls.ts";
import type { Db } from "../../src/db/connect.ts";
import { wakeDependants } from "../../src/db/dependants.ts";
import { comeDue } from "../../src/db/due.ts";
import { blockHostUrls, unblockHostUrls } from "../../src/db/host-urls.ts";
import { setHostState } from "../../src/db/hosts.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { releaseTurns, releaseUrls } from "../../src/db/settle-urls.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { admitPaths, claimAll, DAY_MS, turnAt } from "./frontier.ts";

const database = await testDatabase({ max: 4 });
const { db } = database;
afterAll(() => database.close());

const HOUR_MS = 3_600_000;
const config = { retryBaseMs: 60_000, recrawlMinMs: HOUR_MS, recrawlMaxMs: 720 * HOUR_MS };

/** Rows of every kind that a life leaves behind. */
const KINDS = [
  { state: "pending", dueInMs: -HOUR_MS, intervalS: 86_400, reason: null },
  { state: "pending", dueInMs: 30 * DAY_MS, intervalS: null, reason: "timeout" },
  { state: "done", dueInMs: -HOUR_MS, intervalS: null, reason: "duplicate" },
  { state: "done", dueInMs: 30 * DAY_MS, intervalS: null, reason: "canonical" },
  { state: "done", dueInMs: -HOUR_MS, intervalS: null, reason: "redirected" },
  { state: "done", dueInMs: null, intervalS: null, reason: "collected" },
  { state: "failed", dueInMs: -HOUR_MS, intervalS: -604_800, reason: "tls" },
  { state: "failed", dueInMs: 30 * DAY_MS, intervalS: null, reason: "gone" },
  { state: "failed", dueInMs: null, intervalS: null, reason: "rejected" },
  { state: "blocked", dueInMs: null, intervalS: null, reason: "host blocked" },
] as const;

const TARGET = 1;

/** What the store does to many rows at once, and the event that the machine hears for each. */
const MOVES: [string, UrlEvent, (hostId: number) => Promise<unknown>][] = [
  ["come due", { type: "came due" }, () => comeDue(db, 100)],
  ["block a host", { type: "host blocked" }, (id) => blockHostUrls(db, id, 100)],
  ["unblock a host", { type: "host unblocked" }, (id) => unblockHostUrls(db, id, 100)],
  ["wake dependants", { type: "target left" }, () => wakeDependants(db, [TARGET])],
];

test.each(MOVES)("%s moves rows as the machine of a URL does", async (name, event, move) => {
  const host = `${name.replaceAll(" ", "-")}.test`;
  const ids = await admitPaths(
    db,
    host,
    KINDS.map((_, at) => `/${at}`),
  );
  for (const [at, kind] of KINDS.entries()) await shape(db, ids[at]!, kind);
  const { id } = await hostNamed(db, host);
  if (event.type === "host blocked") {
    await setHostState(db, { id, state: "blocked", reason: null, nextTurnAt: null });
  }
  const before = await readUrls(db, ids);
  await move(id);
  const after = new Map((await readUrls(db, ids)).map((row) => [row.id, row]));
  let moved = 0;
  for (const row of before) {
    const step = stepUrl(row, event, { now: Date.now(), random: 0, config });
    const wanted =
      step.kind === "stepped" ? { ...row, ...step.columns, state: step.state as "pending" } : row;
    if (step.kind === "stepped" && step.state !== row.state) moved++;
    expect(comparable(after.get(row.id)!)).toEqual(comparable(wanted));
  }
  expect(moved).toBeGreaterThan(0);
});

test("a release gives back as the machine does", async () => {
  await admitPaths(db, "release.test", ["/1", "/2"]);
  const turn = await turnAt(db, "release.test");
  const [first, second] = await claimAll(db, turn);
  const notBefore = new Date(Date.now() + HOUR_MS);
  await releaseUrls(db, turn.token, [first!.id], notBefore);
  await releaseTurns(db, [turn.token]);
  const env = { now: Date.now(), random: 0, config };
  const reason = "host unavailable";
  for (const [row, event] of [
    [first!, { type: "released", reason, notBefore }],
    [second!, { type: "released", reason }],
  ] as const) {
    const step = stepUrl(row, event, env);
    if (step.kind !== "stepped") throw new Error("ignored");
    const wanted = { ...row, ...step.columns, state: step.state };
    expect((await readUrls(db, [row.id]))[0]! as unknown).toEqual(wanted);
  }
});

async function shape(db: Db, id: number, kind: (typeof KINDS)[number]): Promise<void> {
  await db.execute(
    sql`update urls set state = ${kind.state}, reason = ${kind.reason}, attempts = 2, crashes = 1,
      misses = 1, visits = 5, interval_s = ${kind.intervalS}::int, etag = '"e"',
      last_modified = 'then', content_hash = gen_random_uuid(),
      target_id = case when ${kind.state} = 'done' then ${TARGET}::int end,
      next_crawl_at = clock_timestamp() + ${kind.dueInMs}::float8 * interval '1 ms'
      where id = ${id}`,
  );
}

/** To the minute: the store's now is not the test's. */
function comparable(row: UrlRow) {
  const minute = row.nextCrawlAt && Math.round((row.nextCrawlAt.getTime() - Date.now()) / 60_000);
  return { ...row, nextCrawlAt: minute === null ? null : minute + 0 };
}
