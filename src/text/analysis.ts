/** Texts of one document by field, as score() weighs them. */
export interface FieldTexts {
  title: string;
  headings: string;
  body: string;
  anchors: string;
  host: string;
  path: string;
}

export type Field = keyof FieldTexts;

/** What indexing needs of a text, made once in the parse thread by text/forward.ts. */
export interface Analysis {
  lang: string | null;
  /**
   * Every term once (folded surface forms and stems), space separated, in the order of `forward`.
   */
  terms: string;
  /** Terms of the title, each once. */
  titleTerms: string;
  /** Terms that the document is about: of its short fields, or repeated in its body. */
  salientTerms: string;
  /** Accented words as they are spelled, before each its folded form: `ecole école`. */
  spellings: string;
  /** Sorted term hashes, tf by field, field lengths, adjacent pairs: see text/forward-data.ts. */
  forward: Uint8Array;
  /** Number of words of the body. */
  words: number;
}
