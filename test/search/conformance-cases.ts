import type { Given } from "./documents.ts";

/** Epoch ms of the first moment of a day. */
export const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);

/** What is in the index that the conformance suite asks. */
export const DOCUMENTS: Given[] = [
  { id: 1, host: "a.example", title: "Lisbon trams", text: "Yellow trams climb the hills." },
  { id: 2, host: "www.a.example", title: "Porto", text: "A tram runs along the river Douro." },
  { id: 3, host: "b.example", title: "Wine", text: "Port wine comes from the Douro valley." },
  { id: 4, host: "b.example", title: "Code zq12x34", text: "A page with a rare word: qz98." },
  {
    id: 5,
    host: "fr.example",
    lang: "fr",
    title: "L’école d’été",
    text: "Les événements culturels de l’école continuent.",
  },
  { id: 6, host: "ru.example", lang: "ru", title: "Книги", text: "Новые книги о городе и ёлках." },
  { id: 7, host: "ja.example", lang: "ja", title: "東京都", text: "東京都の猫は黒猫です。" },
  { id: 8, host: "c.example", title: "New York", text: "The new museum of York, not the other." },
  { id: 9, host: "c.example", title: "City", text: "In New York the trams are gone." },
  { id: 10, host: "d.example", lang: null, title: "Rivers", text: "rivers of the valley" },
  {
    id: 11,
    host: "d.example",
    title: "Old news",
    text: "museum opened",
    category: "news",
    publishedAt: new Date(day("2019-03-05")),
  },
  {
    id: 12,
    host: "d.example",
    title: "Newer news",
    text: "museum closed",
    category: "news",
    regionScore: 0.75,
    locations: ["Sept-Îles"],
    publishedAt: new Date(day("2023-07-01")),
  },
];

/** What it is asked, and which documents answer. */
export const QUERIES: [query: string, ids: number[], why: string][] = [
  ["zq12x34", [4], "an exact word with digits, in the title"],
  ["QZ98", [4], "in any case"],
  ["trams", [1, 2, 9], "a word and its other forms"],
  ["tram", [1, 2, 9], "the other way round"],
  ["trams douro", [1, 2, 3, 9], "any of the words"],
  ['"new york"', [8, 9], "words side by side, in title or text"],
  ['"york museum"', [], "which these are nowhere"],
  ['"trams"', [1, 9], "a quoted word as it is typed"],
  ["trams -lisbon", [2, 9], "without a word"],
  ['museum -"new york"', [11, 12], "without a phrase"],
  ["douro site:b.example", [3], "on a host"],
  ["trams site:a.example", [1, 2], "and below it"],
  ["trams -site:a.example", [9], "or elsewhere"],
  ["site:c.example", [8, 9], "all of a host"],
  ["intitle:news museum", [11, 12], "a word of the title"],
  ["intitle:museum", [], "which a word of the text is not"],
  ["museum after:2020 -york", [12], "published since"],
  ["museum before:2020", [11], "published before"],
  ["lang:fr", [5], "all of a language"],
  ["ecole", [5], "without accents and elision"],
  ["L'ÉCOLE", [5], "with them"],
  ["evenement", [5], "without accents, singular"],
  ["книга", [6], "stems of Russian"],
  ["елка", [6], "and its yo"],
  ["猫", [7], "a character inside a text without spaces"],
  ["黒猫", [7], "two of them"],
  ["rivers", [2, 10], "a text of no known language as it stands"],
  ["lisbon OR museum", [1, 8, 11, 12], "one or the other"],
  ["nowhere", [], "a word that no document has"],
];
