import { afterAll, describe, expect, test } from "bun:test";
import { SeededHosts } from "../../src/crawl/seeded-hosts.ts";
import { ManualClock } from "../support/clock.ts";
import { testDatabase } from "../support/database.ts";

const database = await testDatabase();
const { db, sql } = database;
afterAll(() => database.close());

const seed = (first: number, count: number) => sql`
  insert into hosts (name, domain, seeded_at)
  select 'h' || n || '.example', 'example', clock_timestamp()
  from generate_series(${first}::int, ${first + count - 1}::int) n`;

describe("SeededHosts", () => {
  test("knows all of many, what is seeded later, and in time who was forgotten", async () => {
    await seed(0, 5_000);
    await sql`insert into hosts (name, domain) values ('linked.example', 'example')`;
    const clock = new ManualClock();
    const seeded = new SeededHosts(db, clock);
    await seeded.refresh();
    expect([seeded.has("h0.example"), seeded.has("h4999.example")]).toEqual([true, true]);
    expect(seeded.has("linked.example")).toBe(false);
    expect(seeded.hasDomain("example")).toBe(true);

    await sql`update hosts set seeded_at = clock_timestamp() where name = 'linked.example'`;
    await sql`update hosts set seeded_at = now() - interval '1 day' where name = 'h7.example'`;
    await seed(5_000, 1);
    await sql`delete from hosts where name = 'h1.example'`;
    await seeded.refresh();
    expect(["linked.example", "h5000.example", "h7.example"].map((h) => seeded.has(h))).toEqual([
      true,
      true,
      true,
    ]);
    await clock.advance(3_600_000);
    await seeded.refresh();
    expect([seeded.has("h1.example"), seeded.has("h2.example")]).toEqual([false, true]);
  });

  test("one named while all are read anew stays named", async () => {
    const clock = new ManualClock();
    const seeded = new SeededHosts(db, clock);
    const reading = seeded.refresh();
    seeded.add("typed.org", "typed.org");
    await reading;
    expect([seeded.has("typed.org"), seeded.hasDomain("typed.org")]).toEqual([true, true]);
    // A refresh that finds nothing new forgets nothing.
    await seeded.refresh();
    expect(seeded.has("typed.org")).toBe(true);
  });
});
