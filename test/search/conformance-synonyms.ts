import { expect, test } from "bun:test";
import type { SearchIndex } from "../../src/search/port.ts";
import { parseQuery } from "../../src/search/query.ts";
import { createScorer } from "../../src/search/score.ts";
import { Synonyms } from "../../src/search/synonyms.ts";
import { widened } from "../../src/search/widen.ts";
import { documentOf, type Given } from "./documents.ts";

interface Index {
  index(): SearchIndex;
}

const SYNONYMS = new Synonyms({
  groups: [{ lang: "fr", members: ["voiture", "automobile", "char de promenade"] }],
  pairs: [{ langs: ["en", "fr"], members: ["car", "voiture"] }],
  homographs: ["char"],
});

const PAGES: Given[] = [
  { id: 70, lang: "fr", text: "Une voiture rouge." },
  { id: 71, lang: "fr", text: "Une automobile rouge." },
  { id: 72, lang: "en", text: "A red car there." },
  { id: 73, lang: "en", text: "Automobile is not this word here." },
  { id: 74, lang: "fr", text: "Un char de promenade." },
  { id: 75, lang: "fr", text: "La promenade en char." },
];

/** Part of the conformance suite: what has a word of the query merely as one of its meaning. */
export function synonymCases({ index }: Index): void {
  test("documents that have only a word of the same meaning are found, in its language", async () => {
    await Promise.all(PAGES.map((page) => index().put(documentOf(page))));
    const matches = async (text: string, limit = 100) => {
      const query = widened(parseQuery(text), SYNONYMS, index().langs?.());
      const set = await index().candidates(query, { sort: "relevance", limit });
      const scorer = createScorer(query, set);
      return set.candidates
        .map((own) => ({ id: own.id, scored: scorer.score(own) }))
        .filter(({ scored }) => scored !== null)
        .sort((one, other) => other.scored!.score - one.scored!.score)
        .map(({ id, scored }) => [id, scored!.breakdown.synonym ?? 1]);
    };
    const found = await matches("voiture");
    // Neither the word of another language nor words that do not follow each other.
    expect(found.map(([id]) => id).sort()).toEqual([70, 71, 72, 74]);
    expect(found[0]).toEqual([70, 1]);
    expect(found[3]).toEqual([72, 0.3]);
    expect(await matches('"voiture"')).toEqual([[70, 1]]);
    expect(await matches("voiture -rouge lang:fr")).toEqual([[74, 0.5]]);
    expect((await matches("char de promenade"))[0]).toEqual([74, 1]);
    await index().remove(PAGES.map(({ id }) => id));
  });
}
