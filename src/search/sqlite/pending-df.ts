import type { Database } from "bun:sqlite";
import type { Analysis } from "../../text/analysis.ts";
import type { ForwardData } from "../../text/forward-data.ts";
import { DfTable, KNOWN_STEM, KNOWN_WORD } from "./df-table.ts";
import { bandOf } from "./vocabulary.ts";

interface Name {
  term: string;
  /** As people spell it; null for a stem that no document has as a word. */
  word: string | null;
}

/**
 * Changes of df, gathered in memory: written with each document they would cost more than the
 * document itself. What a crash loses is small, and df only weighs words.
 */
export class PendingDf {
  readonly #table = new DfTable();
  /** Of the pending terms those that the file may not have yet. */
  readonly #names = new Map<number, Name>();

  get size(): number {
    return this.#table.pending;
  }

  add(analysis: Analysis, forward: ForwardData): void {
    let names: Names | null = null;
    for (let at = 0; at < forward.termCount; at++) {
      const hash = forward.hashAt(at);
      const known = this.#table.add(hash, 1);
      const isWord = forward.isSurface(at);
      if ((known & (isWord ? KNOWN_WORD : KNOWN_STEM)) !== 0) continue;
      names ??= namesOf(analysis);
      this.#name(hash, names, at, isWord);
    }
  }

  remove(forward: ForwardData): void {
    for (let at = 0; at < forward.termCount; at++) this.#table.add(forward.hashAt(at), -1);
  }

  /** Adds up to `count` changes to those in the file, within a transaction of the caller. */
  write(db: Database, count: number): WrittenDf {
    const written = this.#table.next(count);
    for (const [hash, change] of written) {
      if (change !== 0) writeChange(db, hash, change, this.#names.get(hash));
    }
    return { settle: () => this.#settle(written) };
  }

  #name(hash: number, names: Names, at: number, isWord: boolean): void {
    const term = names.terms[at];
    if (term === undefined) return;
    const word = isWord ? (names.spellings.get(term) ?? term) : null;
    const known = this.#names.get(hash);
    if (known === undefined) this.#names.set(hash, { term, word });
    else if (word !== null && (known.word === null || known.word === term)) known.word = word;
    // Enough for now: the name is kept until it is written.
    this.#table.know(hash, isWord ? KNOWN_WORD | KNOWN_STEM : KNOWN_STEM);
  }

  #settle(written: readonly (readonly [number, number])[]): void {
    this.#table.settle(written.length);
    for (const [hash] of written) this.#names.delete(hash);
  }
}

export interface WrittenDf {
  /** Called once the transaction is committed. */
  settle(): void;
}

interface Names {
  terms: string[];
  spellings: Map<string, string>;
}

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

function writeChange(db: Database, hash: number, change: number, name: Name | undefined): void {
  const row = db
    .query<VocabularyRow, [number]>("select term, word, df, band from vocabulary where hash = ?")
    .get(hash);
  const df = Math.max(0, (row?.df ?? 0) + change);
  if (row === null) {
    if (name === undefined) return;
    db.query("insert into vocabulary (hash, term, word, df, band) values (?, ?, ?, ?, ?)").run(
      hash,
      name.term,
      name.word,
      df,
      bandOf(df),
    );
    return;
  }
  const word = betterWord(row, name);
  if (bandOf(df) === row.band && word === row.word) {
    // The index of words is left alone: most changes are of this kind.
    db.query("update vocabulary set df = ? where hash = ?").run(df, hash);
  } else {
    db.query("update vocabulary set df = ?, band = ?, word = ? where hash = ?").run(
      df,
      bandOf(df),
      word,
      hash,
    );
  }
}

/** A stem may have become a word, and a word may now come with its accents. */
function betterWord(row: VocabularyRow, name: Name | undefined): string | null {
  if (name === undefined || name.word === null || name.term !== row.term) return row.word;
  return row.word === null || row.word === row.term ? name.word : row.word;
}
