import { expect, test } from "bun:test";
import { LANGUAGES, type Words, wordsOf } from "../../templates/words/words.ts";

/** Every fixed text of a dictionary by its path; what takes arguments has a table of its own. */
function textsOf(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => textsOf(each, `${path}.${key}`));
}

test.each(LANGUAGES)("%s: as many texts as in English, none of them empty", (language) => {
  const own = textsOf(wordsOf(language));
  expect(own.map(([path]) => path)).toEqual(textsOf(wordsOf("en")).map(([path]) => path));
  for (const [path, text] of own) expect(text.trim(), path).not.toBe("");
});

/** Words that are the same in both languages, or no words at all. */
const SHARED =
  /^\.(layout\.(menu|console)|explain\.score|search\.(host|suggestions|tips\.\d\.example))$/;

test.each(LANGUAGES.filter((each) => each !== "en"))("%s is translated, not copied", (language) => {
  const english = new Map(textsOf(wordsOf("en")));
  const same = textsOf(wordsOf(language)).filter(([path, text]) => english.get(path) === text);
  expect(same.map(([path]) => path).filter((path) => !SHARED.test(path))).toEqual([]);
});

const CALLS: readonly ((words: Words) => string)[] = [
  ({ error }) => error.integer("page", 1, 200),
  ({ error }) => error.window(200),
  ({ error }) => error.choice("sort", ["a", "b"]),
  ({ error }) => error.date("from"),
  ({ error }) => error.tooLong("q", 1_000),
  ({ error }) => error.malformed("host"),
  ({ search }) => search.titleOf("tide"),
  ({ search }) => search.indexed(2),
  ({ search }) => search.page(2),
  ({ search }) => search.remove("fr"),
  ({ search }) => search.more(2, "a.example"),
  ({ search }) => search.similar(2),
  ({ search }) => search.none("tide"),
  ({ refusal }) => refusal.field("q").text,
  ({ refusal }) => refusal.tooMany(2).text,
  ({ refusal }) => refusal.tooManyTries(2).text,
  ({ refusal }) => refusal.faulty("x").title,
  ({ search }) => search.degraded(["a", "b"]),
  ({ search }) => search.hostMenu("a.example"),
  ({ search }) => search.hidden(2),
  ({ search }) => search.feedOf("tide"),
  ({ cached }) => cached.title("Tide"),
  ({ cached }) => cached.notice("today"),
];

test("what takes arguments says something of its own in each language", () => {
  for (const call of CALLS) {
    const said = LANGUAGES.map((each) => call(wordsOf(each)));
    for (const text of said) expect(text).not.toMatch(/undefined|NaN|^\s*$/);
    expect(new Set(said).size, said[0]!).toBeGreaterThan(2);
  }
});

test.each([
  ["en", 0, false, "0 results", "No results"],
  ["en", 1, false, "1 result", "1 result"],
  ["en", 10_000, true, "More than 10,000 results", "more than 10,000 results"],
  ["fr", 0, false, "0 résultat", "Aucun résultat"],
  ["fr", 1, false, "1 résultat", "1 résultat"],
  ["fr", 2, false, "2 résultats", "2 résultats"],
  ["pt", 1, false, "1 resultado", "1 resultado"],
  ["pt", 2, false, "2 resultados", "2 resultados"],
  ["ru", 1, false, "1 результат", "1 результат"],
  ["ru", 3, false, "3 результата", "3 результата"],
  ["ru", 11, false, "11 результатов", "11 результатов"],
  ["ru", 22, false, "22 результата", "22 результата"],
] as const)("%s: %i counted", (language, total, capped, shown, said) => {
  const { search } = wordsOf(language);
  expect(search.count(total, capped)).toBe(shown);
  expect(search.announce(total, capped)).toBe(said);
});

test("days and languages are written as each language writes them", () => {
  const at = new Date("2026-03-03T23:30:00Z");
  expect(LANGUAGES.map((each) => wordsOf(each).date(at))).toEqual([
    "Mar 3, 2026",
    "3 mars 2026",
    "3 de mar. de 2026",
    "3 мар. 2026 г.",
  ]);
  expect(LANGUAGES.map((each) => wordsOf(each).languageName("de"))).toEqual([
    "German",
    "Allemand",
    "Alemão",
    "Немецкий",
  ]);
  for (const code of ["", "x", "<script>", "zz", "🌊"]) {
    expect(wordsOf("en").languageName(code)).toBeString();
  }
});
