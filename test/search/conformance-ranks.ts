import { expect, test } from "bun:test";
import type { Candidate } from "../../src/search/document.ts";
import type { SearchIndex } from "../../src/search/port.ts";
import { search } from "../../src/search/search.ts";
import type { Ranking } from "../../src/search/signals.ts";
import { documentOf } from "./documents.ts";

interface Given {
  index(): SearchIndex;
  found(query: string): Promise<Candidate[]>;
}

/** Part of the conformance suite: what documents are ranked by because of their hosts. */
export function rankCases({ index, found }: Given): void {
  const authorityOf = async (word: string) => (await found(word)).map((own) => own.authority);

  test("a host's authority comes with its candidates, put before or later", async () => {
    await index().put(documentOf({ id: 95, host: "ranked.example", text: "zetaword" }));
    expect(await authorityOf("zetaword")).toEqual([null]);
    const ranks = [{ host: "ranked.example", authority: 0.75 }];
    expect(await index().rankHosts(ranks)).toEqual({ kind: "stored" });
    expect(await authorityOf("zetaword")).toEqual([0.75]);
    await index().put(documentOf({ id: 96, host: "ranked.example", lang: "fr", text: "etaword" }));
    expect(await authorityOf("etaword")).toEqual([0.75]);
    const less = [{ host: "ranked.example", authority: 0.25 }];
    expect(await index().rankHosts(less)).toEqual({ kind: "stored" });
    expect(await authorityOf("zetaword")).toEqual([0.25]);
    const none = [{ host: "ranked.example", authority: 0 }];
    expect(await index().rankHosts(none)).toEqual({ kind: "stored" });
    expect(await authorityOf("zetaword")).toEqual([null]);
    await index().remove([95, 96]);
  });

  test("no ranks, and ranks of hosts that have no document, are no error", async () => {
    expect(await index().rankHosts([])).toEqual({ kind: "stored" });
    const ranks = [{ host: "nowhere.example", authority: 1 }];
    expect(await index().rankHosts(ranks)).toEqual({ kind: "stored" });
  });

  test("of equal texts that of the host with more authority comes first, unless it is off", async () => {
    const hosts = ["plain.example", "linked.example"];
    await Promise.all(
      hosts.map((host, at) =>
        index().put(documentOf({ id: 97 + at, host, url: `https://h/${at}`, text: "thetaword" })),
      ),
    );
    await index().rankHosts([{ host: "linked.example", authority: 0.8 }]);
    const request = { query: "thetaword", page: 1, perPage: 10, sort: "relevance" } as const;
    const ask = async (ranking?: Ranking) => {
      const config = ranking === undefined ? {} : { ranking };
      const { hits } = await search(index(), { ...request, explain: true }, config);
      return hits.map(({ host, score, explain }) => ({ host, score, own: explain!.authority }));
    };
    const [first, second] = await ask();
    expect([first!.host, first!.own, second!.own]).toEqual(["linked.example", 0.8, 0]);
    // 1 + 0.5 × 0.8
    expect(first!.score / second!.score).toBeCloseTo(1.4, 6);
    const off = await ask({ authority: { enabled: false, weight: 0.5 } });
    expect(off[0]!.score).toBe(off[1]!.score);
    expect(off.map(({ own }) => own)).toEqual([0, 0]);
    await index().rankHosts([{ host: "linked.example", authority: 0 }]);
    await index().remove([97, 98]);
  });
}
