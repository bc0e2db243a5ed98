import type { Database } from "bun:sqlite";
import type { ForwardData } from "../../text/forward-data.ts";
import type { IndexDocument } from "../document.ts";
import type { Enrichment, HostRank, PutOptions, PutResult } from "../port.ts";
import { checkDocument, type ReadDocument } from "./admit-document.ts";
import { detailOf, type Failure, failureOf, openingFailureOf } from "./failure.ts";
import { writeRanks } from "./host-ranks.ts";
import { PendingDf } from "./pending-df.ts";
import { Changes, putDocument, removeDocument, writeTokens, writeTotals } from "./store.ts";
import { writeSummaries } from "./summaries.ts";
import { openForWriting } from "./tables.ts";

/** One call of put or remove. */
export type Change =
  | ({ kind: "put"; document: IndexDocument } & PutOptions)
  | { kind: "remove"; ids: number[] };

/** Epoch ms of the clock that the writer is given. */
export interface ApplyLimits {
  /** So long another process may hold the file. */
  deadlineAt: number;
  /** From then on nobody waits for the answer: who was told no must not be written after all. */
  giveUpAt: number;
}

export interface WriterSettings {
  path: string;
  /** Bound of the file in pages of 8 KiB; null for none. */
  pagesMax: number | null;
}

/** One attempt for the lock of another process; attempts go on until the deadline. */
const BUSY_MS = 250;
/** Changes of df in one transaction: about 15 ms, so that documents need not wait. */
const DF_BATCH = 3_000;
/**
 * Where it must be quick: the words of a band lie by letter, so that each piece writes most pages
 * of their index again.
 */
const DF_LARGE_BATCH = 100_000;
/** Written in 3 s, within the time that a program has to stop; what comes beyond waits for them. */
const DF_PENDING_MAX = 300_000;

const TOO_LATE: PutResult = { kind: "unavailable", detail: "the index did not get to it in time" };

type Step =
  | ({ kind: "put"; document: ReadDocument; forward: ForwardData } & PutOptions)
  | { kind: "remove"; ids: number[] }
  | Refused;

type Refused = { kind: "refused"; detail: string };

/** The one writer of this process. Everything in it is synchronous: it lives in a thread. */
export class IndexWriter {
  readonly #settings: WriterSettings;
  readonly #pendingDf = new PendingDf();
  readonly #now: () => number;
  #db: Database | null = null;
  /** Why the last attempt failed; a probe must then do more than ask for the lock. */
  #lastFailure: Failure | null = null;

  constructor(settings: WriterSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Opens the file and makes its tables. */
  connect(): PutResult {
    return this.#attempt(() => {}) ?? { kind: "stored" };
  }

  /** One transaction for all; when a document breaks it, one for each. Answers in order. */
  apply(changes: readonly Change[], { deadlineAt, giveUpAt }: ApplyLimits): PutResult[] {
    if (this.#now() >= giveUpAt) return changes.map(() => TOO_LATE);
    if (this.pendingDf > DF_PENDING_MAX) this.writeSomeDf(DF_LARGE_BATCH / 2);
    return this.#applySteps(changes.map(stepOf), deadlineAt);
  }

  /** Writes some of the changes of df; false when nothing is left, or it cannot be written now. */
  writeSomeDf(count = DF_BATCH): boolean {
    if (this.#pendingDf.size === 0) return false;
    const failed = this.#attempt((db) => {
      const written = inTransaction(db, () => this.#pendingDf.write(db, count));
      written.settle();
    });
    return failed === null && this.#pendingDf.size > 0;
  }

  rankHosts(ranks: readonly HostRank[], deadlineAt: number): PutResult {
    return this.#write((db) => writeRanks(db, ranks), deadlineAt);
  }

  enrich(updates: readonly Enrichment[], deadlineAt: number): PutResult {
    return this.#write((db) => writeSummaries(db, updates), deadlineAt);
  }

  /** One transaction for all. */
  #write(work: (db: Database) => void, deadlineAt: number): PutResult {
    for (;;) {
      const failed = this.#attempt((db) => inTransaction(db, () => work(db)));
      if (failed === null) return { kind: "stored" };
      if (this.#lastFailure !== "busy" || this.#now() >= deadlineAt) return failed;
    }
  }

  get pendingDf(): number {
    return this.#pendingDf.size;
  }

  probe(): "up" | "refused" | "down" {
    const didFail = this.#lastFailure !== null;
    this.#attempt((db) => {
      inTransaction(db, () => {
        if (didFail) writeTotals(db, new Map([["probes", 1]]));
      });
    });
    if (this.#lastFailure === null) return "up";
    return this.#lastFailure === "broken" ? "down" : "refused";
  }

  close(): void {
    while (this.writeSomeDf(DF_LARGE_BATCH));
    this.#db?.close();
    this.#db = null;
  }

  #applySteps(steps: readonly Step[], deadlineAt: number): PutResult[] {
    for (;;) {
      const superseded = new Set<Step>();
      const failed = this.#attempt((db) => this.#commit(db, steps, superseded));
      if (failed === null) return steps.map((step) => resultOf(step, superseded));
      if (failed.kind === "refused" && steps.length > 1) {
        return steps.flatMap((step) => this.#applySteps([step], deadlineAt));
      }
      const mayPass = this.#lastFailure === "busy" && this.#now() < deadlineAt;
      if (!mayPass) return steps.map((step) => (step.kind === "refused" ? step : failed));
    }
  }

  #commit(db: Database, steps: readonly Step[], superseded: Set<Step>): void {
    const changes = new Changes();
    inTransaction(db, () => {
      for (const { id, step } of inOrder(steps)) {
        if (step.kind === "remove") removeDocument(db, id, changes);
        else if (!putDocument(db, step, changes)) superseded.add(step);
      }
      writeTotals(db, changes.totals);
      writeTokens(db, changes);
    });
    for (const { document, forward } of changes.added) {
      this.#pendingDf.add(document.analysis, forward);
    }
    for (const forward of changes.removed) this.#pendingDf.remove(forward);
  }

  /** Null when it worked. A connection that failed in another way than by a lock is opened anew. */
  #attempt(work: (db: Database) => void): Extract<PutResult, { detail: string }> | null {
    try {
      this.#db ??= openForWriting(this.#settings.path, BUSY_MS, this.#settings.pagesMax);
      work(this.#db);
      this.#lastFailure = null;
      return null;
    } catch (error) {
      const failure = this.#db === null ? openingFailureOf(error) : failureOf(error);
      if (failure === "document") return { kind: "refused", detail: detailOf(error) };
      this.#lastFailure = failure;
      if (failure === "broken") {
        this.#db?.close();
        this.#db = null;
      }
      return { kind: "unavailable", detail: detailOf(error) };
    }
  }
}

function stepOf(change: Change): Step {
  if (change.kind === "remove") return change;
  const checked = checkDocument(change.document);
  return checked.kind === "refused" ? checked : { ...change, ...checked, kind: "put" };
}

/** By id, for neighbours lie in the same pages of the file; those of one id as they came. */
function inOrder(steps: readonly Step[]): { id: number; step: Exclude<Step, Refused> }[] {
  return steps
    .flatMap((step) => {
      if (step.kind === "refused") return [];
      const ids = step.kind === "put" ? [step.document.id] : step.ids;
      return ids.map((id) => ({ id, step }));
    })
    .sort((one, other) => one.id - other.id);
}

function resultOf(step: Step, superseded: ReadonlySet<Step>): PutResult {
  if (step.kind === "refused") return step;
  return { kind: superseded.has(step) ? "superseded" : "stored" };
}

function inTransaction<T>(db: Database, work: () => T): T {
  db.run("begin immediate");
  try {
    const value = work();
    db.run("commit");
    return value;
  } catch (error) {
    if (db.inTransaction) db.run("rollback");
    throw error;
  }
}
