import type { PackedText } from "../../text/packed.ts";
import type { PackedAnalysis } from "../../text/packed-analysis.ts";
import type { Change } from "./writer.ts";

/**
 * A batch of changes on its way to the writer thread. The bytes of all documents lie in one buffer,
 * which is moved: copying each by itself, for both threads, costs twice as much.
 */
export interface Cargo {
  /** Documents come without their bytes. */
  changes: Change[];
  bytes: Uint8Array<ArrayBuffer>;
  /** Two numbers a document: bytes of its text, and of its analysis. */
  lengths: Uint32Array<ArrayBuffer>;
}

const NO_TEXT = new Uint8Array(0) as PackedText;
const NO_ANALYSIS = new Uint8Array(0) as PackedAnalysis;

export function packChanges(changes: readonly Change[]): Cargo {
  const lengths = new Uint32Array(changes.length * 2);
  let sum = 0;
  for (const [at, change] of changes.entries()) {
    if (change.kind !== "put") continue;
    const { text, analysis } = change.document;
    sum += lengths[2 * at] = text.length;
    sum += lengths[2 * at + 1] = analysis.length;
  }
  const bytes = new Uint8Array(sum);
  let to = 0;
  const bare = changes.map((change): Change => {
    if (change.kind !== "put") return change;
    const { document } = change;
    bytes.set(document.text, to);
    to += document.text.length;
    bytes.set(document.analysis, to);
    to += document.analysis.length;
    return { ...change, document: { ...document, text: NO_TEXT, analysis: NO_ANALYSIS } };
  });
  return { changes: bare, bytes, lengths };
}

/** Gives the documents their bytes back. */
export function unpackChanges({ changes, bytes, lengths }: Cargo): Change[] {
  let from = 0;
  const next = (length: number) => {
    from += length;
    return bytes.subarray(from - length, from);
  };
  for (const [at, change] of changes.entries()) {
    if (change.kind !== "put") continue;
    change.document.text = next(lengths[2 * at]!) as PackedText;
    change.document.analysis = next(lengths[2 * at + 1]!) as PackedAnalysis;
  }
  return changes;
}
