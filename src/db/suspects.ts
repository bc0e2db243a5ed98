import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { uuids } from "./bulk.ts";
import { changeHosts, dueNow, type HostChange } from "./change-hosts.ts";
import type { ClaimedUrl } from "./claim-urls.ts";
import type { Db } from "./connect.ts";
import { wakeStranded } from "./dependants.ts";
import { urls } from "./schema/urls.ts";
import { giveBackAll, type SettleRow, settleUrls } from "./settle-urls.ts";
import { run } from "./statement.ts";
import { retrying } from "./store-errors.ts";
import type { WorkerRow } from "./workers.ts";

/** `unsure`: may come back, may be gone; it is asked again. */
export type Verdict = "died" | "lives" | "unsure";

/** A worker that was given up, with the leases of rows that it was fetching then. */
export interface LostWorker extends Pick<WorkerRow, "id" | "pid" | "report"> {
  readonly suspects: readonly string[];
  /** Its process has given a life sign since, under a new id. */
  readonly isBack: boolean;
  /** Since it was given up, by the store's clock. */
  readonly lostMs: number;
}

interface UrlOfHost {
  readonly id: number;
  readonly hostId: number;
}

export interface Judged {
  /** Their worker died: settled. */
  readonly crashed: UrlOfHost[];
  /** Their worker was out of touch and lives: given back unchanged. */
  readonly released: UrlOfHost[];
}

/** Workers judged in one transaction; the next call goes on. */
const WORKERS_MAX = 100;

/**
 * Decides on the rows that lost workers were fetching. Silence is no proof: a store that stalls
 * makes every worker silent at once. Who died has crashed on its rows: those are settled as `crash`
 * steps them (the machine of a URL decides, not the store); who lives gets them back unchanged.
 */
export function judgeSuspects(
  db: Db,
  verdictOf: (worker: LostWorker) => Verdict,
  crash: (url: ClaimedUrl) => SettleRow,
): Promise<Judged> {
  return retrying(db, async (tx) => {
    const judged = (await lockLost(tx)).map((worker) => ({ ...worker, is: verdictOf(worker) }));
    const tokensOf = (verdict: Verdict) =>
      uuids(judged.flatMap(({ is, suspects }) => (is === verdict ? suspects : [])));
    const decided = judged.flatMap(({ is, id }) => (is === "unsure" ? [] : id));
    if (decided.length === 0) return { crashed: [], released: [] };
    const crashed = await suspects(tx, tokensOf("died"));
    const settles = crashed.map(crash);
    await settleUrls(tx, settles);
    const ended = settles.filter((row) => row.state === "failed" && row.intervalS === null);
    const stranded = await wakeStranded(
      tx,
      ended.map((row) => row.id),
    );
    const released = await giveBack(tx, tokensOf("lives"));
    await run(
      tx,
      sql`update workers set report = report - 'suspects' where id = any(${uuids(decided)})`,
    );
    await changeHosts(tx, [
      ...crashed.flatMap(({ hostId }, at) => comesAgain(hostId, settles[at]!)),
      ...released.map(({ hostId }) => dueNow(hostId)),
      ...stranded.map(dueNow),
    ]);
    return { crashed, released };
  });
}

async function lockLost(tx: Db): Promise<LostWorker[]> {
  return await run<LostWorker>(
    tx,
    sql`select w.id, w.pid, w.report, w.report -> 'suspects' as suspects,
        extract(epoch from clock_timestamp() - w.lost_at)::float8 * 1000 as "lostMs",
        exists (
          select from workers b where b.id <> w.id and b.report ->> 'life' = w.report ->> 'life'
            and b.started_at > w.beat_at
        ) as "isBack"
      from workers w where w.lost_at is not null and w.report ? 'suspects'
      order by w.lost_at limit ${WORKERS_MAX}::integer
      for no key update of w skip locked`,
  );
}

async function suspects(tx: Db, tokens: SQL): Promise<ClaimedUrl[]> {
  const rows = await tx
    .select(getTableColumns(urls))
    .from(urls)
    .where(
      sql`${urls.state} = 'in_progress' and ${urls.leaseToken} = any(${tokens})
        and ${urls.fetchingAt} is not null`,
    )
    .orderBy(urls.id)
    .for("no key update");
  return rows as ClaimedUrl[];
}

async function giveBack(tx: Db, tokens: SQL): Promise<UrlOfHost[]> {
  return await run<UrlOfHost>(
    tx,
    sql`${giveBackAll(tokens)} returning id::float8, host_id as "hostId"`,
  );
}

function comesAgain(hostId: number, { state, nextCrawlAt }: SettleRow): HostChange[] {
  return state === "pending" && nextCrawlAt !== null ? [{ hostId, due: nextCrawlAt }] : [];
}
