/** What is told of a text as it is read; places are indexes of it. */
export interface MarkupSink {
  /** Inside of SVG and the like no element is text only. */
  isInForeignContext(): boolean;
  /** A piece of text. From -1: the last unit, at an end in the midst of a tag. */
  onText(start: number, end: number): void;
  onTagName(start: number, end: number): void;
  /** The value is empty when there is none. */
  onAttribute(start: number, end: number, valueStart: number, valueEnd: number): void;
  onTagEnd(isSelfClosing: boolean): void;
  onEndTag(start: number, end: number): void;
  onCdata(start: number, end: number): void;
}

/**
 * Reads the markup of a text in one pass, as htmlparser2's tokenizer does (without entities) and in
 * half of its time: text, comments and values are passed over by native searches, not unit by
 * unit. `selfClosing`: XHTML, where `<script/>` is whole. A tag that does not end is none.
 */
export function readMarkup(html: string, sink: MarkupSink, selfClosing: boolean): void {
  new Markup(html, sink, selfClosing).read();
}

/** Their content is text up to their own end tag; that of `plaintext` has none. */
const TEXT_ONLY = new Set(
  "script style title textarea iframe noembed noframes xmp plaintext".split(" "),
);
/** Length and first letter tell most of the other elements apart. */
const fingerprint = (length: number, first: number) => ((length << 5) | (first & 31)) & 511;
const FINGERPRINTS = new Uint8Array(512);
for (const name of TEXT_ONLY) FINGERPRINTS[fingerprint(name.length, name.charCodeAt(0))] = 1;

const NOT_MARKUP = -1;

class Markup {
  private readonly html: string;
  private readonly end: number;
  private readonly sink: MarkupSink;
  private readonly selfClosing: boolean;

  constructor(html: string, sink: MarkupSink, selfClosing: boolean) {
    this.html = html;
    this.end = html.length;
    this.sink = sink;
    this.selfClosing = selfClosing;
  }

  read(): void {
    const { html, sink } = this;
    let section = 0;
    for (let at = html.indexOf("<"); at >= 0; ) {
      if (at > section) sink.onText(section, at);
      section = at;
      const next = this.tag(at);
      if (next !== NOT_MARKUP) section = next;
      at = html.indexOf("<", next === NOT_MARKUP ? at + 1 : next);
    }
    if (section < this.end) sink.onText(section, this.end);
  }

  /** What begins with the `<` at a place: where it ends, or NOT_MARKUP. */
  private tag(at: number): number {
    const code = this.html.charCodeAt(at + 1);
    if (isAlpha(code)) return this.startTag(at + 1);
    if (code === SLASH) return this.endTag(at + 2);
    if (code === EXCLAMATION) return this.declaration(at + 2);
    return code === QUESTION ? this.past(">", at + 2) : NOT_MARKUP;
  }

  private startTag(start: number): number {
    const { html, end } = this;
    let at = start + 1;
    while (at < end && !isEndOfName(html.charCodeAt(at))) at++;
    if (at === end) return this.unfinishedName(start);
    const textOnly = this.textOnly(start, at);
    this.sink.onTagName(start, at);
    for (;;) {
      if (at === end) return end;
      const code = html.charCodeAt(at);
      if (code === GREATER) {
        this.sink.onTagEnd(false);
        return textOnly === null ? at + 1 : this.rawText(at + 1, textOnly);
      }
      if (code === SLASH) {
        at = this.spaceFrom(at + 1);
        if (at === end) return this.lost();
        if (html.charCodeAt(at) !== GREATER) continue;
        this.sink.onTagEnd(true);
        return textOnly === null || this.selfClosing ? at + 1 : this.rawText(at + 1, textOnly);
      }
      at = isSpace(code) ? at + 1 : this.attribute(at);
    }
  }

  /** Returns where it ends. */
  private attribute(start: number): number {
    const { html, end, sink } = this;
    let nameEnd = start + 1;
    for (; nameEnd < end; nameEnd++) {
      const code = html.charCodeAt(nameEnd);
      if (code === EQUAL || isEndOfName(code)) break;
    }
    let at = this.spaceFrom(nameEnd);
    if (at === end) return end;
    if (html.charCodeAt(at) !== EQUAL) {
      sink.onAttribute(start, nameEnd, nameEnd, nameEnd);
      return at;
    }
    at = this.spaceFrom(at + 1);
    const quote = html.charCodeAt(at);
    if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
      const close = html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", at + 1);
      if (close < 0) return end;
      sink.onAttribute(start, nameEnd, at + 1, close);
      return close + 1;
    }
    const valueStart = at;
    for (; at < end; at++) {
      const code = html.charCodeAt(at);
      if (code === GREATER || isSpace(code)) break;
    }
    if (at < end) sink.onAttribute(start, nameEnd, valueStart, at);
    return at;
  }

  private endTag(start: number): number {
    const { html, end } = this;
    if (start >= end) return NOT_MARKUP;
    const code = html.charCodeAt(start);
    if (code === GREATER) return start + 1;
    if (!isAlpha(code)) return this.past(">", start + 1);
    let at = start + 1;
    while (at < end && !isEndOfName(html.charCodeAt(at))) at++;
    return at === end ? end : this.endTagNamed(start, at);
  }

  private endTagNamed(start: number, end: number): number {
    this.sink.onEndTag(start, end);
    if (this.html.charCodeAt(end) === GREATER) return end + 1;
    const close = this.html.indexOf(">", end);
    return close < 0 ? this.lost() : close + 1;
  }

  /** `<!`: a comment, CDATA, a doctype, or what counts as a comment. */
  private declaration(start: number): number {
    const { html } = this;
    if (html.startsWith("--", start)) return this.comment(start + 2);
    if (html.startsWith("[CDATA[", start)) {
      const close = html.indexOf("]]>", start + 7);
      if (close < 0) return this.end;
      this.sink.onCdata(start + 7, close);
      return close + 3;
    }
    return this.past(">", start);
  }

  /** Ends at `-->` or `--!>`; `<!-->` and `<!--->` are whole comments. */
  private comment(start: number): number {
    const { html } = this;
    if (html.startsWith(">", start)) return start + 1;
    if (html.startsWith("->", start)) return start + 2;
    for (let at = html.indexOf("--", start); at >= 0; at = html.indexOf("--", at)) {
      at += 2;
      while (html.charCodeAt(at) === DASH) at++;
      if (html.charCodeAt(at) === GREATER) return at + 1;
      if (html.startsWith("!>", at)) return at + 2;
    }
    return this.end;
  }

  private textOnly(start: number, end: number): string | null {
    if (FINGERPRINTS[fingerprint(end - start, this.html.charCodeAt(start))] === 0) return null;
    const name = this.html.slice(start, end).toLowerCase();
    return TEXT_ONLY.has(name) && !this.sink.isInForeignContext() ? name : null;
  }

  private rawText(section: number, name: string): number {
    const { html, end, sink } = this;
    let at = name === "plaintext" ? -1 : html.indexOf("</", section);
    for (; at >= 0; at = html.indexOf("</", at + 2)) {
      const nameEnd = at + 2 + name.length;
      if (nameEnd >= end || !isEndOfName(html.charCodeAt(nameEnd))) continue;
      if (html.slice(at + 2, nameEnd).toLowerCase() !== name) continue;
      if (section < at) sink.onText(section, at);
      return this.endTagNamed(at + 2, nameEnd);
    }
    if (section < end) sink.onText(section, end);
    return end;
  }

  /** What may become a text-only element is text when the page ends in its name. */
  private unfinishedName(start: number): number {
    const begun = this.html.slice(start, start + 10).toLowerCase();
    const isTextOnly = [...TEXT_ONLY].some((name) => name.startsWith(begun));
    if (isTextOnly && !this.sink.isInForeignContext()) this.sink.onText(start, this.end);
    return this.end;
  }

  private lost(): number {
    this.sink.onText(-1, this.end);
    return this.end;
  }

  private past(what: string, from: number): number {
    const at = this.html.indexOf(what, from);
    return at < 0 ? this.end : at + what.length;
  }

  private spaceFrom(from: number): number {
    let at = from;
    while (at < this.end && isSpace(this.html.charCodeAt(at))) at++;
    return at;
  }
}

const EXCLAMATION = 0x21;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const DASH = 0x2d;
const SLASH = 0x2f;
const EQUAL = 0x3d;
const GREATER = 0x3e;
const QUESTION = 0x3f;

const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c;

const isEndOfName = (code: number): boolean =>
  code <= GREATER && (code === GREATER || code === SLASH || isSpace(code));

const isAlpha = (code: number): boolean => {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a && code < 0x7b;
};
