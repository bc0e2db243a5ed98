import { afterAll, expect, test } from "bun:test";
import { systemClock } from "../../src/clock.ts";
import { PolicyCache } from "../../src/crawl/policy.ts";
import { admitUrls } from "../../src/db/admit-urls.ts";
import { deleteUrls } from "../../src/db/operate-urls.ts";
import { silentLog } from "../../src/log.ts";
import type { HostName } from "../../src/url/host.ts";
import { candidate } from "../db/frontier.ts";
import { testConfig } from "../support/crawl.ts";
import { testDatabase } from "../support/database.ts";

const database = await testDatabase();
afterAll(() => database.close());

test("a host that another process seeded a moment ago is in scope before its links are judged", async () => {
  const { db, sql } = database;
  const deps = { db, config: testConfig(), clock: systemClock, log: silentLog };
  const policy = new PolicyCache(deps);
  await policy.refresh();
  const [row] = await sql`insert into hosts (name, domain, seeded_at)
    values ('www.a.example', 'a.example', now()) returning name, seeded_at`;
  const host = { name: row!.name as string, seededAt: new Date(row!.seeded_at) };
  expect(policy.policy().isSeededDomain("a.example")).toBe(false);
  await policy.catchUp({ name: "b.example", seededAt: null });
  expect(policy.policy().isSeededDomain("a.example")).toBe(false);
  // A reading that began before the seed does not count.
  const stale = policy.refresh();
  await Promise.all([stale, policy.catchUp(host)]);
  expect(policy.policy().isSeededHost("www.a.example" as HostName)).toBe(true);
  expect(policy.policy().isSeededDomain("a.example")).toBe(true);
});

test("what another process removed is told within two readings, and only then", async () => {
  const { db } = database;
  let told = 0;
  const removed = () => {
    told++;
  };
  const deps = { db, config: testConfig(), clock: systemClock, log: silentLog, removed };
  const policy = new PolicyCache(deps);
  const toldAfter = async (readings: number) => {
    told = 0;
    for (let n = 0; n < readings; n++) await policy.refresh();
    return told;
  };
  const [row] = await admitUrls(db, [candidate("http://removed.test/")]);
  if (row?.kind !== "admitted") throw new Error("it was known");
  expect(await toldAfter(3)).toBe(0);
  await deleteUrls(db, [row.id]);
  // Twice: for what was being settled at the first.
  expect(await toldAfter(1)).toBe(1);
  expect(await toldAfter(3)).toBe(1);
});
