import { expect, test } from "bun:test";
import type { Ranking } from "../../src/ranking.ts";
import type { Candidate } from "../../src/search/document.ts";
import type { SearchIndex } from "../../src/search/port.ts";
import { search } from "../../src/search/search.ts";
import { documentOf } from "./documents.ts";

interface Given {
  index(): SearchIndex;
  found(query: string): Promise<Candidate[]>;
}

const REQUEST = { page: 1, perPage: 10, sort: "relevance", explain: true } as const;

/** Part of the conformance suite: what documents are ranked by because of their hosts. */
export function rankCases({ index, found }: Given): void {
  const ranksOf = async (word: string) =>
    (await found(word)).map(({ authority, regionHost }) => [authority, regionHost]);
  const tell = (host: string, authority: number, region: number | null) =>
    index().rankHosts([{ host, authority, region }]);

  test("a host's ranks come with its candidates, put before or later", async () => {
    const host = "ranked.example";
    await index().put(documentOf({ id: 95, host, text: "zetaword" }));
    expect(await ranksOf("zetaword")).toEqual([[null, null]]);
    expect(await tell(host, 0.75, 0.5)).toEqual({ kind: "stored" });
    expect(await ranksOf("zetaword")).toEqual([[0.75, 0.5]]);
    await index().put(documentOf({ id: 96, host, lang: "fr", text: "etaword" }));
    expect(await ranksOf("etaword")).toEqual([[0.75, 0.5]]);
    expect(await tell(host, 0.25, null)).toEqual({ kind: "stored" });
    expect(await ranksOf("zetaword")).toEqual([[0.25, null]]);
    expect(await tell(host, 0, 0.125)).toEqual({ kind: "stored" });
    expect(await ranksOf("zetaword")).toEqual([[0, 0.125]]);
    expect(await tell(host, 0, null)).toEqual({ kind: "stored" });
    expect(await ranksOf("zetaword")).toEqual([[null, null]]);
    await index().remove([95, 96]);
  });

  test("what was told of hosts can be read; no ranks, and hosts without documents, are no error", async () => {
    expect(await index().rankHosts([])).toEqual({ kind: "stored" });
    expect(await tell("nowhere.example", 1, 2)).toEqual({ kind: "stored" });
    const asked = ["nowhere.example", "unheard.example"];
    const told = { host: "nowhere.example", authority: 1, region: 1 };
    expect(await index().ranks(asked)).toEqual([told]);
    await tell("nowhere.example", 0, null);
    expect(await index().ranks(asked)).toEqual([]);
    expect(await index().ranks([])).toEqual([]);
  });

  test.each([
    // 1 + 0.5 × 0.8
    ["authority", 0.8, null, 1.4],
    // 1 + 0.3 × 0.8
    ["regionHost", 0, 0.8, 1.24],
  ] as const)(
    "of equal texts that of the host with more %s comes first, unless it is off",
    async (name, authority, region, ratio) => {
      const hosts = ["plain.example", "better.example"];
      await Promise.all(
        hosts.map((host, at) =>
          index().put(documentOf({ id: 97 + at, host, url: `https://h/${at}`, text: "thetaword" })),
        ),
      );
      await tell("better.example", authority, region);
      const ask = async (ranking?: Ranking) => {
        const config = ranking === undefined ? {} : { ranking };
        const { hits } = await search(index(), { ...REQUEST, query: "thetaword" }, config);
        return hits.map(({ host, score, explain }) => ({ host, score, own: explain![name] }));
      };
      const [first, second] = await ask();
      expect([first!.host, first!.own, second!.own]).toEqual(["better.example", 0.8, 0]);
      expect(first!.score / second!.score).toBeCloseTo(ratio, 6);
      const off = await ask({ [name]: { enabled: false, weight: 0.5 } });
      expect(off[0]!.score).toBe(off[1]!.score);
      expect(off.map(({ own }) => own)).toEqual([0, 0]);
      await tell("better.example", 0, null);
      await index().remove([97, 98]);
    },
  );
}
