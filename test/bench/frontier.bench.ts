/**
 * A large frontier: `bun run bench frontier [urls 200000] [--keep folder]`
 *
 * The store makes URLs of 70 characters, 200 a host, in the Postgres that the program carries, with
 * the program's own settings; then: claims at hosts that are due, the choice of due hosts,
 * admission of link batches of which 90 % are known, disk a URL, groups of settles, and the memory
 * of this process against that of one that did the same with 10,000 URLs. `--keep` uses the data of
 * a former run again, and leaves it there. Prints one JSON value.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { admitUrls } from "../../src/db/admit-urls.ts";
import { claimUrls } from "../../src/db/claim-urls.ts";
import { openDatabase } from "../../src/db/connect.ts";
import { startEmbedded } from "../../src/db/embedded.ts";
import { dueHosts } from "../../src/db/hosts.ts";
import { migrate } from "../../src/db/migrate.ts";
import { silentLog } from "../../src/log.ts";
import { seeded } from "./corpus.ts";
import { fill, frontierOf, hostName, rowAt } from "./frontier-rows.ts";
import { settleGroups } from "./settle-groups.ts";
import { spreadOf, usageOf } from "./usage.ts";

const { values: options, positionals } = parseArgs({
  options: { keep: { type: "string" }, memory: { type: "boolean", default: false } },
  allowPositionals: true,
});
const frontier = frontierOf(Number(positionals[0] ?? 200_000));
const SMALL = 10_000;
const CLAIMS = 300;
const CLAIM_MAX = 32;
/** Links of a group commit of 32 pages. */
const BATCH = 960;
const BATCHES = 60;
const DUE_FEW = 50;

const dataDir = options.keep ?? mkdtempSync(join(tmpdir(), "trawl-bench-"));
const started = await startEmbedded({ dataDir, log: silentLog });
if (started.kind !== "running") throw new Error(started.message);
await migrate(started.url);
const database = await openDatabase({ url: started.url, max: 4 });
const { db, sql } = database;
const random = seeded(Date.now());
try {
  const filled = await fillOnce();
  const claim = await claims();
  const admission = await admitKnown();
  const bytes = await bytesPerUrl();
  const groups = { of32: await settleGroups(db, sql, 32), of64: await settleGroups(db, sql, 64) };
  // The last: it rewrites every host.
  const choice = await choiceOfHosts();
  const memoryMb = await residentMb();
  const figures = { ...frontier, filled, claim, choice, admission, bytes, settleGroup: groups };
  if (options.memory) console.log(JSON.stringify({ memoryMb }));
  else console.log(JSON.stringify({ ...figures, memory: await memoryBeside(memoryMb) }, null, 2));
} finally {
  await database.close();
  await started.stop();
  if (!options.keep) rmSync(dataDir, { recursive: true, force: true });
}

async function fillOnce(): Promise<{ seconds: number } | "kept"> {
  const [there] = await sql`select max(id) from urls`;
  if (there!.max !== null) return "kept";
  const began = performance.now();
  await fill(sql, frontier);
  return { seconds: Math.round((performance.now() - began) / 1_000) };
}

/** The cost of a tick among all hosts and among few; medians, the better of two turns each. */
async function choiceOfHosts() {
  const best = { all: Number.POSITIVE_INFINITY, few: Number.POSITIVE_INFINITY };
  const choose = async (among: keyof typeof best) => {
    await sql`vacuum (analyze) hosts`;
    const { p50 } = await spreadOf(500, () => dueHosts(db, DUE_FEW));
    best[among] = Math.min(best[among], p50);
  };
  for (let round = 0; round < 2; round++) {
    await choose("all");
    await sql`update hosts set next_turn_at = next_turn_at + interval '9 days'
      where id > ${DUE_FEW}`;
    await choose("few");
    await sql`update hosts set next_turn_at = next_turn_at - interval '9 days'
      where id > ${DUE_FEW}`;
  }
  const ratio = Math.round((100 * best.all) / best.few) / 100;
  return { ms: best.all, msAmong50: best.few, ratio };
}

/** Nine in ten are known, from anywhere in the frontier: the worst for every cache. */
async function admitKnown() {
  let fresh = frontier.urls + Math.floor(random() * 1e9);
  const batch = () =>
    Array.from({ length: BATCH }, (_, at) =>
      rowAt(at % 10 === 0 ? fresh++ : Math.floor(random() * frontier.urls), frontier),
    );
  const batches = Array.from({ length: BATCHES }, batch);
  const first = await admitUrls(db, batch());
  const admitted = first.filter(({ kind }) => kind === "admitted").length;
  if (admitted !== BATCH / 10) throw new Error(`${admitted} of ${BATCH} were new`);
  const room = { hostUrlsMax: 1e6, frontierUrlsMax: 1e10 };
  return await usageOf(sql, BATCH * BATCHES, async () => {
    for (const rows of batches) await admitUrls(db, rows, [], room);
  });
}

/** One host at a time, as the worst that a claim meets: its pages are in no cache of the store. */
async function claims() {
  const turns = new Map<number, { hostId: number; token: string; limit: number }>();
  while (turns.size < Math.min(CLAIMS, frontier.hosts)) {
    const token = crypto.randomUUID();
    const name = hostName(Math.floor(random() * frontier.hosts));
    const [host] = await sql`update hosts set turn_token = ${token}, turn_started_at = now()
      where name = ${name} and turn_token is null returning id`;
    if (host) turns.set(host.id, { hostId: host.id, token, limit: CLAIM_MAX });
  }
  const requests = [...turns.values()];
  const claim = async (n: number) => {
    const claimed = await claimUrls(db, [requests[n]!]);
    if (claimed.length === 0) throw new Error("nothing was due");
  };
  // A server that has just started plans and reads its catalogue first.
  const warm = Math.floor(requests.length / 10);
  for (let n = 0; n < warm; n++) await claim(n);
  const spread = await spreadOf(requests.length - warm, (n) => claim(n + warm));
  const tokens = requests.map(({ token }) => token);
  await sql`update urls set state = 'pending', lease_token = null, claimed_at = null
    where state = 'in_progress' and lease_token = any(${tokens}::uuid[])`;
  await sql`update hosts set turn_token = null where turn_token is not null`;
  return { batch: CLAIM_MAX, ms: spread };
}

async function bytesPerUrl(): Promise<Record<string, number>> {
  const indexes =
    await sql`select indexrelname as name, pg_relation_size(indexrelid)::float8 as size
    from pg_stat_user_indexes where relname = 'urls' and pg_relation_size(indexrelid) > 100000`;
  const [all] = await sql`select pg_total_relation_size('urls')::float8 as size,
    (select count(*)::float8 from urls) as urls`;
  const sizes = [{ name: "all", size: all!.size }, ...indexes];
  return Object.fromEntries(sizes.map(({ name, size }) => [name, Math.round(size / all!.urls)]));
}

/** What stays when nothing is under way: freed pages go back a moment after the collection. */
async function residentMb(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    Bun.gc(true);
    await Bun.sleep(500);
  }
  return Math.round(process.memoryUsage.rss() / 1e6);
}

async function memoryBeside(mb: number) {
  const child = Bun.spawn([process.execPath, import.meta.path, String(SMALL), "--memory"], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const { memoryMb } = JSON.parse(await new Response(child.stdout).text());
  return { mb, mbAt10000: memoryMb, ratio: Math.round((100 * mb) / memoryMb) / 100 };
}
