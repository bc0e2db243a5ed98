import { afterAll, beforeAll, expect, test } from "bun:test";
import { search } from "../../src/search/search.ts";
import type { Given } from "./documents.ts";
import { atOwnHosts, type FilledIndex, fillIndex } from "./filled-index.ts";

let filled: FilledIndex;

const DOCUMENTS: Given[] = [
  { id: 1, text: "A communication about a harbour." },
  { id: 2, lang: "ru", text: "Городской музей и библиотека." },
  { id: 3, lang: "fr", text: "L’événement a lieu à l’été." },
  // As rare as a name, or a mistake of the page itself.
  { id: 4, text: "Madame Nuseum lives near a harbour." },
  { id: 5, text: "Two museunas." },
  { id: 6, text: "The code qz98ab." },
  ...Array.from({ length: 1_100 }, (_, at) => ({
    id: 100 + at,
    text: at < 400 ? "A museum of painting with trams." : "A page of other things.",
  })),
];

beforeAll(async () => {
  filled = await fillIndex(atOwnHosts(DOCUMENTS));
});
afterAll(() => filled?.remove());

const ask = (query: string) =>
  search(filled.index, { query, page: 1, perPage: 10, sort: "relevance", explain: false });

test.each([
  ["wommunication", "communication", 1, "another first letter"],
  ["ommunication", "communication", 1, "without it"],
  ["scommunication", "communication", 1, "with one before it"],
  ["ocmmunication", "communication", 1, "with the first two swapped"],
  ["communivation", "communication", 1, "in the middle"],
  ["comunnication", "communication", 1, "two mistakes of a long word"],
  ["harbour comunication", "harbour communication", 1, "where the other word is known"],
  ["lузей", "музей", 2, "a letter of another alphabet"],
  ["пузей", "музей", 2, "of another alphabet"],
  ["узей", "музей", 2, "too"],
  ["événemant", "événement", 3, "with accents, spelled as documents do"],
  ["qz97ab", null, 0, "never one with a digit"],
  ['"wommunication"', null, 0, "nor a quoted one"],
  ["intitle:wommunication", null, 0, "nor one of the title"],
] as [string, string | null, number, string][])("%j is %j: %s", async (query, meant, id) => {
  const { didYouMean, hits } = await ask(query);
  expect([didYouMean, hits[0]?.id ?? 0]).toEqual([meant, id]);
});

test("a rare word is found as it is typed; one far commoner is offered, and adds nothing", async () => {
  const { didYouMean, hits, total } = await ask("Nuseum");
  expect([didYouMean, hits.map(({ id }) => id), total]).toEqual(["museum", [4], 1]);
  const both = await ask("harbour nuseum");
  expect([both.didYouMean, both.hits.map(({ id }) => id)]).toEqual(["harbour museum", [4, 1]]);
});

test.each([
  ["trams", "as common as any"],
  ["tram", "another form of a common one"],
  ["museunas", "two edits from a common one"],
  ["harbour", "without a neighbour"],
  ['"nuseum"', "quoted"],
])("nothing is offered for %j: %s", async (query) => {
  expect((await ask(query)).didYouMean).toBeNull();
});

test("in a small collection every word is rare: nothing is offered", async () => {
  const { index, remove } = await fillIndex(DOCUMENTS.filter(({ id }) => id < 600));
  const request = { query: "nuseum", page: 1, perPage: 10, sort: "relevance" } as const;
  expect((await search(index, { ...request, explain: false })).didYouMean).toBeNull();
  await remove();
});
