import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../src/log.ts";
import { DEFAULT_WEIGHTS, type Ranking, SIGNAL_NAMES } from "../../src/ranking.ts";
import { type HostWishes, NO_WISHES } from "../../src/search/host-wishes.ts";
import type { SearchIndex } from "../../src/search/port.ts";
import { type ParsedQuery, parseQuery } from "../../src/search/query.ts";
import { createScorer } from "../../src/search/score.ts";
import { type SearchRequest, search } from "../../src/search/search.ts";
import { isWide } from "../../src/search/signals.ts";
import { openSqliteIndex } from "../../src/search/sqlite/open.ts";
import { Pages } from "../../src/search/sqlite/pages.ts";
import { seeded } from "../bench/corpus.ts";
import { documentOf } from "./documents.ts";

const DOCUMENTS = 1_900;
const HOSTS = 50;
const TODAY = Date.parse("2025-06-01T00:00:00Z");
const dataDir = mkdtempSync(join(tmpdir(), "trawl-ranking-"));
let index: SearchIndex;

const hostOf = (at: number): string => `${at % 2 ? "www." : ""}host${at}.example`;

beforeAll(async () => {
  index = await openSqliteIndex({ dataDir, log: silentLog });
  const random = seeded(11);
  const words = ["mouse", "horse", "sheep", "tiger"];
  const some = (count: number) =>
    Array.from({ length: count }, () => words[Math.floor(random() ** 2 * 4)]!).join(" ");
  const puts = Array.from({ length: DOCUMENTS }, (_, at) => {
    const id = at + 1;
    const host = hostOf(Math.floor(random() * HOSTS));
    const text = `filler ${some(1 + Math.floor(random() ** 3 * 12))} mouse`;
    const title = `${some(Math.floor(random() ** 3 * 6))} page`;
    const publishedAt = new Date(TODAY - Math.floor(random() * 400) * 86_400_000);
    const more = { linkDensity: random(), regionScore: random(), publishedAt };
    return index.put(documentOf({ id, host, title, text, ...more }));
  });
  await Promise.all(puts);
  const ranks = Array.from({ length: HOSTS }, (_, at) => ({
    ...{ host: hostOf(at), authority: random() ** 2, region: random() },
  }));
  await index.rankHosts(ranks);
  await index.close();
  index = await openSqliteIndex({ dataDir, log: silentLog });
}, 60_000);

afterAll(async () => {
  await index.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const REQUEST = { page: 1, perPage: 10, sort: "relevance", collapse: "none" } as const;

const found = (query: string, ranking: Ranking, more: Partial<SearchRequest> = {}) =>
  search(index, { ...REQUEST, query, explain: true, ...more }, { ranking, today: () => TODAY });

/** The best ten scores of all documents. */
async function bestOfAll(query: string, ranking: Ranking, wishes?: HostWishes): Promise<number[]> {
  const plain = parseQuery(query);
  const set = await index.candidates(plain, { sort: "relevance", limit: 1 });
  const more = { askedAt: TODAY, ...(wishes && { wishes }) };
  const parsed: ParsedQuery = { ...plain, ...more };
  const scorer = createScorer(parsed, set, ranking);
  const db = new Database(join(dataDir, "search.sqlite"), { readonly: true });
  const rows = db.query<{ row: number }, []>("select row from pages").all();
  const pages = new Pages(db, parsed).read(rows.map(({ row }) => row));
  db.close();
  const scores = pages.flatMap((page) => {
    const isBlocked = wishes?.blocked.has(page!.host) === true;
    return isBlocked ? [] : [scorer.score(page!)?.score ?? 0];
  });
  return scores.sort((one, other) => other - one).slice(0, 10);
}

const only = (name: keyof Ranking, weight: number): Ranking => ({
  [name]: { enabled: true, weight },
});

const WEIGHTS: readonly (readonly [why: string, ranking: Ranking])[] = [
  ["as usual", {}],
  ["authority above all", only("authority", 5)],
  ["the region above all", only("regionPage", 5)],
  ["what is new above all", only("freshness", 5)],
  ["quality above all", only("quality", 5)],
  ["no words at all", { text: { enabled: false, weight: 1 }, ...only("authority", 1) }],
  [
    "everything at once",
    Object.fromEntries(SIGNAL_NAMES.map((name) => [name, { enabled: true, weight: 3.7 }])),
  ],
  [
    "words alone",
    Object.fromEntries(
      SIGNAL_NAMES.filter((name) => name !== "text").map((name) => [
        name,
        { enabled: false, weight: DEFAULT_WEIGHTS[name] },
      ]),
    ),
  ],
];

describe("candidates are chosen by the ranking in effect", () => {
  const WIDE = WEIGHTS.filter(([, ranking]) => isWide(ranking));
  test.each(WIDE)("%s: the best ten are those of all documents", async (_, ranking) => {
    for (const query of ["mouse", "horse mouse", "tiger sheep", "filler"]) {
      const { hits } = await found(query, ranking);
      const best = await bestOfAll(query, ranking);
      expect(hits.map(({ score }) => score.toFixed(9))).toEqual(best.map((s) => s.toFixed(9)));
    }
  });

  const USUAL = WEIGHTS.filter(([, ranking]) => !isWide(ranking));
  test.each(USUAL)("%s: nearly so, where words tell the most", async (_, ranking) => {
    let part = 0;
    for (const query of ["mouse", "horse mouse", "tiger sheep", "tiger"]) {
      const { hits } = await found(query, ranking);
      const last = (await bestOfAll(query, ranking)).at(-1)!;
      part += hits.filter(({ score }) => score >= last - 1e-9).length / 40;
    }
    expect(part).toBeGreaterThanOrEqual(0.95);
  });

  test("pages follow each other under another ranking too", async () => {
    const ranking = only("authority", 5);
    const pages = [1, 2].map((page) => found("mouse", ranking, { page, perPage: 25 }));
    const two = (await Promise.all(pages)).flatMap(({ hits }) => hits.map(({ id }) => id));
    const one = await found("mouse", ranking, { perPage: 50 });
    expect(two).toEqual(one.hits.map(({ id }) => id));
  });
});

describe("hosts that are raised and lowered", () => {
  const wish = (wishes: Partial<HostWishes>): HostWishes => ({ ...NO_WISHES, ...wishes });
  const cases: readonly (readonly [why: string, wishes: HostWishes])[] = [
    ["an operator's", wish({ factors: new Map([["host3.example", 3]]) })],
    [
      "lowered",
      wish({ factors: new Map(Array.from({ length: 25 }, (_, at) => [hostOf(at * 2), 0.25])) }),
    ],
    ["the reader's", wish({ raised: new Set([hostOf(7), hostOf(8)]) })],
    ["the reader blocks", wish({ blocked: new Set([hostOf(7), hostOf(8), hostOf(9)]) })],
    ["both", wish({ factors: new Map([["host7.example", 0.6]]), raised: new Set([hostOf(7)]) })],
  ];
  test.each(cases)("%s: the best ten are those of all documents", async (_, wishes) => {
    for (const query of ["mouse", "horse mouse", "tiger"]) {
      const { hits } = await found(query, {}, { wishes });
      const best = await bestOfAll(query, {}, wishes);
      expect(hits.map(({ score }) => score.toFixed(9))).toEqual(best.map((s) => s.toFixed(9)));
    }
  });

  test("a rule of a name holds for the hosts below it, the nearest one wins", async () => {
    const factors = new Map([
      ["host7.example", 3],
      ["example", 0.6],
    ]);
    const { hits } = await found("mouse", {}, { wishes: wish({ factors }), perPage: 100 });
    expect(new Set(hits.map(({ host }) => host)).size).toBeGreaterThan(1);
    for (const { host, explain } of hits) {
      expect(explain?.rules).toBe(host === "www.host7.example" ? 3 : 0.6);
    }
    expect(hits[0]!.host).toBe("www.host7.example");
  });

  test("blocked hosts are no match on any page, and it is told how many were left out", async () => {
    const blocked = new Set([hostOf(7), hostOf(8)]);
    const all = await found("tiger", {});
    const left = await found("tiger", {}, { wishes: wish({ blocked }) });
    expect(left.hidden?.hosts).toEqual([hostOf(7), hostOf(8)].sort());
    expect(left.hidden?.count).toBeGreaterThan(0);
    expect(left.total + left.hidden!.count!).toBe(all.total);
    const pages = await Promise.all(
      [1, 2].map((page) => found("tiger", {}, { wishes: wish({ blocked }), page, perPage: 100 })),
    );
    for (const { hits } of pages) {
      expect(hits.filter(({ host }) => blocked.has(host))).toEqual([]);
    }
    expect(all.hidden).toBeUndefined();
  });

  test.each([{ host: hostOf(7) }, { query: `tiger site:host7.example` }])(
    "%j: what is asked for stays",
    async (asked) => {
      const wishes = wish({ blocked: new Set([hostOf(7), hostOf(8)]) });
      const { hits, hidden } = await found("tiger", {}, { wishes, ...asked });
      expect(hits.length).toBeGreaterThan(0);
      expect(hidden?.hosts ?? []).not.toContain(hostOf(7));
    },
  );

  test("switched off, the rules say nothing", async () => {
    const wishes = wish({ factors: new Map([["host7.example", 3]]) });
    const off = { rules: { enabled: false, weight: 1 } };
    const ids = async (more: Partial<SearchRequest>) =>
      (await found("mouse", off, more)).hits.map(({ id }) => id);
    expect(await ids({ wishes })).toEqual(await ids({}));
  });
});
