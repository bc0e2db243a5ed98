import { readFileSync } from "node:fs";
import { type AdmitRow, admitUrls } from "../../src/db/admit-urls.ts";
import { type ClaimedUrl, claimUrls } from "../../src/db/claim-urls.ts";
import { settleUrls } from "../../src/db/settle-urls.ts";
import { candidate, DAY_MS, keyOf, success } from "../db/frontier.ts";
import { testDatabase } from "../support/database.ts";
import { seeded } from "./corpus.ts";

/*
 * bun test/bench/frontier.bench.ts [urls 200000]
 *
 * Fills a frontier with URLs of 70 characters, admits batches of which 90 % are known, claims and
 * settles; prints one JSON object. TRAWL_TEST_DATABASE_URL names another server than the private
 * one, which does not wait for the disk. CPU says more than rates where cores are shared.
 */
const [count = 200_000] = process.argv.slice(2).map(Number);
const BATCH = 500;
const GROUP = 50;
const HOST_URLS = 1_000;

const database = await testDatabase({ max: 2 });
const { db, sql } = database;
const random = seeded(7);
const hosts = Math.ceil(count / HOST_URLS);

try {
  const fresh = await timed(count, () => fill());
  const bytes = await bytesPerUrl();
  await sql`vacuum analyze`;
  const known = await timed(100_000, () => admitKnown(100_000));
  const claimed: ClaimedUrl[] = [];
  const claim = await timed(10_000, () => claimAll(claimed, 10_000));
  const settle = await timed(claimed.length, () => settleAll(claimed));
  console.log(JSON.stringify({ count, fresh, bytes, known90: known, claim, settle }, null, 2));
} finally {
  await database.close();
}
// The shared server of the tests keeps a connection of its own.
process.exit(0);

function rowAt(n: number): AdmitRow {
  const host = `host-${n % hosts}.example.org`;
  const url = `https://${host}/section-${n % 97}/article-${n}`.padEnd(70, "x");
  return { ...candidate(url), priority: 91 + (n % 4) * 3, depth: 3 };
}

/** Batches as a group commit brings them: links of a few hosts. */
async function fill(): Promise<void> {
  for (let n = 0; n < count; n += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - n) }, (_, at) => rowAt(n + at));
    await admitUrls(db, rows);
  }
}

async function admitKnown(total: number): Promise<void> {
  for (let n = 0; n < total; n += BATCH) {
    const from = Math.floor(random() * (count - BATCH));
    await admitUrls(
      db,
      Array.from({ length: BATCH }, (_, at) => rowAt(at % 10 === 0 ? count + n + at : from + at)),
    );
  }
}

async function claimAll(claimed: ClaimedUrl[], total: number): Promise<void> {
  await sql`update hosts set turn_token = gen_random_uuid()`;
  const turns = await sql`select id, turn_token from hosts order by id`;
  const requests = turns.map((row) => ({ hostId: row.id, token: row.turn_token, limit: 20 }));
  for (let at = 0; claimed.length < total; at = (at + 50) % requests.length) {
    claimed.push(...(await claimUrls(db, requests.slice(at, at + 50))));
  }
}

async function settleAll(claimed: readonly ClaimedUrl[]): Promise<void> {
  const more = { etag: '"5f3a-abc123def"', lastModified: "Wed, 21 Oct 2015 07:28:00 GMT" };
  const mixed = claimed.toSorted((a, b) => (keyOf(a.url) < keyOf(b.url) ? -1 : 1));
  for (let at = 0; at < mixed.length; at += GROUP) {
    const nextCrawlAt = new Date(Date.now() + DAY_MS * (1 + random()));
    const group = mixed.slice(at, at + GROUP).map((url) => success(url, { ...more, nextCrawlAt }));
    const settled = await settleUrls(db, group);
    if (settled.size !== group.length) throw new Error("a lease was lost");
  }
}

async function bytesPerUrl(): Promise<Record<string, number>> {
  const rows = await sql`select indexrelname as name, pg_relation_size(indexrelid)::float8 as size
    from pg_stat_user_indexes where relname = 'urls' and pg_relation_size(indexrelid) > 8192`;
  const [all] = await sql`select pg_total_relation_size('urls')::float8 as size`;
  const sizes = [{ name: "all", size: all!.size }, ...rows];
  return Object.fromEntries(sizes.map(({ name, size }) => [name, Math.round(size / count)]));
}

/** Rows a second, and microseconds of CPU a row: of the store's backends and of this process. */
async function timed(rows: number, work: () => Promise<void>) {
  const [storeBefore, own, began] = [await storeCpuMs(), process.cpuUsage(), performance.now()];
  await work();
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(own);
  const storeMs = (await storeCpuMs()) - storeBefore;
  return {
    perSecond: Math.round(rows / seconds),
    storeMicros: Math.round((storeMs * 1_000) / rows),
    ownMicros: Math.round((user + system) / rows),
  };
}

/** CPU that the backends of our connections have used, where Linux tells. */
async function storeCpuMs(): Promise<number> {
  const rows = await sql`select pid from pg_stat_activity where datname = current_database()`;
  let ticks = 0;
  for (const { pid } of rows) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
      ticks += Number(stat[11]) + Number(stat[12]);
    } catch {
      // Another machine, or another system: no figure.
    }
  }
  return ticks * 10;
}
