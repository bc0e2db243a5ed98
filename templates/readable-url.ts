/** A URL for the eye: without https, percent-encoded letters shown as letters. */
export function readableUrl(url: string): { host: string; path: string } {
  const parsed = URL.parse(url);
  if (!parsed) return { host: "", path: url };
  const scheme = parsed.protocol === "https:" ? "" : `${parsed.protocol}//`;
  const path = decodeLetters(parsed.pathname + parsed.search);
  return { host: scheme + parsed.host, path: path === "/" ? "" : path };
}

/**
 * Decodes runs of percent escapes that stand for letters, marks and digits of any script. What else
 * they hide (delimiters, spaces, controls, turns of the writing direction) stays escaped.
 */
function decodeLetters(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      const letters = decodeURIComponent(run);
      return /^[\p{L}\p{M}\p{N}]+$/u.test(letters) ? letters : run;
    } catch {
      return run;
    }
  });
}
