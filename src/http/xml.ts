/**
 * Text for an element or an attribute of XML. Characters that XML 1.0 cannot hold become U+FFFD;
 * the escapes are numbers, which readers that decode twice do not take for markup either.
 */
export function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
      .replace(/[&<>"'\r]/g, (char) => `&#${char.charCodeAt(0)};`)
  );
}

/** Text as HTML, for elements of XML whose content readers take for HTML. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
