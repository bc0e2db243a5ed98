import type { Analysis } from "./analysis.ts";

/**
 * An analysis as it goes from the thread that made it to the one that writes it: in one buffer,
 * which whoever is between hands on unread. Layout, little endian: words of the body u32, bytes of
 * the texts u32, the texts in UTF-8 with a line each, the forward data.
 */
export type PackedAnalysis = Uint8Array<ArrayBuffer> & { readonly brand: "PackedAnalysis" };

const HEADER_BYTES = 8;
const decoder = new TextDecoder();

/** A buffer of its own, so that it can be handed over to another thread. */
export function packAnalysis(analysis: Analysis): PackedAnalysis {
  const { lang, terms, titleTerms, salientTerms, spellings, forward, words } = analysis;
  const text = [lang ?? "", terms, titleTerms, salientTerms, spellings].join("\n");
  const textBytes = Buffer.byteLength(text);
  const bytes = new Uint8Array(HEADER_BYTES + textBytes + forward.length);
  const buffer = Buffer.from(bytes.buffer);
  buffer.writeUInt32LE(words, 0);
  buffer.writeUInt32LE(textBytes, 4);
  buffer.write(text, HEADER_BYTES);
  bytes.set(forward, HEADER_BYTES + textBytes);
  return bytes as PackedAnalysis;
}

/** The forward data stays where it is. Null when the bytes are damaged. */
export function unpackAnalysis(bytes: Uint8Array): Analysis | null {
  if (bytes.length < HEADER_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = HEADER_BYTES + view.getUint32(4, true);
  if (end > bytes.length) return null;
  const texts = decoder.decode(bytes.subarray(HEADER_BYTES, end)).split("\n");
  const [lang, terms, titleTerms, salientTerms, spellings] = texts;
  if (terms === undefined || titleTerms === undefined) return null;
  if (salientTerms === undefined || spellings === undefined || texts.length > 5) return null;
  return {
    lang: lang === "" || lang === undefined ? null : lang,
    ...{ terms, titleTerms, salientTerms, spellings },
    forward: bytes.subarray(end),
    words: view.getUint32(0, true),
  };
}
