/**
 * Text that may be stored, logged and shown: well-formed Unicode (lone surrogates become U+FFFD),
 * without NUL and other control characters (tab and newline stay), without characters that are
 * invisible or turn the writing direction around, and with few marks on a letter. At most
 * `charsMax` UTF-16 units.
 */
export function cleanText(text: string, charsMax: number): string {
  const bounded = text.length > charsMax ? cutAt(text, charsMax) : text;
  const visible = UNWANTED.test(bounded) ? bounded.replace(UNWANTED_ALL, "") : bounded;
  const low = HEAPED.test(visible) ? visible.replace(HEAPED_ALL, "$1") : visible;
  return low.isWellFormed() ? low : low.toWellFormed();
}

/** The same on one line: every run of white space is one space, none at the ends. */
export function cleanLine(text: string, charsMax: number): string {
  return cutAt(singleSpaced(cleanText(text, charsMax * SPACE_ALLOWANCE)), charsMax);
}

/** The same for lines that are single spaced already: what was cut out leaves no double spaces. */
export function cleanLines(text: string, charsMax: number): string {
  const clean = cleanText(text, charsMax);
  if (clean.length === text.length) return clean;
  return clean
    .replace(/ {2,}/g, " ")
    .replace(/ ?\n\s*/g, "\n")
    .trim();
}

/** White space of every kind as single spaces, none at the ends. */
export function singleSpaced(text: string): string {
  const trimmed = text.trim();
  return isSingleSpaced(trimmed) ? trimmed : trimmed.replace(ODD_SPACE_ALL, " ");
}

/** Three looks, each a scan of many units at once, take a seventh of one look for all. */
function isSingleSpaced(text: string): boolean {
  return !(text.includes("  ") || text.includes("\u00a0") || ODD_SPACE.test(text));
}

/** The first `charsMax` UTF-16 units, never half a surrogate pair. */
export function cutAt(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const last = text.charCodeAt(charsMax - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? charsMax - 1 : charsMax);
}

/** Indented titles are mostly white space: look this many times further than we keep. */
const SPACE_ALLOWANCE = 4;

/**
 * C0, DEL and C1 but for white space; soft hyphen, zero-width space, word joiner, byte order mark;
 * direction overrides and isolates; annotation marks; and the tag characters, which carry hidden
 * messages to language models.
 */
const UNWANTED_CLASS =
  "[\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f\\u00ad\\u200b\\u2060\\ufeff" +
  "\\u202a-\\u202e\\u2066-\\u2069\\ufff9-\\ufffb\\ufffe\\uffff]|\\udb40[\\udc00-\\udc7f]";
const UNWANTED = new RegExp(UNWANTED_CLASS);
const UNWANTED_ALL = new RegExp(UNWANTED_CLASS, "g");

/**
 * Marks on one letter beyond those that a script needs, which are eight at most (Tibetan): heaped
 * up they draw over the lines around. Joiners between them part nothing.
 */
const HEAPED = /[\p{M}\p{Cf}]{9}/u;
const HEAPED_ALL = /([\p{M}\p{Cf}]{8})[\p{M}\p{Cf}]+/gu;

/** White space but for the plain and the no-break space: tidy text is not rebuilt word by word. */
const ODD = "\\t-\\r\\u0085\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff";
const ODD_SPACE = new RegExp(`[${ODD}]`);
/** Every run but a single plain space, found by its first unit. */
const ODD_SPACE_ALL = new RegExp(`[${ODD}\\u00a0][\\s\\u0085]*| [\\s\\u0085]+`, "g");
