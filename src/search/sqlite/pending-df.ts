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
    const changes = written.filter(([, change]) => change !== 0);
    if (changes.length > 0) writeChanges(db, changes, this.#names);
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

/** Whole sets in one statement each: calling one for every term costs ten times as much. */
function writeChanges(
  db: Database,
  changes: readonly (readonly [number, number])[],
  names: ReadonlyMap<number, Name>,
): void {
  const changed = db
    .query<{ hash: number; df: number; band: number }, [string]>(
      `update vocabulary set df = max(0, df + (change.value ->> 1))
       from json_each(?) as change where hash = change.value ->> 0 returning hash, df, band`,
    )
    .all(JSON.stringify(changes));
  const bands = changed.flatMap(({ hash, df, band }) =>
    bandOf(df) === band ? [] : [[hash, bandOf(df)]],
  );
  if (bands.length > 0) writeBands(db, JSON.stringify(bands));
  const named = changes.flatMap(([hash, change]) => {
    const name = names.get(hash);
    const df = Math.max(0, change);
    return name === undefined ? [] : [[hash, name.term, name.word, df, bandOf(df)]];
  });
  if (named.length > 0) writeNames(db, JSON.stringify(named));
}

function writeBands(db: Database, bands: string): void {
  db.query(
    `update vocabulary set band = moved.value ->> 1 from json_each(?) as moved
     where hash = moved.value ->> 0`,
  ).run(bands);
}

function writeNames(db: Database, named: string): void {
  db.query(
    `insert into vocabulary (hash, term, word, df, band)
     select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 from json_each(?)
     where true on conflict (hash) do nothing`,
  ).run(named);
  // A stem that became a word, or a word that now comes with its accents.
  db.query(
    `update vocabulary set word = named.value ->> 2 from json_each(?) as named
     where hash = named.value ->> 0 and term = named.value ->> 1 and named.value ->> 2 is not null
       and (word is null or (word = term and named.value ->> 2 <> term))`,
  ).run(named);
}
