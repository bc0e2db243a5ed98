import { afterAll, describe, expect, test } from "bun:test";
import type { ClaimedUrl } from "../../src/db/claim-urls.ts";
import { dropDanglingLinks, rankingAlone, readRanking } from "../../src/db/host-ranking.ts";
import { forgetHost, forgetHostUrls } from "../../src/db/host-urls.ts";
import { settleGroup } from "../../src/db/settle-group.ts";
import { releaseTurns } from "../../src/db/settle-urls.ts";
import { testDatabase } from "../support/database.ts";
import { pause } from "../support/pause.ts";
import { hostNamed } from "../support/rows.ts";
import { admitPaths, candidate, claimAll, settlement, turnAt } from "./frontier.ts";

const database = await testDatabase({ max: 6 });
const { db, sql } = database;
afterAll(() => database.close());

let nth = 0;

/** A page of a new host, as it is being visited. */
async function visited(): Promise<{ host: string; url: ClaimedUrl; token: string }> {
  const host = `page-${++nth}.test`;
  await admitPaths(db, host, ["/"]);
  const turn = await turnAt(db, host);
  const [url] = await claimAll(db, turn);
  return { host, url: url!, token: turn.token };
}

async function known(name: string, domain = name): Promise<string> {
  await sql`insert into hosts (name, domain) values (${name}, ${domain})`;
  return name;
}

/** Names of the hosts that a host links to. */
async function linksOf(host: string): Promise<string[]> {
  const rows = await sql`select t.name from host_links l join hosts f on f.id = l.from_host
    join hosts t on t.id = l.to_host where f.name = ${host} order by t.name`;
  return rows.map(({ name }) => name);
}

const changes = async () => (await readRanking(db)).changes;

describe("links that a settle brings", () => {
  test("are noted between hosts that the store knows, each once", async () => {
    const { host, url } = await visited();
    const { url: other } = await visited();
    const [a, b] = [await known("a.test"), await known("b.test")];
    const before = await changes();
    const { linked } = await settleGroup(db, [
      settlement(url, { linkedHosts: [a, "nowhere.test", b] }),
      settlement(other, { linkedHosts: [b] }),
    ]);
    expect([...linked].sort()).toEqual(
      [`${url.hostId} a.test`, `${url.hostId} b.test`, `${other.hostId} b.test`].sort(),
    );
    expect(await linksOf(host)).toEqual([a, b]);
    expect(await changes()).toBe(before + 1);
  });

  test("are no news when they are known", async () => {
    const { host, url } = await visited();
    const { token, url: again } = await visited();
    const target = await known("again.test");
    await settleGroup(db, [settlement(url, { linkedHosts: [target] })]);
    const before = await changes();
    const item = settlement(again, { hostId: url.hostId, linkedHosts: [target] });
    expect((await settleGroup(db, [item])).linked.size).toBe(1);
    await releaseTurns(db, [token]);
    expect(await linksOf(host)).toEqual([target]);
    expect(await changes()).toBe(before);
  });

  test("are none within a registrable domain", async () => {
    const { host, url } = await visited();
    const sister = await known("sister.test", host);
    const { linked } = await settleGroup(db, [settlement(url, { linkedHosts: [sister] })]);
    expect(linked.size).toBe(1);
    expect(await linksOf(host)).toEqual([]);
  });

  test("lead to hosts that are admitted with them", async () => {
    const { host, url } = await visited();
    const candidates = [candidate("http://fresh.test/1")];
    await settleGroup(db, [settlement(url, { candidates, linkedHosts: ["fresh.test"] })]);
    expect(await linksOf(host)).toEqual(["fresh.test"]);
  });

  test("are not noted of a visit that has lost its lease", async () => {
    const { host, url, token } = await visited();
    const target = await known("lost.test");
    await releaseTurns(db, [token]);
    const { linked } = await settleGroup(db, [settlement(url, { linkedHosts: [target] })]);
    expect([linked.size, await linksOf(host)]).toEqual([0, []]);
  });

  test("of two processes at once come together", async () => {
    const { url } = await visited();
    const { url: other } = await visited();
    const names = await Promise.all([...Array(50).keys()].map((at) => known(`both-${at}.test`)));
    const settle = (one: ClaimedUrl, linkedHosts: string[]) =>
      settleGroup(db, [
        settlement(one, { hostId: url.hostId, token: url.leaseToken, linkedHosts }),
      ]);
    const both = await Promise.all([settle(url, names), settle(other, names.toReversed())]);
    expect(both.map(({ linked }) => linked.size)).toEqual([50, 50]);
    const [row] = await sql`select count(*)::int as n from host_links
      where from_host = ${url.hostId}`;
    expect(row!.n).toBe(50);
  });
});

describe("links of a host that is forgotten", () => {
  test("go with it, those from it and those to it", async () => {
    const { host, url, token } = await visited();
    const target = await known("stays.test");
    await settleGroup(db, [settlement(url, { linkedHosts: [target] })]);
    await releaseTurns(db, [token]);
    const { id: targetId } = await hostNamed(db, target);
    const { id } = await hostNamed(db, host);
    await sql`insert into host_links values (${targetId}, ${id})`;
    await sql`update hosts set turn_token = null where id = ${id}`;
    const before = await changes();
    while ((await forgetHostUrls(db, id, 100)).moved > 0);
    expect(await forgetHost(db, id)).toBe(true);
    const left = await sql`select 1 from host_links where ${id} in (from_host, to_host)`;
    expect([left.length, (await changes()) - before]).toEqual([0, 1]);
  });

  test("that came in while it was forgotten are swept away", async () => {
    const { id } = await hostNamed(db, await known("dangling.test"));
    await sql`insert into host_links values (${id}, 1000000), (1000000, ${id})`;
    const [{ n }] = (await sql`select count(*)::int as n from host_links`) as unknown as [
      { n: number },
    ];
    await dropDanglingLinks(db);
    expect((await sql`select 1 from host_links`).length).toBe(n - 2);
  });
});

test("one ranks at a time, however long it takes", async () => {
  let others: (string | null)[] = [];
  const one = await rankingAlone(db, async () => {
    // Longer than a transaction may idle.
    await pause(4_500);
    others = await Promise.all([1, 2].map(() => rankingAlone(db, async () => "both")));
    return "alone";
  });
  expect([one, ...others]).toEqual(["alone", null, null]);
  expect(await rankingAlone(db, async () => "after")).toBe("after");
  expect(rankingAlone(db, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});
