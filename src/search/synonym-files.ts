import { readdirSync, readFileSync } from "node:fs";
import { queryWords } from "./query-word.ts";
import { EXPRESSION_WORDS_MAX, type SynonymLists, Synonyms } from "./synonyms.ts";

/*
 * The files of seeds/synonyms: `fr.json` has groups of words that mean the same, `en-fr.json` pairs
 * of the words of two languages, homographs.json words of one spelling and several meanings. Read
 * once a thread, by the first search; what is wrong is left out of searches, and told by doctor and
 * at start.
 */

const FOLDER = new URL("../../seeds/synonyms/", import.meta.url);

/** By hand: the library for schemas would cost the first search of each thread 30 ms. */
const ENTRIES_MAX = 20_000;
const MEMBERS_MAX = 8;
const TEXT_MAX = 60;

const HOMOGRAPHS = "homographs.json";
const OF_LANGUAGE = /^([a-z]{2,3})\.json$/;
const OF_PAIR = /^([a-z]{2,3})-([a-z]{2,3})\.json$/;
const PROBLEMS_MAX = 5;

export interface SynonymRead {
  synonyms: Synonyms;
  /** Each names its file and, where it can, the entry. */
  problems: readonly string[];
}

let known: SynonymRead | null = null;

/** Those of seeds/synonyms, read by the first call of a thread; never throws. */
export function loadSynonyms(): SynonymRead {
  known ??= readSynonyms(FOLDER);
  return known;
}

/** A folder of such files; no folder has no synonyms. */
export function readSynonyms(folder: URL): SynonymRead {
  const lists: Draft = { groups: [], pairs: [], homographs: [] };
  const problems: string[] = [];
  for (const name of namesIn(folder)) {
    const wrong = readInto(lists, name, folder);
    problems.push(...wrong.slice(0, PROBLEMS_MAX).map((each) => `seeds/synonyms/${name}: ${each}`));
  }
  return { synonyms: new Synonyms(lists), problems };
}

interface Draft extends SynonymLists {
  groups: SynonymLists["groups"][number][];
  pairs: SynonymLists["pairs"][number][];
  homographs: string[];
}

/** Returns what is wrong with the file; then nothing of it is taken. */
function readInto(lists: Draft, name: string, folder: URL): string[] {
  const [, one = "", other = ""] = OF_PAIR.exec(name) ?? OF_LANGUAGE.exec(name) ?? [];
  const isHomographs = name === HOMOGRAPHS;
  if (one === "" && !isHomographs) return ["is no name of a language or two"];
  const field = isHomographs ? "words" : other === "" ? "groups" : "pairs";
  const read = entriesOf(new URL(name, folder), field);
  if (read.kind === "problem") return [read.problem];
  const { entries } = read;
  const problems = entries.flatMap((entry, at) => entryProblems(entry, field, at));
  if (problems.length > 0) return problems;
  if (field === "words") lists.homographs.push(...(entries as string[]));
  else if (field === "groups") {
    lists.groups.push(...(entries as string[][]).map((members) => ({ lang: one, members })));
  } else {
    const langs = [one, other] as const;
    lists.pairs.push(...(entries as [string, string][]).map((members) => ({ langs, members })));
  }
  return [];
}

type Entries = { kind: "entries"; entries: unknown[] } | { kind: "problem"; problem: string };
type Field = "words" | "groups" | "pairs";

function entriesOf(file: URL, field: Field): Entries {
  const parsed = parsedOf(file);
  if (parsed.kind === "problem") return parsed;
  const problem = (text: string): Entries => ({ kind: "problem", problem: text });
  if (typeof parsed.value !== "object" || parsed.value === null) return problem("is no object");
  const { source, ...lists } = parsed.value as { source?: unknown } & Record<string, unknown>;
  // Whom the words come from, and their licence.
  if (typeof source !== "string" || source === "") return problem("has no source");
  const other = Object.keys(lists).find((key) => key !== field);
  if (other !== undefined) return problem(`${JSON.stringify(other)} is not known there`);
  const entries = lists[field];
  if (!Array.isArray(entries)) return problem(`${field} is no list`);
  if (entries.length > ENTRIES_MAX) return problem(`${field} has more than ${ENTRIES_MAX} entries`);
  return { kind: "entries", entries };
}

/** Members of an entry of that field, at least and at most; a word is its own. */
const MEMBERS: Readonly<Record<Field, readonly [number, number]>> = {
  words: [1, 1],
  groups: [2, MEMBERS_MAX],
  pairs: [2, 2],
};

function entryProblems(entry: unknown, field: Field, at: number): string[] {
  const place = `${field}[${at}]`;
  const isShaped = field === "words" ? typeof entry === "string" : Array.isArray(entry);
  const members: unknown[] = [entry].flat();
  if (!isShaped || !members.every((text) => typeof text === "string")) {
    return [`${place}: is no ${field === "words" ? "text" : "list of texts"}`];
  }
  const [least, most] = MEMBERS[field];
  if (members.length < least || members.length > most) {
    return [
      `${place}: has ${members.length} words, not ${least === most ? "" : `${least} to `}${most}`,
    ];
  }
  const known = new Set<string>();
  const problems: string[] = [];
  for (const text of members as string[]) {
    const words = queryWords(text.slice(0, TEXT_MAX), EXPRESSION_WORDS_MAX + 1, []);
    // The same letters in two languages are no pair of words, but nothing is wrong with them.
    const folded = words.map(({ surface }) => surface).join(" ");
    const why = whyNot(text, words.length, field === "groups" && known.has(folded));
    known.add(folded);
    if (why !== null) problems.push(`${place}: ${JSON.stringify(text.slice(0, TEXT_MAX))} ${why}`);
  }
  return problems;
}

function whyNot(text: string, words: number, isKnown: boolean): string | null {
  if (text.length > TEXT_MAX) return `is longer than ${TEXT_MAX} characters`;
  if (/\d/.test(text)) return "has a digit: such words stay as they are typed";
  if (words === 0) return "has no word";
  if (words > EXPRESSION_WORDS_MAX) return `has more than ${EXPRESSION_WORDS_MAX} words`;
  return isKnown ? "stands there twice" : null;
}

function namesIn(folder: URL): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch {
    return [];
  }
}

type Parsed = { kind: "value"; value: unknown } | { kind: "problem"; problem: string };

function parsedOf(file: URL): Parsed {
  try {
    // What some editors put in front is no JSON.
    return { kind: "value", value: JSON.parse(readFileSync(file, "utf8").replace(/^\ufeff/, "")) };
  } catch (error) {
    return { kind: "problem", problem: error instanceof Error ? error.message : String(error) };
  }
}
