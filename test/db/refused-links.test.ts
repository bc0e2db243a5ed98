import { afterAll, describe, expect, test } from "bun:test";
import { ROOM_FOR_ALL } from "../../src/db/admission-room.ts";
import { conservation } from "../../src/db/counts.ts";
import { blockHostUrls } from "../../src/db/host-urls.ts";
import { deleteUrls, readUrls } from "../../src/db/operate-urls.ts";
import { noteRefusedLinks, wakeRefusedLinks } from "../../src/db/refused-links.ts";
import { testDatabase } from "../support/database.ts";
import { hostNamed } from "../support/rows.ts";
import { admitPaths } from "./frontier.ts";

const database = await testDatabase({ max: 4 });
const { db, sql } = database;
afterAll(() => database.close());

/** Pages that were visited, and come again in a week; gives their ids. */
async function visited(host: string, count: number): Promise<number[]> {
  const paths = Array.from({ length: count }, (_, n) => `/${n}`);
  const ids = (await admitPaths(db, host, paths)).map(Number);
  await sql`update urls set next_crawl_at = now() + interval '7 days', etag = 'e',
    last_modified = 'l' where id = any(${ids}::bigint[])`;
  return ids.sort((a, b) => a - b);
}

const left = async (): Promise<string[]> =>
  (await sql`select host || ' ' || url_id as mark from refused_links order by host, url_id`).map(
    ({ mark }) => mark,
  );

const dueOf = async (ids: readonly number[]): Promise<number[]> =>
  (await readUrls(db, ids))
    .filter(
      ({ nextCrawlAt, etag }) => nextCrawlAt!.getTime() <= Date.now() + 3_000 && etag === null,
    )
    .map(({ id }) => id)
    .sort((a, b) => a - b);

describe("pages whose links found no room", () => {
  test("wait while their host is full, and as many come as it has room for", async () => {
    const [a, b, c] = await visited("pages.test", 3);
    await admitPaths(db, "full.test", ["/1", "/2"]);
    await noteRefusedLinks(
      db,
      [a!, b!, c!].map((urlId) => ({ urlId, hosts: ["full.test"] })),
    );
    const room = (hostUrlsMax: number) => ({ ...ROOM_FOR_ALL, hostUrlsMax });
    expect(await wakeRefusedLinks(db, room(2), 10)).toBe(0);
    expect(await left()).toHaveLength(3);
    expect(await wakeRefusedLinks(db, room(4), 10)).toBe(2);
    expect(await dueOf([a!, b!, c!])).toEqual([a!, b!]);
    expect(await left()).toEqual([`full.test ${c}`]);
    const { nextTurnAt } = await hostNamed(db, "pages.test");
    expect(nextTurnAt!.getTime()).toBeLessThanOrEqual(Date.now());
    await sql`update hosts set bytes_max = 5, byte_count = 5 where name = 'full.test'`;
    expect(await wakeRefusedLinks(db, room(9), 10)).toBe(0);
    await sql`update hosts set bytes_max = 6 where name = 'full.test'`;
    expect(await wakeRefusedLinks(db, room(9), 10)).toBe(1);
    expect(await left()).toEqual([]);
  });

  test("wait while the frontier is full, whatever their host has", async () => {
    const [a, b] = await visited("frontier.test", 2);
    await noteRefusedLinks(db, [
      { urlId: a!, hosts: [""] },
      { urlId: b!, hosts: ["unheard.test"] },
    ]);
    const { present } = await conservation(db);
    const room = (more: number) => ({ ...ROOM_FOR_ALL, frontierUrlsMax: present + more });
    expect(await wakeRefusedLinks(db, room(0), 10)).toBe(0);
    expect(await left()).toHaveLength(2);
    expect(await wakeRefusedLinks(db, room(5), 10)).toBe(2);
    expect(await dueOf([a!, b!])).toEqual([a!, b!]);
  });

  test("visited now: left for later; dropped or blocked: forgotten", async () => {
    const [busy, dropped, over] = await visited("states.test", 3);
    const [shut] = await visited("shut.test", 1);
    const all = [busy!, dropped!, over!, shut!];
    await noteRefusedLinks(
      db,
      all.map((urlId) => ({ urlId, hosts: ["", "roomy.test"] })),
    );
    await sql`update urls set state = 'in_progress', lease_token = gen_random_uuid()
      where id = ${busy!}`;
    await sql`update urls set state = 'done', reason = 'redirected' where id = ${over!}`;
    await deleteUrls(db, [dropped!]);
    const { id } = await hostNamed(db, "shut.test");
    await blockHostUrls(db, id, 10);
    expect(await wakeRefusedLinks(db, ROOM_FOR_ALL, 10)).toBe(1);
    expect(await left()).toEqual([` ${busy}`, `roomy.test ${busy}`]);
    expect(await dueOf([over!])).toEqual([over!]);
    expect((await readUrls(db, [over!]))[0]!.state).toBe("done");
  });

  test("of one page few hosts are remembered, and each once", async () => {
    await sql`delete from refused_links`;
    const [page] = await visited("many.test", 1);
    const hosts = Array.from({ length: 30 }, (_, n) => `h${n}.test`);
    await noteRefusedLinks(db, [{ urlId: page!, hosts }]);
    await noteRefusedLinks(db, [{ urlId: page!, hosts: hosts.slice(0, 1) }]);
    expect(await left()).toHaveLength(8);
  });
});
