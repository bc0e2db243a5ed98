import { expect, test } from "bun:test";
import { DfTable } from "../../src/search/sqlite/df-table.ts";
import { analyse } from "../../src/text/forward.ts";
import { HASH_START, hashText, hashUnit, mixed } from "../../src/text/hash.ts";

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const A = 97;
const LETTERS = 26;
const fieldsOf = (body: string) => ({
  ...{ title: "", headings: "", anchors: "", host: "", path: "" },
  body,
});

/** Words of six letters whose hashes share their low 17 bits, but for a few of them. */
function wordsOfOnePlace(count: number): string[] {
  const words: string[] = [];
  for (let n = 0; words.length < count; n++) {
    let start = "";
    for (let rest = n, at = 0; at < 4; at++, rest = Math.floor(rest / LETTERS)) {
      start += String.fromCharCode(A + (rest % LETTERS));
    }
    const before = [...start].reduce(
      (hash, char) => hashUnit(hash, char.charCodeAt(0)),
      HASH_START,
    );
    for (let pair = 0; pair < LETTERS ** 2; pair++) {
      const [one, other] = [A + Math.floor(pair / LETTERS), A + (pair % LETTERS)];
      const hash = mixed(hashUnit(hashUnit(before, one), other));
      if ((hash & 0x1ffff) < 128) words.push(start + String.fromCharCode(one, other));
    }
  }
  return words.slice(0, count);
}

/**
 * Words that all have one hash: pairs of pieces that lead from one inner state to the same one,
 * one pair behind the other (Joux, 2004).
 */
function wordsOfOneHash(pieces: number): string[] {
  let state = HASH_START;
  let words = [""];
  for (let at = 0; at < pieces; at++) {
    const [one, other] = collision(state);
    state = [...one].reduce((hash, char) => hashUnit(hash, char.charCodeAt(0)), state);
    words = words.flatMap((word) => [word + one, word + other]);
  }
  return words;
}

function collision(state: number): [string, string] {
  const met = new Map<number, string>();
  for (let n = 0; ; n++) {
    const piece = n.toString(36).padStart(4, "0");
    const hash = [...piece].reduce((sum, char) => hashUnit(sum, char.charCodeAt(0)), state);
    const before = met.get(hash);
    if (before !== undefined) return [before, piece];
    met.set(hash, piece);
  }
}

test("words chosen to stand at one place of the tables cost what others cost", () => {
  const chosen = wordsOfOnePlace(12_000);
  const ordinary = chosen.map((_, at) => `q${(at * 7919 + 1_000_000).toString(36)}`);
  cpuMs(() => analyse(fieldsOf("what warms up the code "), null));
  const usual = cpuMs(() => analyse(fieldsOf(ordinary.join(" ")), "fr"));
  const cost = cpuMs(() => analyse(fieldsOf(chosen.join(" ")), "de"));
  expect(cost).toBeLessThan(10 * usual + 100);

  const table = new DfTable();
  const hashes = chosen.map(hashText);
  const counting = cpuMs(() => {
    for (let page = 0; page < 5; page++) for (const hash of hashes) table.add(hash, 1);
  });
  expect(table.pending).toBe(new Set(hashes).size);
  expect(counting).toBeLessThan(200);
}, 60_000);

test("of words that share their whole hash only some are read, and the others after them", () => {
  const words = wordsOfOneHash(11);
  expect(new Set(words.map(hashText)).size).toBe(1);
  let analysis = analyse(fieldsOf(""), null);
  const cost = cpuMs(() => {
    analysis = analyse(fieldsOf(`${words.join(" ")} mandolin`), "es");
  });
  const terms = analysis.terms.split(" ");
  expect(terms).toContain("mandolin");
  expect(terms.length).toBeLessThan(500);
  expect(cost).toBeLessThan(1_000);
}, 60_000);
