/** Characters of a summary, at most. */
export const SUMMARY_MAX = 400;

/** What a model thinks aloud before it answers. */
const THOUGHTS = /<think>[\s\S]*?(?:<\/think>|$)/gi;
/** Controls, and what turns the direction of text around or cannot be seen. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]+/gu;
/** Of markdown and markup: a summary has neither. */
const TAGS = /<\/?[a-z][^>]{0,200}>/gi;
const MARKS = /```[a-z]*|[*_#`]{2,}|^[^\S\n]*[#>*-]+\s+/gim;

/** An answer as it may be shown: plain, on one line, whole sentences up to a bound; "": nothing. */
export function cleanSummary(answer: string): string {
  const plain = answer
    .slice(0, 20_000)
    .toWellFormed()
    .replace(THOUGHTS, " ")
    .replace(TAGS, " ")
    .replace(MARKS, " ")
    .replace(UNSEEN, " ")
    .replace(/\s+/g, " ")
    .trim();
  return cutAtSentence(unquoted(plain));
}

function unquoted(text: string): string {
  const quoted = /^["“«](.*)["”»]$/.exec(text);
  return quoted === null || /["“”«»]/.test(quoted[1]!) ? text : quoted[1]!.trim();
}

/** Not within a word, nor within a character. */
function cutAtSentence(text: string): string {
  if (text.length <= SUMMARY_MAX) return text;
  const head = text.slice(0, SUMMARY_MAX - 2).toWellFormed();
  const end = Math.max(...[". ", "! ", "? ", "。"].map((mark) => head.lastIndexOf(mark)));
  if (end > SUMMARY_MAX / 3) return head.slice(0, end + 1);
  const space = head.lastIndexOf(" ");
  return `${space > SUMMARY_MAX / 2 ? head.slice(0, space) : head.replace(/\ufffd$/, "")} …`;
}
