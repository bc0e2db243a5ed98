import { afterAll, expect, test } from "bun:test";
import { ROOM_FOR_ALL } from "../../src/db/admission-room.ts";
import { conservation } from "../../src/db/counts.ts";
import { noteRefusedSitemap, wakeRefusedSitemaps } from "../../src/db/refused-sitemaps.ts";
import { addSitemaps, forgetSitemaps } from "../../src/db/sitemaps.ts";
import { type CanonicalUrl, urlKey } from "../../src/url/canonical.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { admitPaths } from "./frontier.ts";

const database = await testDatabase({ max: 4 });
const { db, sql } = database;
afterAll(() => database.close());

/** Sitemaps of a host that were read, and come again in a week; gives their ids. */
async function read(host: string, count: number): Promise<number[]> {
  const found = Array.from({ length: count }, (_, n) => {
    const url = `http://${host}/${n}.xml`;
    const key = urlKey(url as CanonicalUrl);
    const row = { key, url, host, domain: host, depth: 0, hops: 0 };
    return { ...row, kind: "sitemap", origin: "robots" } as const;
  });
  await addSitemaps(db, found, ROOM_FOR_ALL);
  const rows = await sql`update sitemaps set next_fetch_at = now() + interval '7 days', etag = 'e'
    where url like ${`http://${host}/%`} returning id`;
  return rows.map(({ id }): number => id).sort((a, b) => a - b);
}

const dueOf = async (ids: number[]): Promise<number[]> =>
  (
    await sql`select id from sitemaps where id = any(${ids}) and etag is null
      and next_fetch_at <= now() + interval '3 seconds' order by id`
  ).map(({ id }): number => id);
const marks = async () => (await sql`select from refused_sitemaps`).length;

test("wait while their host is full, by number or by bytes, and no more come than it takes", async () => {
  const ids = await read("maps.test", 3);
  await admitPaths(db, "full.test", ["/1", "/2"]);
  for (const id of ids) await noteRefusedSitemap(db, id, ["full.test"]);
  const room = (hostUrlsMax: number) => ({ ...ROOM_FOR_ALL, hostUrlsMax });
  expect(await wakeRefusedSitemaps(db, room(2), 20)).toBe(0);
  expect(await wakeRefusedSitemaps(db, room(4), 20)).toBe(2);
  expect(await dueOf(ids)).toEqual(ids.slice(0, 2));
  expect((await hostNamed(db, "maps.test")).nextTurnAt!.getTime()).toBeLessThanOrEqual(Date.now());
  await sql`update hosts set bytes_max = 5, byte_count = 5 where name = 'full.test'`;
  expect(await wakeRefusedSitemaps(db, room(9), 20)).toBe(0);
  await sql`update hosts set bytes_max = 6 where name = 'full.test'`;
  expect(await wakeRefusedSitemaps(db, room(9), 20)).toBe(1);
  expect(await marks()).toBe(0);
});

test("wait while the frontier is full; forgotten with their host", async () => {
  const ids = await read("frontier.test", 2);
  for (const id of ids) await noteRefusedSitemap(db, id, [""]);
  const { present } = await conservation(db);
  const room = (more: number) => ({ ...ROOM_FOR_ALL, frontierUrlsMax: present + more });
  expect(await wakeRefusedSitemaps(db, room(0), 20)).toBe(0);
  expect(await wakeRefusedSitemaps(db, room(1), 20)).toBe(1);
  expect(await marks()).toBe(1);
  await forgetSitemaps(db, (await hostNamed(db, "frontier.test")).id);
  expect(await marks()).toBe(0);
  // A mark without its sitemap does no harm.
  await noteRefusedSitemap(db, 123_456, ["", "unheard.test"]);
  expect(await wakeRefusedSitemaps(db, ROOM_FOR_ALL, 20)).toBe(0);
  expect(await marks()).toBe(0);
});
