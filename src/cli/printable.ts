/**
 * Crawled text must not drive a terminal: control characters but tab and newline, and the
 * characters that turn the writing direction, are shown as escapes, which are those of JSON.
 */
export function printable(text: string): string {
  return text.replace(HOSTILE, (character) => {
    const code = character.codePointAt(0)!.toString(16).padStart(4, "0");
    return `\\u${code}`;
  });
}

const HOSTILE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
