import { ownWordOf, wordOf } from "./corpus.ts";

/** What people ask, by kind: ranks of words from common to rare, 1 being the commonest. */

export interface AskedQuery {
  kind: string;
  query: string;
  sort: "relevance" | "date";
}

/** `at` names the kind, in turn. */
export function askedQuery(at: number, random: () => number, documents: number): AskedQuery {
  const word = (from: number, to: number) => wordOf(Math.floor(from * (to / from) ** random()));
  /** Not the very commonest, not the rarest. */
  const usual = () => word(100, 20_000);
  const common = () => word(1, 20);
  const kinds: [kind: string, query: string, sort?: "date"][] = [
    ["rare word", word(20_000, 150_000)],
    ["usual word", usual()],
    ["common word", common()],
    ["two words", `${usual()} ${usual()}`],
    ["common and usual", `${common()} ${usual()}`],
    ["two common words", `${common()} ${common()}`],
    ["three words", `${usual()} ${usual()} ${usual()}`],
    ["eight words", Array.from({ length: 8 }, usual).join(" ")],
    ["eight of any", Array.from({ length: 8 }, () => word(1, 20_000)).join(" ")],
    ["own word", ownWordOf(1 + Math.floor(random() * documents))],
    ["phrase", `"${word(1, 100)} ${word(1, 100)}"`],
    ["site", `${usual()} site:h1.example`],
    ["by date", `${usual()} ${usual()}`, "date"],
    ["common by date", common(), "date"],
  ];
  const [kind, query, sort = "relevance"] = kinds[at % kinds.length]!;
  return { kind, query, sort };
}
