import { afterAll, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import {
  forgetAddresses,
  freeAddresses,
  freeDeadAddresses,
  takeAddresses,
  wantedAddresses,
} from "../../src/db/addresses.ts";
import { forgetWorker } from "../../src/db/workers.ts";
import { testDatabase } from "../support/database.ts";
import { until } from "../support/until.ts";
import { ageWorker, living, TTL_MS } from "./frontier.ts";

const database = await testDatabase({ max: 20 });
const { db } = database;
afterAll(() => database.close());

const take = async (address: string, workerId: string, ipDelayMs = 100) =>
  (await takeAddresses(db, { workerId, ttlMs: TTL_MS, ipDelayMs }, [address]))[0]!;

test("many in one statement, in order: free, another's, asked twice", async () => {
  const [first, second] = [await living(db), await living(db)];
  await take("192.0.2.22", first);
  const asked = ["192.0.2.23", "192.0.2.22", "192.0.2.21", "192.0.2.23"];
  const taker = { workerId: second, ttlMs: TTL_MS, ipDelayMs: 100 };
  const kinds = (await takeAddresses(db, taker, asked)).map(({ kind }) => kind);
  expect(kinds).toEqual(["held", "wanted", "held", "held"]);
  expect(await wantedAddresses(db, first)).toEqual(["192.0.2.22"]);
});

test("an address goes from worker to worker, and its spacing with it", async () => {
  const [first, second] = [await living(db), await living(db)];
  expect((await take("192.0.2.1", first)).kind).toBe("held");
  expect((await take("192.0.2.1", first)).kind).toBe("held");
  expect(await wantedAddresses(db, first)).toEqual([]);
  expect(await take("192.0.2.1", second)).toEqual({ kind: "wanted" });
  expect(await wantedAddresses(db, first)).toEqual(["192.0.2.1"]);
  expect(await wantedAddresses(db, second)).toEqual([]);

  const nextStartAt = new Date(Date.now() + 30_000);
  await freeAddresses(db, second, [{ address: "192.0.2.1", nextStartAt }]);
  expect(await take("192.0.2.1", second)).toEqual({ kind: "wanted" });
  await freeAddresses(db, first, [{ address: "192.0.2.1", nextStartAt }]);
  expect(await take("192.0.2.1", second)).toEqual({ kind: "held", startsAt: nextStartAt });
  expect(await wantedAddresses(db, second)).toEqual([]);
  await freeAddresses(db, second, []);
});

test("those of a dead worker are taken away, and its wait runs from then on", async () => {
  const [dead, alive, next] = [await living(db), await living(db), await living(db)];
  await take("192.0.2.11", dead);
  await take("192.0.2.12", alive);
  await forgetWorker(db, dead);
  await freeDeadAddresses(db, 100);
  const began = Date.now();
  await until(() => Date.now() - began > 300);
  const lease = await take("192.0.2.11", next);
  if (lease.kind !== "held") throw new Error("not taken over");
  const waitMs = lease.startsAt.getTime() - began;
  expect(waitMs).toBeGreaterThan(700);
  expect(waitMs).toBeLessThanOrEqual(1_050);
  expect(await take("192.0.2.12", next)).toEqual({ kind: "wanted" });
});

test("many ask at once for a free one: one has it", async () => {
  const workers = await Promise.all(Array.from({ length: 20 }, () => living(db)));
  const leases = await Promise.all(workers.map((id) => take("2001:db8::1", id)));
  expect(leases.filter((lease) => lease.kind === "held")).toHaveLength(1);
});

test.each([
  ["silent", 5_000, (id: string) => ageWorker(db, id, TTL_MS + 1)],
  ["forgotten", 100, (id: string) => forgetWorker(db, id)],
])("a %s holder loses it; who takes over waits first", async (how, ipDelayMs, die) => {
  const address = `198.51.100.${how.length}`;
  const [first, second] = [await living(db), await living(db)];
  await take(address, first);
  expect((await take(address, second)).kind).toBe("wanted");
  await die(first);
  const lease = await take(address, second, ipDelayMs);
  if (lease.kind !== "held") throw new Error("not taken over");
  const waitMs = lease.startsAt.getTime() - Date.now();
  expect(waitMs).toBeGreaterThan(Math.max(ipDelayMs, 1_000) - 700);
  expect(waitMs).toBeLessThanOrEqual(Math.max(ipDelayMs, 1_000) + 50);
  expect(await take(address, await living(db))).toEqual({ kind: "wanted" });
});

test("what nobody has held for a day is forgotten", async () => {
  const worker = await living(db);
  for (const address of ["203.0.113.1", "203.0.113.2"]) await take(address, worker);
  await freeAddresses(db, worker, [{ address: "203.0.113.1", nextStartAt: new Date() }]);
  await db.execute(sql`update addresses set next_start_at = now() - interval '2 days'
    where address like '203.0.113.%'`);
  await forgetAddresses(db);
  const rows = await db.execute(sql`select address from addresses where address like '203.0.%'`);
  expect([...rows]).toEqual([{ address: "203.0.113.2" }]);
});
