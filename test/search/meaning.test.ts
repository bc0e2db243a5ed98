import { afterAll, beforeAll, expect, test } from "bun:test";
import { type SearchRequest, search } from "../../src/search/search.ts";
import type { Given } from "./documents.ts";
import { atOwnHosts, type FilledIndex, fillIndex } from "./filled-index.ts";

/** Words of the same meaning, end to end in the embedded index, by the lists that come with it. */

let filled: FilledIndex;

const DOCUMENTS: Given[] = [
  { id: 1, lang: "fr", title: "Rentrée", text: "Une école ouvre ses portes au village." },
  { id: 2, lang: "fr", title: "Écoles", text: "Les écoles de la région sont fermées." },
  { id: 3, lang: "en", title: "School", text: "The school is a school of schools." },
  { id: 4, lang: "fr", text: "Un établissement scolaire de quartier." },
  { id: 5, lang: "fr", text: "Un établissement agricole, puis un débat scolaire." },
  { id: 10, lang: "fr", text: "Une boulangerie vend du pain." },
  { id: 11, lang: "en", text: "The bakery sells bread." },
  { id: 12, lang: "en", text: "Back pain and its relief." },
  { id: 13, lang: "fr", text: "Le chat dort sur le divan." },
  { id: 14, lang: "en", text: "A cat sleeps on the sofa." },
  { id: 15, lang: "en", text: "We chat with friends online." },
  { id: 20, lang: "fr", text: "Ouvert la fin de semaine au complet." },
  { id: 21, lang: "fr", text: "La fin d’une semaine ordinaire." },
  { id: 22, lang: "fr", text: "Ouvert le weekend." },
  { id: 23, lang: "fr", text: "Ouvert le week-end." },
  { id: 30, lang: "fr", text: "Une voiture rouge est vendue." },
  { id: 31, lang: "fr", text: "Une automobile rouge est vendue." },
  { id: 32, lang: "fr", text: "Une voiture, une automobile rouge est là." },
  { id: 40, lang: "fr", text: "Un courriel." },
  ...Array.from({ length: 60 }, (_, at) => ({
    id: 100 + at,
    lang: "fr",
    text: "Du mail, du mail et encore du mail.",
  })),
];

beforeAll(async () => {
  filled = await fillIndex(atOwnHosts(DOCUMENTS));
});
afterAll(() => filled?.remove());

const ask = (query: string, more: Partial<SearchRequest> = {}) =>
  search(filled.index, { query, page: 1, perPage: 50, sort: "relevance", explain: true, ...more });
const idsOf = async (query: string, more: Partial<SearchRequest> = {}) =>
  (await ask(query, more)).hits.map(({ id }) => id);

test("école finds what says it in other words, and a page about a school, behind French ones", async () => {
  const { hits, total, didYouMean } = await ask("école");
  expect([hits.map(({ id }) => id), total, didYouMean]).toEqual([[2, 1, 4, 3], 4, null]);
  expect(hits.map(({ explain }) => explain!.synonym)).toEqual([undefined, undefined, 0.5, 0.3]);
  expect(hits[3]!.title).toEqual([{ text: "School", match: true }]);
  expect(hits[3]!.snippet[1]).toEqual({ text: "school", match: true });
  expect(hits[2]!.snippet[1]).toEqual({ text: "établissement scolaire", match: true });
});

test("school finds the French ones the other way round; quoted and by date words stay as typed", async () => {
  const school = await idsOf("school");
  expect([school[0], school.slice(1).sort()]).toEqual([3, [1, 2]]);
  expect(await idsOf('"school"')).toEqual([3]);
  expect(await idsOf("intitle:school")).toEqual([3]);
  expect(await idsOf("school", { sort: "date" })).toEqual([3]);
  expect(await idsOf("school -région")).toEqual([3, 1]);
  expect(await idsOf("school", { lang: "fr" })).toHaveLength(2);
});

test.each([
  ["pain", {}, [10, 12], "either"],
  ["pain", { pageLang: "fr" }, [10, 11, 12], "bread, asked on a French page"],
  ["pain boulangerie achetée où", {}, [10, 11, 12], "bread, among French words"],
  ["back pain relief", {}, [10, 12], "what aches"],
  ["chat", {}, [13, 15], "either"],
  ["chat", { lang: "en", pageLang: "en" }, [15], "a talk"],
  ["chat", { pageLang: "fr" }, [13, 14, 15], "a cat"],
] as [string, Partial<SearchRequest>, number[], string][])(
  "%j with %j finds %j: %s",
  async (query, more, ids) => {
    expect((await idsOf(query, more)).sort()).toEqual(ids);
  },
);

test("words that mean one thing together stand for one word, and that for them", async () => {
  expect((await idsOf("weekend")).sort()).toEqual([20, 22, 23]);
  const found = await idsOf("ouvert fin de semaine");
  expect([found[0], [...found].sort()]).toEqual([20, [20, 21, 22, 23]]);
});

test("a document with another word never comes before an equal one with the word itself", async () => {
  expect(await idsOf("voiture")).toEqual([30, 32, 31]);
  expect((await idsOf("automobile"))[2]).toBe(30);
  // However common the other word is: it tells no more than a common one does.
  const { hits } = await ask("courriel", { collapse: "none" });
  expect([hits[0]!.id, hits.length]).toEqual([40, 50]);
  const [own, other] = [hits[0]!.score, hits[1]!.score];
  expect(other).toBeLessThan(own / 4);
});
