import { afterAll, expect, test } from "bun:test";
import { hostname } from "node:os";
import { systemClock } from "../../src/clock.ts";
import { rescue, THIS_LIFE } from "../../src/crawl/rescue.ts";
import { beat, livingWorkers } from "../../src/db/workers.ts";
import { silentLog } from "../../src/log.ts";
import { LEASE_TTL_MS } from "../../src/visit/heartbeat.ts";
import { testConfig } from "../support/crawl.ts";
import { testDatabase } from "../support/database.ts";
import { MemoryIndex } from "../support/memory-index.ts";

const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());

const deps = {
  db,
  index: new MemoryIndex(),
  config: testConfig(),
  clock: systemClock,
  log: silentLog,
  random: () => 0,
  wake: () => {},
};

async function deadPid(): Promise<number> {
  const child = Bun.spawn(["true"]);
  await child.exited;
  return child.pid;
}

test("dead at once are those of this machine whose process is gone, or was an earlier one", async () => {
  const here = hostname();
  const gone = await deadPid();
  const workers: [
    name: string,
    hostname: string,
    pid: number,
    life: string | null,
    lives: boolean,
  ][] = [
    ["this process", here, process.pid, THIS_LIFE, true],
    ["an earlier process of the same number", here, process.pid, crypto.randomUUID(), false],
    ["one of the same number that says nothing", here, process.pid, null, false],
    ["another that lives", here, process.ppid, crypto.randomUUID(), true],
    ["another that is gone", here, gone, crypto.randomUUID(), false],
    ["one elsewhere", "elsewhere", gone, crypto.randomUUID(), true],
  ];
  const named = new Map<string, string>();
  for (const [name, hostname, pid, life] of workers) {
    const id = crypto.randomUUID();
    named.set(id, name);
    const report = life === null ? {} : { report: { life } };
    await beat(db, { id, hostname, pid, roles: ["crawl"], ...report }, LEASE_TTL_MS);
  }
  await rescue(deps);
  const living = (await livingWorkers(db)).map(({ id }) => named.get(id));
  expect(living.sort()).toEqual(
    workers.flatMap(([name, , , , lives]) => (lives ? name : [])).sort(),
  );
});
