/** Marks that follow each other and are kept, as in the stream-safe text of UAX #15. */
const TOO_MANY = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
const MARK = /[\p{M}\p{Cs}\uff9e\uff9f]/u;
const FIRST_MARK = 0x300;
/** A run of more marks than that has one where it is looked for. */
const STRIDE = 64;

/**
 * The text without those marks that no letter has: to bring marks into their normal order takes
 * time by the square of how many there are, minutes for a page of nothing else.
 */
export function withFewMarks(text: string): string {
  for (let at = STRIDE - 1; at < text.length; at += STRIDE) {
    const unit = text.charCodeAt(at);
    if (unit < FIRST_MARK || !MARK.test(text[at]!)) continue;
    return text.replace(TOO_MANY, "$1");
  }
  return text;
}
