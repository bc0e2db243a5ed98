import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { admitUrls } from "../../src/db/admit-urls.ts";
import { claimUrls, markFetching } from "../../src/db/claim-urls.ts";
import { conservation, countUrlsByState } from "../../src/db/counts.ts";
import { wakeDependants } from "../../src/db/dependants.ts";
import { comeDue, releaseStale, wakeOverlooked } from "../../src/db/due.ts";
import { blockHostUrls, forgetHostUrls, unblockHostUrls } from "../../src/db/host-urls.ts";
import { type HostState, setHostState } from "../../src/db/hosts.ts";
import { deleteUrls } from "../../src/db/operate-urls.ts";
import { rescueTurns } from "../../src/db/rescue-turns.ts";
import { releaseTurns, releaseUrls, type SettleRow, settleUrls } from "../../src/db/settle-urls.ts";
import { judgeSuspects } from "../../src/db/suspects.ts";
import { testDatabase } from "../support/database.ts";
import {
  ageWorker,
  candidate,
  DAY_MS,
  ending,
  endTurn,
  living,
  success,
  TTL_MS,
  takeTurn,
} from "./frontier.ts";

const database = await testDatabase({ max: 6 });
const { db } = database;
afterAll(() => database.close());

const HOSTS = 3;
const URLS = 30;

interface Turn {
  hostId: number;
  token: string;
  workerId: string;
}

/** Everything that may happen to the frontier, in any order; `n` chooses among what there is. */
const operations: Record<string, (n: number, turns: Turn[]) => Promise<unknown>> = {
  admit: (n) =>
    admitUrls(
      db,
      Array.from({ length: 1 + (n % 9) }, (_, at) => {
        const url = (n * 7 + at * 3) % URLS;
        const more = { priority: (n + at) % 256, raise: n % 4 === 0, lane: (n % 2) as 0 | 1 };
        return candidate(`http://h${url % HOSTS}.law.test/${url}`, more);
      }),
    ),
  begin: async (n, turns) => {
    const hostId = await hostAt(n);
    const workerId = await living(db);
    const turn = { hostId, workerId, token: crypto.randomUUID() };
    if (await takeTurn(db, turn)) turns.push(turn);
  },
  claimAndSettle: async (n, turns) => {
    const turn = turns[n % Math.max(1, turns.length)];
    if (!turn) return;
    const urls = await claimUrls(db, [{ ...turn, limit: 1 + (n % 6) }]);
    const ends: ((url: (typeof urls)[number]) => SettleRow)[] = [
      (url) => success(url, { nextCrawlAt: new Date() }),
      (url) => success(url, { state: "done", reason: "duplicate", targetId: (n % 9) + 1 }),
      (url) => success(url, { state: "failed", reason: "gone", nextCrawlAt: new Date() }),
      (url) => success(url, { leaseToken: crypto.randomUUID() }),
    ];
    await settleUrls(
      db,
      urls.slice(n % 2).map((url, at) => ends[(n + at) % ends.length]!(url)),
    );
    await markFetching(
      db,
      urls.slice(0, 1).map(({ id }) => ({ id, token: turn.token })),
    );
  },
  release: async (n, turns) => {
    const turn = turns[n % Math.max(1, turns.length)];
    if (!turn) return;
    if (n % 3 === 0) return await releaseTurns(db, [turn.token]);
    const held = await database.sql`select id::int from urls where lease_token = ${turn.token}`;
    const ids = held.slice(n % 2).map(({ id }) => id as number);
    return await releaseUrls(db, turn.token, ids, n % 2 ? new Date() : null);
  },
  end: async (n, turns) => {
    const [turn] = turns.splice(n % Math.max(1, turns.length), 1);
    if (!turn) return;
    await endTurn(db, ending(turn, { state: n % 3 === 0 ? "backing_off" : "active" }));
  },
  die: async (n, turns) => {
    const [turn] = turns.splice(n % Math.max(1, turns.length), 1);
    if (turn) await ageWorker(db, turn.workerId, TTL_MS + 1);
    await rescueTurns(db, { ttlMs: TTL_MS, crawlDelayMs: 1, turnMaxMs: DAY_MS });
    const verdict = (["died", "lives", "unsure"] as const)[n % 3]!;
    await judgeSuspects(
      db,
      () => verdict,
      (url) => ({
        ...url,
        crashes: url.crashes + 1,
        state: url.crashes > 1 ? "failed" : "pending",
      }),
    );
  },
  state: async (n) => {
    const states: HostState[] = ["blocked", "active", "paused", "dead", "parked"];
    const nextTurnAt = n % 2 ? new Date() : ("when due" as const);
    const state = states[n % states.length]!;
    await setHostState(db, { id: await hostAt(n >> 3), state, reason: null, nextTurnAt });
  },
  block: async (n) => blockHostUrls(db, await hostAt(n), 1 + (n % 5)),
  unblock: async (n) => unblockHostUrls(db, await hostAt(n), 1 + (n % 5)),
  forget: async (n) => forgetHostUrls(db, await hostAt(n), 1 + (n % 4)),
  drop: (n) => deleteUrls(db, [n % 50, (n + 1) % 50]),
  wake: (n) => wakeDependants(db, [(n % 9) + 1]),
  chores: async () => {
    await comeDue(db, 5);
    await releaseStale(db, 0);
    await wakeOverlooked(db);
  },
};

async function hostAt(n: number): Promise<number> {
  const rows = await db.execute<{ id: number }>(sql`select id from hosts order by id`);
  return rows[n % Math.max(1, rows.length)]?.id ?? 0;
}

const step = fc.record({
  what: fc.constantFrom(...Object.keys(operations)),
  n: fc.nat({ max: 10_000 }),
});

test("accepted = sum of states + removed, whatever happens, in a row or at once", async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 10, maxLength: 60 }),
    fc.integer({ min: 1, max: 5 }),
    async (steps, atOnce) => {
      await db.execute(sql`truncate urls, hosts, counters, documents restart identity`);
      const turns: Turn[] = [];
      for (let at = 0; at < steps.length; at += atOnce) {
        const some = steps.slice(at, at + atOnce);
        await Promise.all(some.map(({ what, n }) => operations[what]!(n, turns)));
      }
      await checkLaw();
    },
  );
  await fc.assert(property, { numRuns: 40, endOnFailure: true });
}, 120_000);

async function checkLaw(): Promise<void> {
  const law = await conservation(db);
  expect(law.accepted).toBe(law.present + law.removed);
  const { due: _, ...states } = await countUrlsByState(db);
  expect(Object.values(states).reduce((a, b) => a + b)).toBe(law.present);
  // What a lost worker was fetching keeps its lease until it is known whether it died on it.
  const wrong = await db.execute<{ what: string }>(sql`
    select 'count of ' || h.name as what from hosts h
      where url_count <> (select count(*) from urls u where u.host_id = h.id)
    union all
    select 'host without a way back: ' || name from hosts h
      where next_turn_at is null and turn_token is null and state not in ('paused', 'blocked')
        and exists (select from urls u where u.host_id = h.id and u.state = 'pending')
    union all
    select 'claim without a turn: ' || u.url from urls u join hosts h on h.id = u.host_id
      where u.state = 'in_progress' and h.turn_token is distinct from u.lease_token
        and not exists (select from workers w where w.lost_at is not null
          and w.report -> 'suspects' ? u.lease_token::text)`);
  expect([...wrong]).toEqual([]);
}
