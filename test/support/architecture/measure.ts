export interface MeasuredFunction {
  /** Line of its head, from 1. */
  line: number;
  length: number;
}

const CONTROL = /^(\} )?(else|if|for|while|do|switch|catch|try|finally|with)\b/;
const NO_FUNCTION = /^(export )?(declare )?(abstract )?(class|interface|namespace)\b/;

/**
 * Functions of formatted code by their braces: a body opens at the end of a line and closes at the
 * next line of the same indent that starts with a brace. Blocks of `describe` are no functions.
 */
export function functionsOf(lines: readonly string[]): MeasuredFunction[] {
  const found: MeasuredFunction[] = [];
  for (const [at, line] of lines.entries()) {
    if (!/(=>|\)|\): .+|^\s*\}.*[>\]]) \{$/.test(line)) continue;
    const head = headOf(lines, at);
    const words = lines[head]!.trim();
    if (CONTROL.test(words) || NO_FUNCTION.test(words) || /^describe\b/.test(words)) continue;
    const indent = indentOf(line);
    const end = lines.findIndex(
      (next, i) => i > at && next.trim().startsWith("}") && indentOf(next) === indent,
    );
    if (end > 0) found.push({ line: head + 1, length: end - head + 1 });
  }
  return found;
}

/** `): Promise<void> {` ends a head of several lines, which began above at the same indent. */
function headOf(lines: readonly string[], at: number): number {
  const indent = indentOf(lines[at]!);
  let head = at;
  while (head > 0 && /^\s*[)}\]]/.test(lines[head]!) && !CONTROL.test(lines[head]!.trim())) {
    head--;
    while (head > 0 && (lines[head]!.trim() === "" || indentOf(lines[head]!) > indent)) head--;
  }
  return head;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Does the file do nothing but hand on the exports of others? */
export function isBarrel(code: string): boolean {
  const own = code.replace(
    /export\s+(type\s+)?(\*(\s+as\s+\w+)?|\{[^}]*\})\s+from\s+"[^"]+";?/g,
    "",
  );
  return own !== code && own.trim() === "";
}
