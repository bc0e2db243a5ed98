import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { sql } from "drizzle-orm";
import { type Fate, fateOf, THIS_PROCESS } from "../../src/crawl/process-life.ts";
import { rescue, verdictOf } from "../../src/crawl/rescue.ts";
import { markFetching } from "../../src/db/claim-urls.ts";
import { readHost } from "../../src/db/hosts.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { beat, livingWorkers } from "../../src/db/workers.ts";
import { silentLog } from "../../src/log.ts";
import { LEASE_TTL_MS } from "../../src/visit/heartbeat.ts";
import { admitPaths, ageWorker, claimAll, DAY_MS, makeDue, turnAt } from "../db/frontier.ts";
import { testDatabase } from "../support/database.ts";
import { MemoryIndex } from "../support/memory-index.ts";
import { operateDeps } from "../support/operate.ts";
import { hostNamed } from "../support/rows.ts";

const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());

const deps = operateDeps({ db, index: new MemoryIndex(), log: silentLog });

async function deadPid(): Promise<number> {
  const child = Bun.spawn(["true"]);
  await child.exited;
  return child.pid;
}

const own = THIS_PROCESS;
const other = { ...own, life: crypto.randomUUID() };
const gone = await deadPid();
const parentBegan = beganOf(process.ppid);

/** Of another process of this machine; null: that cannot be told here. */
function beganOf(pid: number): string | null {
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return null;
  return readFileSync(stat, "utf8").split(") ").at(-1)!.split(" ")[19]!;
}

/** whose, number, what it says of itself, what has become of it */
const PROCESSES: [name: string, pid: number, report: object | null, fate: Fate][] = [
  ["this process", process.pid, own, "alive"],
  ["an earlier one of the same number", process.pid, { ...other, began: "1" }, "gone"],
  [
    "one of the same number in another container",
    process.pid,
    { ...other, place: "there" },
    "unknown",
  ],
  ["another that lives", process.ppid, { ...other, began: parentBegan }, "alive"],
  ["another that is gone", gone, other, "gone"],
  ["one elsewhere", gone, { ...other, place: "elsewhere" }, "unknown"],
  ["one that says nothing", gone, null, "unknown"],
];
if (parentBegan !== null) {
  const report = { ...other, began: "1" };
  PROCESSES.push(["one whose number another has now", process.ppid, report, "gone"]);
}

test.each(PROCESSES)("what has become of %s", (_, pid, report, fate) => {
  expect(fateOf({ pid, report })).toBe(fate);
});

test("given up at once are those whose process is gone for certain", async () => {
  const named = new Map<string, string>();
  for (const [name, pid, report] of PROCESSES) {
    const id = crypto.randomUUID();
    named.set(id, name);
    const worker = { id, hostname: hostname(), pid, roles: ["crawl"] };
    await beat(db, { ...worker, ...(report && { report }) }, LEASE_TTL_MS);
  }
  await rescue(deps);
  const living = (await livingWorkers(db)).map(({ id }) => named.get(id));
  const expected = PROCESSES.flatMap(([name, , , fate]) => (fate === "gone" ? [] : name));
  expect(living.sort()).toEqual(expected.sort());
});

const LONG_MS = 60_000;

test.each([
  [{ isBack: false, lostMs: 0 }, "gone", "died", "killed: at once"],
  [{ isBack: false, lostMs: 0 }, "alive", "unsure", "frozen, or about to be killed"],
  [{ isBack: false, lostMs: 0 }, "unknown", "unsure", "elsewhere: it may come back"],
  [{ isBack: false, lostMs: LONG_MS }, "alive", "lives", "frozen for long, and not gone"],
  [{ isBack: false, lostMs: LONG_MS }, "unknown", "died", "elsewhere, and not back in time"],
  [{ isBack: true, lostMs: 0 }, "alive", "lives", "it could not reach the store"],
  [{ isBack: true, lostMs: 0 }, "unknown", "lives", "the same elsewhere"],
  [{ isBack: true, lostMs: 0 }, "gone", "lives", "killed later, under its new id"],
] as const)("%j, its process %s: %s (%s)", (worker, fate, verdict, _why) => {
  expect(verdictOf(worker, fate)).toBe(verdict);
});

describe("pages in flight", () => {
  /** A page of a host of its own that this process fetches, under a worker id of its own. */
  const fetching = async (name: string, report: object): Promise<Flight> => {
    const [urlId] = await admitPaths(db, name, ["/slow"]);
    const { id: hostId } = await hostNamed(db, name);
    return await refetching({ urlId: urlId!, hostId, workerId: "" }, report);
  };
  const again = async ({ urlId, hostId }: Flight) => {
    await db.execute(sql`update urls set next_crawl_at = now() where id = ${urlId}`);
    await makeDue(db, hostId);
  };
  const rowOf = async ({ urlId }: Flight) => (await readUrls(db, [urlId]))[0]!;

  test("a store that stalls three times blames no page: the process lives, and comes back", async () => {
    let flight = await fetching("innocent.test", own);
    for (let stall = 1; stall <= 3; stall++) {
      await db.execute(sql`update workers set started_at = started_at - interval '1 minute'`);
      await ageWorker(db, flight.workerId, 12_000);
      await rescue(deps);
      // Its host is free already, the page itself waits until the process has said that it lives.
      expect((await readHost(db, flight.hostId))!.turnToken).toBeNull();
      expect(await rowOf(flight)).toMatchObject({ state: "in_progress", crashes: 0 });
      const back = { id: crypto.randomUUID(), hostname: hostname(), pid: process.pid };
      await beat(db, { ...back, roles: ["crawl"], report: own }, LEASE_TTL_MS);
      expect(await rescue(deps)).toContain(flight.hostId);
      expect(await rowOf(flight)).toMatchObject({ state: "pending", crashes: 0, attempts: 0 });
      await again(flight);
      flight = await refetching(flight, own);
    }
  });

  test("a page that its worker died on three times has failed, and is looked at again", async () => {
    let flight = await fetching("killer.test", { ...other, began: "1" });
    for (let death = 1; death <= 3; death++) {
      expect(await rescue(deps)).toContain(flight.hostId);
      expect((await rowOf(flight)).crashes).toBe(death);
      if (death === 3) break;
      await again(flight);
      flight = await refetching(flight, { ...other, life: crypto.randomUUID(), began: "1" });
    }
    const { state, reason, nextCrawlAt } = await rowOf(flight);
    expect({ state, reason }).toEqual({ state: "failed", reason: "crashes" });
    expect(nextCrawlAt!.getTime()).toBeGreaterThan(Date.now() + 6 * DAY_MS);
  });

  const refetching = async (flight: Flight, report: object): Promise<Flight> => {
    const workerId = crypto.randomUUID();
    const worker = { id: workerId, hostname: hostname(), pid: process.pid, roles: ["crawl"] };
    await beat(db, { ...worker, report }, LEASE_TTL_MS);
    const { name } = (await readHost(db, flight.hostId))!;
    const turn = await turnAt(db, name, workerId);
    await claimAll(db, turn);
    await markFetching(db, [{ id: flight.urlId, token: turn.token }]);
    return { ...flight, workerId };
  };
});

interface Flight {
  readonly urlId: number;
  readonly hostId: number;
  readonly workerId: string;
}
