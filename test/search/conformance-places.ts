import { expect, test } from "bun:test";
import type { Candidate } from "../../src/search/document.ts";
import { packPlaces, placesOf } from "../../src/search/places.ts";
import type { CandidateFilter, SearchIndex } from "../../src/search/port.ts";
import { parseQuery } from "../../src/search/query.ts";
import { gazetteerOf } from "../support/regions.ts";
import { DOCUMENTS } from "./conformance-cases.ts";
import { documentOf } from "./documents.ts";

interface Given {
  index(): SearchIndex;
  found(query: string): Promise<Candidate[]>;
  idsOf(query: string, more?: Partial<CandidateFilter>): Promise<number[]>;
}

const FILTER: CandidateFilter = { sort: "relevance", limit: 100 };

/** Part of the conformance suite: facets, categories, and places that documents name. */
export function placeCases(given: Given): void {
  test("facets and collection numbers come with the candidates", async () => {
    const set = await given.index().candidates(parseQuery("museum"), FILTER);
    expect(set.facets.host).toEqual([
      ["d.example", 2],
      ["c.example", 1],
    ]);
    expect(set.facets.lang).toEqual([["en", 3]]);
    expect(set.facets.category).toEqual([["news", 2]]);
    expect(set.facets.year).toEqual([
      ["2019", 1],
      ["2023", 1],
      ["2025", 1],
    ]);
    expect(await given.idsOf("museum", { category: "news" })).toEqual([11, 12]);
    expect(await given.idsOf("museum", { category: "sport" })).toEqual([]);
    expect(set.documents).toBe(DOCUMENTS.length);
    expect(set.averageLengths.body).toBeGreaterThan(1);
  });

  test("a candidate carries its places where the query names one, and a category can change", async () => {
    const page = { id: 60, host: "g.example", text: "gammaword" };
    await given.index().put(documentOf({ ...page, locations: ["Sept-Îles", "Port-Cartier"] }));
    const query = parseQuery("gammaword");
    const { places } = placesOf(gazetteerOf(), "gammaword Port-Cartier", undefined);
    const set = await given.index().candidates({ ...query, places: places! }, FILTER);
    expect(set.candidates[0]!.locations).toEqual(packPlaces(["Sept-Îles", "Port-Cartier"]));
    expect((await given.found("gammaword"))[0]!.locations).toBeNull();
    for (const category of ["culture", "sport", null]) {
      await given.index().put(documentOf({ ...page, category }));
      const found = await given.idsOf("gammaword", { category: category ?? "none" });
      expect(found).toEqual(category === null ? [] : [60]);
    }
    await given.index().remove([60]);
  });
}
