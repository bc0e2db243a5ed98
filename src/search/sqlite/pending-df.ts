import type { Database } from "bun:sqlite";
import type { Analysis } from "../../text/analysis.ts";
import type { ForwardData } from "../../text/forward-data.ts";
import { bandOf } from "./vocabulary.ts";

/** Terms that need not be named again: their hash is in the file with all that is known of them. */
const KNOWN_MAX = 500_000;
/** Beyond it changes are given up: df need not be exact, memory has an end. */
const PENDING_MAX = 1_000_000;

interface Name {
  term: string;
  /** As people spell it; null for a stem that no document has as a word. */
  word: string | null;
}

/**
 * Changes of df, gathered in memory: written with each document they would cost more than the
 * document itself. What a crash loses is small, and stays so: df only weighs words.
 */
export class PendingDf {
  readonly #changes = new Map<number, number>();
  readonly #names = new Map<number, Name>();
  readonly #known = new Set<number>();

  get size(): number {
    return this.#changes.size;
  }

  add(analysis: Analysis, forward: ForwardData): void {
    let names: Names | null = null;
    for (let at = 0; at < forward.termCount; at++) {
      const hash = forward.hashAt(at);
      this.#change(hash, 1);
      if (this.#known.has(keyOf(hash, forward.isSurface(at)))) continue;
      names ??= namesOf(analysis);
      this.#name(hash, names, at, forward.isSurface(at));
    }
  }

  remove(forward: ForwardData): void {
    for (let at = 0; at < forward.termCount; at++) this.#change(forward.hashAt(at), -1);
  }

  /** Adds up to `count` changes to those in the file, within a transaction of the caller. */
  write(db: Database, count: number): WrittenDf {
    const statements = statementsOf(db);
    const hashes = this.#first(count);
    for (const hash of hashes) {
      const change = this.#changes.get(hash)!;
      const name = this.#names.get(hash);
      const row = statements.add.get(change, hash);
      if (row === null) {
        if (name !== undefined) insert(statements, hash, name, change);
        continue;
      }
      if (bandOf(row.df) !== row.band) statements.setBand.run(bandOf(row.df), hash);
      if (isBetterName(name, row)) statements.setWord.run(name.word, hash);
    }
    return { forget: () => this.#forget(hashes) };
  }

  #change(hash: number, by: number): void {
    if (this.#changes.size >= PENDING_MAX) this.#changes.clear();
    this.#changes.set(hash, (this.#changes.get(hash) ?? 0) + by);
  }

  #name(hash: number, names: Names, at: number, isSurface: boolean): void {
    const term = names.terms[at];
    if (term === undefined) return;
    const word = isSurface ? (names.spellings.get(term) ?? term) : null;
    const known = this.#names.get(hash);
    if (known === undefined || known.word === null) this.#names.set(hash, { term, word });
    else if (known.word === term && word !== null) known.word = word;
  }

  /** In order of hash, as the rows lie in the file. */
  #first(count: number): number[] {
    const hashes = this.#changes.keys().take(count).toArray();
    return hashes.sort((one, other) => one - other);
  }

  #forget(hashes: readonly number[]): void {
    if (this.#known.size + hashes.length > KNOWN_MAX) this.#known.clear();
    for (const hash of hashes) {
      const name = this.#names.get(hash);
      if (name !== undefined) this.#known.add(keyOf(hash, name.word !== null));
      this.#changes.delete(hash);
      this.#names.delete(hash);
    }
  }
}

export interface WrittenDf {
  /** Called once the transaction is committed. */
  forget(): void;
}

interface Names {
  terms: string[];
  spellings: Map<string, string>;
}

const keyOf = (hash: number, isSurface: boolean): number => hash * 2 + (isSurface ? 1 : 0);

function namesOf({ terms, spellings }: Analysis): Names {
  const words = spellings === "" ? [] : spellings.split(" ");
  const bySurface = new Map<string, string>();
  for (let at = 0; at + 1 < words.length; at += 2) bySurface.set(words[at]!, words[at + 1]!);
  return { terms: terms.split(" "), spellings: bySurface };
}

interface VocabularyRow {
  term: string;
  word: string | null;
  df: number;
  band: number;
}

function statementsOf(db: Database) {
  return {
    add: db.query<VocabularyRow, [number, number]>(
      `update vocabulary set df = max(0, df + ?) where hash = ?
       returning term, word, df, band`,
    ),
    insert: db.query(`insert into vocabulary (hash, term, word, df, band) values (?, ?, ?, ?, ?)`),
    setBand: db.query("update vocabulary set band = ? where hash = ?"),
    setWord: db.query("update vocabulary set word = ? where hash = ?"),
  };
}

function insert(
  statements: ReturnType<typeof statementsOf>,
  hash: number,
  name: Name,
  change: number,
): void {
  const df = Math.max(0, change);
  statements.insert.run(hash, name.term, name.word, df, bandOf(df));
}

/** A stem that became a word, or a word that now comes with its accents. */
function isBetterName(name: Name | undefined, row: VocabularyRow): name is Name {
  if (name === undefined || name.word === null || name.term !== row.term) return false;
  return row.word === null || (row.word === row.term && name.word !== row.term);
}
