/** Texts of one document by field, as score() weighs them. */
export interface FieldTexts {
  title: string;
  headings: string;
  body: string;
  anchors: string;
  host: string;
  path: string;
}

/**
 * What indexing needs of a text, made once in the parse thread.
 * `terms`: per field, surface forms and stems, space separated, ready for FTS5.
 * `forward`: sorted term hashes with tf per field, field lengths, pairs of adjacent terms; the
 * encoding is text/forward.ts's own.
 */
export interface Analysis {
  lang: string | null;
  terms: Record<keyof FieldTexts, string>;
  forward: Uint8Array;
  /** Number of words of the body. */
  words: number;
}
