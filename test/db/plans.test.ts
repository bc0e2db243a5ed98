import { afterAll, describe, expect, test } from "bun:test";
import { claimUrls, markFetching } from "../../src/db/claim-urls.ts";
import type { Database, Db } from "../../src/db/connect.ts";
import { saveDocuments } from "../../src/db/documents.ts";
import { releaseStale } from "../../src/db/due.ts";
import { dueHosts } from "../../src/db/hosts.ts";
import { releaseTurns, settleUrls } from "../../src/db/settle-urls.ts";
import { oldestDatabase, testDatabase } from "../support/database.ts";
import { documentOf, success } from "./frontier.ts";
import { pagesOf, plansOf, scansOf } from "./plan-of.ts";
import { CALLS, endNow, turn } from "./planned-calls.ts";
import { VISIT_CALLS } from "./planned-visits.ts";

const FUTURE = 500_000;
const DUE = 10;
const HOSTS = 50_000;

for (const [name, database] of [
  ["the embedded Postgres", await testDatabase()],
  ["Postgres 15", await oldestDatabase()],
] as const) {
  if (database) describe(name, () => suiteOn(database));
}

function suiteOn(database: Database): void {
  let filled: Promise<number> | undefined;
  const big = () => {
    filled ??= fill(database);
    return filled;
  };
  afterAll(() => database.close());
  const timeoutMs = 180_000;

  test(
    "a claim at a host of 500,000 future URLs and 10 due takes under 5 ms",
    async () => await claimIsCheap(database, await big()),
    timeoutMs,
  );
  test(
    "a settle reads its own rows, whatever is claimed that no statistics know of",
    async () => await settleReadsItsOwn(database, await big()),
    timeoutMs,
  );
  test(
    "choosing the next host costs the same among 50,000 as among 50",
    async () => {
      await big();
      await choosingIsCheap(database);
    },
    timeoutMs,
  );
  test.each(Object.entries({ ...CALLS, ...VISIT_CALLS }))(
    "%s scans no table of the frontier",
    async (_, call) => {
      const hostId = await big();
      const plans = await plansOf(database, (spy) => call(spy, hostId));
      expect(plans.length).toBeGreaterThan(0);
      for (const plan of plans) expect(scansOf(plan)).toEqual([]);
    },
    timeoutMs,
  );
}

async function claimIsCheap(database: Database, hostId: number): Promise<void> {
  const { db } = database;
  const { token } = await turn(db, hostId);
  const claim = (by: Db) => claimUrls(by, [{ hostId, token, limit: 32 }]);
  const times: number[] = [];
  for (let round = 0; round < 20; round++) {
    const began = performance.now();
    const claimed = await claim(db);
    times.push(performance.now() - began);
    expect(claimed).toHaveLength(DUE);
    await releaseTurns(db, [token]);
  }
  times.sort((a, b) => a - b);
  console.log(`claim: best ${times[0]!.toFixed(2)} ms, median ${times[10]!.toFixed(2)} ms`);
  expect(times[0]!).toBeLessThan(5);
  // Pages touched do not depend on how busy the machine is.
  const plans = await plansOf(database, claim, { analyze: true });
  expect(plans).toHaveLength(1);
  for (const plan of plans) expect(pagesOf(plan)).toBeLessThan(1_000);
  await endNow(db, hostId, token);
}

async function settleReadsItsOwn(database: Database, hostId: number): Promise<void> {
  const { db } = database;
  await database.sql`update urls set state = 'in_progress', lease_token = gen_random_uuid(),
    claimed_at = now() where id % 100 = 7`;
  const { token } = await turn(db, hostId);
  const urls = await claimUrls(db, [{ hostId, token, limit: 5 }]);
  const settled = urls.map((url) => success(url, { nextCrawlAt: new Date() }));
  const marks = urls.map(({ id }) => ({ id, token }));
  const work = async (spy: Db) => {
    await markFetching(spy, marks);
    await settleUrls(spy, settled);
  };
  const plans = await plansOf(database, work, { analyze: true });
  expect(plans).toHaveLength(2);
  for (const plan of plans) expect(pagesOf(plan)).toBeLessThan(200);
  await releaseStale(db, 0);
  await endNow(db, hostId, token);
}

async function choosingIsCheap({ db, sql }: Database): Promise<void> {
  const best = async () => {
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 300; round++) {
      const began = performance.now();
      expect(await dueHosts(db, 32)).toHaveLength(32);
      least = Math.min(least, performance.now() - began);
    }
    return least;
  };
  await sql`update hosts set next_turn_at = now() where name like 'h%'`;
  await sql`vacuum analyze hosts`;
  const among50k = await best();
  await sql`update hosts set next_turn_at = null where name like 'h%' and id % 1000 <> 0`;
  await sql`vacuum analyze hosts`;
  const among50 = await best();
  console.log(`next host: ${among50k.toFixed(3)} ms of 50,000, ${among50.toFixed(3)} ms of 50`);
  expect(among50k / among50).toBeLessThan(1.5);
}

/** One host of half a million URLs of 20 priorities, a few due, and 50,000 other hosts. */
async function fill({ sql, db }: Database): Promise<number> {
  await sql`insert into hosts (name, domain, next_turn_at, lane)
    select 'h' || n, 'd', now() + n * interval '1 second', (n % 2)::smallint
    from generate_series(1, ${HOSTS}::int) n`;
  const [host] = await sql`insert into hosts (name, domain, next_turn_at, url_count)
    values ('big.test', 'big.test', now(), 0) returning id`;
  const indexes = await sql`select indexname, indexdef from pg_indexes
    where tablename = 'urls' and indexdef not like 'CREATE UNIQUE%'`;
  for (const { indexname } of indexes) await sql.unsafe(`drop index ${indexname}`);
  await sql`insert into urls (host_id, key, via, url, priority, next_crawl_at)
    select ${host!.id}::int, gen_random_uuid(), 'link', 'http://big.test/' || n, n % 20 * 5,
      now() + case when n <= ${DUE} then interval '-1 hour'
        else interval '1 day' + n * interval '1 second' end
    from generate_series(1, ${FUTURE + DUE}::int) n`;
  await sql`update urls set state = 'failed', reason = 'gone', next_crawl_at = null, target_id = 1
    where id % 100 = 0 and next_crawl_at > now()`;
  for (const { indexdef } of indexes) await sql.unsafe(indexdef);
  await sql`update hosts set url_count = ${FUTURE + DUE}::int where id = ${host!.id}`;
  await saveDocuments(
    db,
    Array.from({ length: 5_000 }, (_, n) => documentOf(n + 1)),
  );
  await sql`insert into content_owners
    select gen_random_uuid(), n from generate_series(1, 5000) n`;
  await sql`insert into index_repairs
    select n, now() + n * interval '1 second' from generate_series(1, 200000) n`;
  await sql`insert into robots (authority, host_id, expires_at)
    select 'http://h' || n, n, now() from generate_series(1, 50000) n`;
  await sql`insert into host_links select n, n % 977 + n % 13 * 1000 + 1
    from generate_series(1, 50000) n`;
  await sql`insert into addresses (address, holder, next_start_at)
    select 'a' || n, case when n % 100 = 0 then gen_random_uuid() end, now()
    from generate_series(1, 50000) n`;
  await sql`insert into visits (url_id, host_id, settled_at, outcome, state)
    select n, n % 100, now() - n * interval '1 second', 'fetched', 'pending'
    from generate_series(1, 50000) n`;
  await sql`vacuum analyze`;
  return host!.id;
}
