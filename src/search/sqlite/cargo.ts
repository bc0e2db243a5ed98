import type { PackedText } from "../../text/packed.ts";
import type { Change } from "./writer.ts";

/**
 * A batch of changes on its way to the writer thread. The bytes of all documents lie in one buffer,
 * which is moved: copying each by itself, for both threads, costs twice as much.
 */
export interface Cargo {
  /** Documents come without their bytes. */
  changes: Change[];
  bytes: Uint8Array<ArrayBuffer>;
  /** Two numbers a document: bytes of its text, and of its forward data. */
  lengths: Uint32Array<ArrayBuffer>;
}

const NOTHING = new Uint8Array(0) as PackedText;

export function packChanges(changes: readonly Change[]): Cargo {
  const lengths = new Uint32Array(changes.length * 2);
  let sum = 0;
  for (const [at, change] of changes.entries()) {
    if (change.kind !== "put") continue;
    const { text, analysis } = change.document;
    sum += lengths[2 * at] = text.length;
    sum += lengths[2 * at + 1] = analysis.forward.length;
  }
  const bytes = new Uint8Array(sum);
  let to = 0;
  const bare = changes.map((change): Change => {
    if (change.kind !== "put") return change;
    const { document } = change;
    bytes.set(document.text, to);
    to += document.text.length;
    bytes.set(document.analysis.forward, to);
    to += document.analysis.forward.length;
    const analysis = { ...document.analysis, forward: NOTHING };
    return { ...change, document: { ...document, text: NOTHING, analysis } };
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
    change.document.analysis.forward = next(lengths[2 * at + 1]!);
  }
  return changes;
}
