import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { admitUrls } from "../../src/db/admit-urls.ts";
import {
  blockHostUrls,
  forgetHost,
  forgetHostUrls,
  unblockHostUrls,
} from "../../src/db/host-urls.ts";
import { setHostState } from "../../src/db/hosts.ts";
import { deleteUrls } from "../../src/db/operate-urls.ts";
import { type SettleItem, settleGroup } from "../../src/db/settle-group.ts";
import { run } from "../../src/db/statement.ts";
import { seededChance } from "../support/chance.ts";
import { testDatabase } from "../support/database.ts";
import { candidate, claimAll, documentOf, settlement, success, turnAt } from "./frontier.ts";

const database = await testDatabase({ max: 6 });
const { db } = database;
afterAll(() => database.close());

const SETTLES = 10_000;
const HOSTS = 4;
const URLS = 40;
const chance = seededChance(20_261_130);
const below = (n: number) => Math.floor(chance() * n);
const hostAt = (n: number) => `h${n % HOSTS}.region.test`;
const pages = (host: string) =>
  Array.from({ length: URLS }, (_, at) => candidate(`http://${host}/${at}`));

interface Sums {
  name: string;
  kept_sum: number;
  kept_count: number;
  sum: number;
  count: number;
}

/** What the hosts keep beside what their documents add up to. */
const sums = () =>
  run<Sums>(
    db,
    sql`select h.name, h.region_sum as kept_sum, h.region_count as kept_count,
        coalesce(sum(d.region_score), 0)::integer as sum, count(d.region_score)::integer as count
      from hosts h left join urls u on u.host_id = h.id left join documents d on d.url_id = u.id
      group by h.id order by h.name`,
  );

/** The ends that a visit may have. */
function endOf(url: Parameters<typeof settlement>[0]): SettleItem {
  const soon = { nextCrawlAt: new Date() };
  const regionScore = chance() < 0.15 ? null : below(1_001);
  switch (below(6)) {
    case 0:
      return settlement(url, {
        row: success(url, { ...soon, intervalS: null }),
        removesDocument: true,
      });
    case 1:
      return settlement(url, { row: success(url, soon) });
    case 2: {
      const row = success(url, { ...soon, leaseToken: crypto.randomUUID() });
      return settlement(url, { row, document: documentOf(url.id, { regionScore }) });
    }
    default: {
      const document = documentOf(url.id, { regionScore });
      return settlement(url, { row: success(url, soon), document });
    }
  }
}

let settled = 0;
let killed = 0;

/** One turn of a host: all that it claims is settled in one group, or lost with its connection. */
async function turn(host: string): Promise<void> {
  await db.execute(sql`update hosts set turn_token = null, next_turn_at = clock_timestamp(),
    next_fetch_at = null where name = ${host} and state = 'active'`);
  const taken = await turnAt(db, host).catch(() => null);
  if (taken === null) return;
  const claimed = await claimAll(db, taken, 1 + below(32));
  const settle = settleGroup(db, claimed.map(endOf)).then(
    (group) => {
      settled += group.settled.size;
    },
    () => {
      killed++;
    },
  );
  if (below(12) === 0) await killTransactions();
  await settle;
}

/** Cuts off every transaction that is under way, wherever it is. */
async function killTransactions(): Promise<void> {
  const kill = sql`select pg_cancel_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend'`;
  await db.execute(kill).catch(() => {});
}

/** A statement may be cut off by a kill that was meant for another. */
async function insisting<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (tries > 20) throw error;
    }
  }
}

/** What operators do beside. */
async function operate(n: number): Promise<void> {
  const host = hostAt(n);
  const [row] = await run<{ id: number }>(db, sql`select id from hosts where name = ${host}`);
  if (!row) return;
  const some = await run<{ id: string }>(
    db,
    sql`select id from urls where host_id = ${row.id}::integer order by id
      offset ${below(URLS)}::integer limit 5`,
  );
  switch (below(4)) {
    case 0:
      await setHostState(db, { id: row.id, state: "blocked", reason: null, nextTurnAt: null });
      await blockHostUrls(db, row.id, 1_000);
      await setHostState(db, { id: row.id, state: "active", reason: null, nextTurnAt: new Date() });
      await unblockHostUrls(db, row.id, 1_000);
      return;
    case 1:
      await forgetHostUrls(db, row.id, 1_000);
      await forgetHost(db, row.id);
      return;
    default:
      await deleteUrls(
        db,
        some.map(({ id }) => Number(id)),
      );
  }
}

test("after 10,000 settles, kills and what operators do: the sums are those of the documents", async () => {
  // Whether a kill meets a settle is chance.
  const isEnough = () => settled >= SETTLES && killed > 10;
  for (let round = 0; !isEnough(); round++) {
    if (round % 4 === 0) {
      await insisting(() =>
        admitUrls(db, Array.from({ length: HOSTS }, (_, at) => pages(hostAt(at))).flat()),
      );
    }
    // What a kill left claimed.
    const release = sql`update urls set state = 'pending', lease_token = null, claimed_at = null,
      fetching_at = null where state = 'in_progress'`;
    await insisting(() => db.execute(release));
    const works = Array.from({ length: HOSTS }, (_, at) => turn(hostAt(at)));
    if (round % 3 === 0) works.push(operate(below(HOSTS)));
    await Promise.allSettled(works);
    if (round % 20 === 0) await expectSums();
  }
  await expectSums();
  expect((await insisting(sums)).some(({ count }) => count > 0)).toBe(true);
}, 170_000);

async function expectSums(): Promise<void> {
  for (const { name, kept_sum, kept_count, sum, count } of await insisting(sums)) {
    expect({ name, sum: kept_sum, count: kept_count }).toEqual({ name, sum, count });
  }
}
