import { wordOf } from "./corpus.ts";

/** What stands in the field when suggestions are asked for, by how far it is typed. */

export interface Typed {
  kind: string;
  text: string;
}

/** `at` names the kind, in turn. */
export function typedText(at: number, random: () => number): Typed {
  const word = (from: number, to: number) => wordOf(Math.floor(from * (to / from) ** random()));
  const usual = () => word(1, 20_000);
  const rare = () => word(20_000, 150_000);
  const kinds: [kind: string, text: string][] = [
    ["one letter", usual().slice(0, 1)],
    ["two letters", usual().slice(0, 2)],
    ["three letters", usual().slice(0, 3)],
    ["four letters", rare().slice(0, 4)],
    ["a word", usual()],
    ["a rare word", rare()],
    ["own words", "zq"],
    ["second word", `${usual()} ${usual().slice(0, 2)}`],
    ["many words", `${Array.from({ length: 12 }, usual).join(" ")} ${usual().slice(0, 3)}`],
    ["finished", `${usual()} `],
    ["nowhere", `x${usual()}`],
    ["other letters", "Ñandú ş 東京".slice(0, 1 + Math.floor(random() * 9))],
  ];
  const [kind, text] = kinds[at % kinds.length]!;
  return { kind, text };
}
