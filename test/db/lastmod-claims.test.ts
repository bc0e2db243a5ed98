import { afterAll, expect, test } from "bun:test";
import { ROOM_FOR_ALL } from "../../src/db/admission-room.ts";
import { claimModified, judgeClaims } from "../../src/db/lastmod-claims.ts";
import { addSitemaps } from "../../src/db/sitemaps.ts";
import { isBelieved } from "../../src/frontier/lastmod-trust.ts";
import { type CanonicalUrl, urlKey } from "../../src/url/canonical.ts";
import { testDatabase } from "../support/database.ts";
import { admitPaths } from "./frontier.ts";

const database = await testDatabase({ max: 4 });
const { db, sql } = database;
afterAll(() => database.close());

/** A host of so many pages that were visited, with a sitemap; ids of both. */
async function siteOf(host: string, count: number) {
  const paths = Array.from({ length: count }, (_, n) => `/${n}`);
  const ids = (await admitPaths(db, host, paths)).map(Number);
  const url = `http://${host}/map.xml`;
  const key = urlKey(url as CanonicalUrl);
  const row = { key, url, kind: "sitemap", origin: "robots", depth: 0, hops: 0 } as const;
  await addSitemaps(db, [{ ...row, host, domain: host }], ROOM_FOR_ALL);
  const [map] = await sql`select id from sitemaps where url = ${url}`;
  const keys = (await sql`select key from urls where id = any(${ids}) order by id`).map(
    (each): string => each.key,
  );
  await rest(ids);
  return { ids, keys, sitemapId: map!.id as number };
}

const rest = (ids: number[]) => sql`update urls set visits = greatest(visits, 1),
  visited_at = now() - interval '1 day', next_crawl_at = now() + interval '7 days'
  where id = any(${ids})`;

/** Their visit, of which so many found a change. */
async function visited(ids: number[], changed: number): Promise<void> {
  await sql`update urls set visits = visits + 1 where id = any(${ids})`;
  await sql`update urls set changes = changes + 1 where id = any(${ids.slice(0, changed)})`;
}

const said = (keys: string[]) => keys.map((key) => ({ key, lastmod: Date.now() - 3_600_000 }));

test("visits judge what a sitemap claims; it loses its say, and wins it back", async () => {
  const { ids, keys, sitemapId } = await siteOf("lies.test", 10);
  const claims = async () => {
    const trust = await judgeClaims(db, sitemapId);
    const believed = isBelieved(trust);
    const made = await claimModified(db, said(keys), { trust, isBelieved: believed });
    await rest(ids);
    return [trust.right, trust.wrong, made];
  };
  expect(await claims()).toEqual([0, 0, 10]);
  // Not visited yet: nothing is known, and it is noted once.
  expect(await claims()).toEqual([0, 0, 10]);
  await visited(ids, 1);
  expect(await claims()).toEqual([1, 9, 0]);
  await visited(ids, 10);
  expect(await claims()).toEqual([11, 9, 10]);
});

test("few are noted of each, and what was judged long ago is forgotten", async () => {
  const { ids, keys, sitemapId } = await siteOf("large.test", 60);
  for (let round = 0; round < 4; round++) {
    const trust = await judgeClaims(db, sitemapId);
    await claimModified(db, said(keys), { trust, isBelieved: true });
    expect(trust.room).toBe(0);
    const rows = await sql`select from lastmod_claims where sitemap_id = ${sitemapId}`;
    expect(rows).toHaveLength(32);
    await visited(ids, 60);
    await rest(ids);
  }
  const { right, wrong } = await judgeClaims(db, sitemapId);
  expect(right + wrong).toBeLessThanOrEqual(64);
  expect(right).toBeGreaterThan(30);
});

test("a page that fails or left the store judges nothing", async () => {
  const { ids, keys, sitemapId } = await siteOf("fails.test", 4);
  const trust = await judgeClaims(db, sitemapId);
  expect(await claimModified(db, said(keys), { trust, isBelieved: true })).toBe(4);
  await visited(ids, 0);
  await sql`update urls set attempts = 1 where id = ${ids[0]!}`;
  await sql`update urls set state = 'failed' where id = ${ids[1]!}`;
  await sql`delete from urls where id = ${ids[2]!}`;
  expect(await judgeClaims(db, sitemapId)).toEqual({ sitemapId, right: 0, wrong: 1, room: 32 });
});
