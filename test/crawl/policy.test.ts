import { afterAll, expect, test } from "bun:test";
import { systemClock } from "../../src/clock.ts";
import { PolicyCache } from "../../src/crawl/policy.ts";
import { silentLog } from "../../src/log.ts";
import type { HostName } from "../../src/url/host.ts";
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
