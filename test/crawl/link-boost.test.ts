import { afterAll, expect, test } from "bun:test";
import { systemClock } from "../../src/clock.ts";
import { rankWhenStale } from "../../src/crawl/authority.ts";
import { admitUrls } from "../../src/db/admit-urls.ts";
import { linkBoost } from "../../src/frontier/priority.ts";
import { silentLog } from "../../src/log.ts";
import { admitPaths, candidate } from "../db/frontier.ts";
import { testDatabase } from "../support/database.ts";
import { MemoryIndex } from "../support/memory-index.ts";

const database = await testDatabase({ max: 4 });
const { db, sql } = database;
afterAll(() => database.close());

test.each([
  [0, 0],
  [3, 0],
  [4, 2],
  [16, 4],
  [255, 6],
  [256, 8],
  [1_000_000, 8],
])("%i sites that link add %i", (linkingHosts, boost) => {
  expect(linkBoost(linkingHosts)).toBe(boost);
});

const deps = { db, index: new MemoryIndex(), clock: systemClock, log: silentLog };

/** As if so many sites linked to it, and an hour had gone by. */
async function linked(hostId: number, count: number): Promise<void> {
  await sql`insert into hosts (name, domain)
    select 'from' || n, 'from' || n from generate_series(1, ${count}::int) n
    on conflict do nothing`;
  await sql`insert into host_links (from_host, to_host)
    select id, ${hostId}::int from hosts where name like 'from%' on conflict do nothing`;
  await sql`insert into host_ranking (changes) values (1)
    on conflict (id) do update set changes = host_ranking.changes + 1,
      ranked_at = now() - interval '2 hours'`;
  expect((await rankWhenStale(deps)).kind).toBe("ranked");
}

const priorities = async (host: string) =>
  (
    await sql`select priority from urls join hosts h on h.id = host_id where h.name = ${host}
      order by urls.id`
  ).map(({ priority }) => priority);

test("links of other sites raise what waits at a host once, not what a person named", async () => {
  await admitPaths(db, "famous.test", ["/1", "/2"]);
  await admitPaths(db, "unknown.test", ["/1"]);
  const seeded = { ...candidate("http://famous.test/seed"), via: "seed" as const, priority: 60 };
  await admitUrls(db, [seeded]);
  const [host] = await sql`select id from hosts where name = 'famous.test'`;
  const [first, second, seed] = await priorities("famous.test");
  const other = await priorities("unknown.test");
  await linked(host!.id, 5);
  expect(await priorities("famous.test")).toEqual([first + 2, second + 2, seed]);
  await linked(host!.id, 6);
  expect(await priorities("famous.test")).toEqual([first + 2, second + 2, seed]);
  await linked(host!.id, 20);
  expect(await priorities("famous.test")).toEqual([first + 4, second + 4, seed]);
  expect(await priorities("unknown.test")).toEqual(other);
  // What is visited at the moment, or has been, stays as it is.
  await sql`update urls set state = 'done', next_crawl_at = null where url like '%famous.test/1'`;
  await linked(host!.id, 70);
  expect(await priorities("famous.test")).toEqual([first + 4, second + 6, seed]);
});
