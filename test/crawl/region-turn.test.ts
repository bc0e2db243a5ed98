import { afterAll, describe, expect, test } from "bun:test";
import { RegionChore } from "../../src/crawl/region-turn.ts";
import { crawlHostNow } from "../../src/crawl/whole-host.ts";
import { admitUrls } from "../../src/db/admit-urls.ts";
import { saveDocuments } from "../../src/db/documents.ts";
import { readUrls } from "../../src/db/operate-urls.ts";
import { admitPaths, candidate, documentOf } from "../db/frontier.ts";
import { documentOf as pageOf } from "../search/documents.ts";
import { testConfig } from "../support/crawl.ts";
import { testDatabase } from "../support/database.ts";
import { MemoryIndex } from "../support/memory-index.ts";
import { operateDeps } from "../support/operate.ts";
import { hostNamed } from "../support/rows.ts";

const database = await testDatabase({ max: 4 });
const { db, sql } = database;
const index = new MemoryIndex();
afterAll(() => database.close());

const deps = operateDeps({ db, index });

test("whose worker died before its documents were out is finished by the scheduler", async () => {
  const ids = await admitPaths(db, "left.test", ["/1", "/2", "/3"]);
  const crawledAt = new Date();
  await saveDocuments(
    db,
    ids.map((id) => documentOf(id, { crawledAt, regionScore: 100 })),
  );
  for (const id of ids) await index.put(pageOf({ id, crawledAt, contentHash: null }));
  await sql`update urls set interval_s = 1`;
  await sql`update hosts set state = 'out_of_region', region_sum = 300, region_count = 3`;
  await new RegionChore(deps).step();
  expect(index.documents.size).toBe(0);
  expect(await sql`select from documents`).toHaveLength(0);
  expect(await hostNamed(db, "left.test")).toMatchObject({ regionSum: 0, regionCount: 0 });
  for (const url of await readUrls(db, ids)) {
    expect(url).toMatchObject({ state: "blocked", reason: "out of region" });
  }
});

/** What a host has shown, in which state, and for whom it is open by now. */
const STANDINGS: [name: string, set: [number, number, string] | null, open: string[]][] = [
  ["unknown", null, ["own", "vouched"]],
  ["new", [0, 0, "active"], ["own", "vouched"]],
  ["proven", [1_500, 3, "active"], ["own", "vouched", "asks"]],
  ["doubtful", [1_499, 3, "active"], ["own"]],
  ["failed", [9_000, 9, "out_of_region"], []],
];

test.each(STANDINGS)("a link to a host that is %s", async (name, set, open) => {
  const host = `${name}.standing.test`;
  if (set !== null) {
    await admitPaths(db, host, ["/known"]);
    const [sum, count, state] = set;
    await sql`update hosts set region_sum = ${sum}, region_count = ${count}, state = ${state}
      where name = ${host}`;
  }
  const claims = ["asks", "vouched", "own"] as const;
  const rows = claims.map((region) => candidate(`http://${host}/${region}`, { region }));
  const taken: string[] = [];
  // One after the other: a link that is let in makes an unknown host known.
  for (const [at, row] of rows.entries()) {
    const [result] = await admitUrls(db, [row]);
    if (result!.kind === "admitted") taken.push(claims[at]!);
    else expect(result).toMatchObject({ kind: "refused", reason: "scope" });
  }
  expect(taken.sort()).toEqual([...open].sort());
});

test("a link that only asks makes no host known", async () => {
  await admitUrls(db, [candidate("http://nobody.test/", { region: "asks" })]);
  expect(await sql`select from hosts where name = 'nobody.test'`).toHaveLength(0);
});

describe("URLs that were shut when their host failed", () => {
  const judging = { ...deps, config: testConfig({ CRAWL_SCOPE: "region", REGION: "quebec" }) };
  const chore = (of: typeof deps) => new RegionChore(of).step();

  async function shut(host: string, state: string, [regionSum, regionCount] = [0, 0]) {
    const ids = await admitPaths(db, host, ["/1", "/2", "/3", "/4", "/5", "/6", "/7"]);
    await sql`update urls set state = 'blocked', reason = 'out of region' where id in ${sql(ids)}`;
    const [row] = await sql`update hosts set state = ${state}, region_sum = ${regionSum},
      region_count = ${regionCount}, next_turn_at = now() + interval '90 days'
      where name = ${host} returning id`;
    return { id: row!.id as number, ids };
  }
  const pendingOf = async (ids: readonly number[]) =>
    (await readUrls(db, ids)).filter(({ state }) => state === "pending").length;

  // A worker that dies after the settle that proves a host cannot open them any more.
  test.each<[string, [number, number], number]>([
    ["proven", [2_400, 3], 7],
    ["on probation", [600, 2], 3],
  ])("come back by the chore when their host is %s", async (what, shown, open) => {
    const { ids } = await shut(`${what.replace(" ", "-")}.shut.test`, "parked", shown);
    await chore(judging);
    expect(await pendingOf(ids)).toBe(open);
  });

  test.each(["blocked", "out_of_region"])("stay while it is %s", async (state) => {
    const { ids } = await shut(`${state}.shut.test`.replaceAll("_", "-"), state);
    await chore(judging);
    expect(await pendingOf(ids)).toBe(0);
  });

  test("come back when an operator wants the host crawled now", async () => {
    const { id, ids } = await shut("wanted.shut.test", "out_of_region");
    expect(await crawlHostNow(deps, id, "cli")).toEqual({ kind: "done" });
    expect(await pendingOf(ids)).toBe(5);
  });

  test("are asked for at once when nobody judges their host any more", async () => {
    const soon = async (name: string) => (await hostNamed(db, name)).nextTurnAt! <= new Date();
    for (const name of ["a.shut.qc.ca", "notqc.ca"]) await shut(name, "out_of_region");
    await chore(judging);
    expect([await soon("a.shut.qc.ca"), await soon("notqc.ca")]).toEqual([true, false]);
    await chore(deps);
    expect(await soon("notqc.ca")).toBe(true);
  });
});
