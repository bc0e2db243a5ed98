import { expect, test } from "bun:test";
import fc from "fast-check";
import { Tokenizer } from "htmlparser2";
import { type MarkupSink, readMarkup } from "../../src/parse/markup.ts";

/** What a reader tells, as lines; inside of `svg` by a simple count. */
class Told implements MarkupSink {
  readonly lines: string[] = [];
  foreign = 0;
  private readonly html: string;

  constructor(html: string) {
    this.html = html;
  }

  isInForeignContext(): boolean {
    return this.foreign > 0;
  }

  onText(start: number, end: number): void {
    this.lines.push(`text ${this.html.slice(start, end)}`);
  }

  onTagName(start: number, end: number): void {
    const name = this.html.slice(start, end);
    if (name.toLowerCase() === "svg") this.foreign++;
    this.lines.push(`<${name}`);
  }

  onAttribute(start: number, end: number, valueStart: number, valueEnd: number): void {
    this.lines.push(`${this.html.slice(start, end)}=${this.html.slice(valueStart, valueEnd)}`);
  }

  onTagEnd(isSelfClosing: boolean): void {
    this.lines.push(isSelfClosing ? "/>" : ">");
  }

  onEndTag(start: number, end: number): void {
    const name = this.html.slice(start, end);
    if (name.toLowerCase() === "svg" && this.foreign > 0) this.foreign--;
    this.lines.push(`</${name}`);
  }

  onCdata(start: number, end: number): void {
    this.lines.push(`cdata ${this.html.slice(start, end)}`);
  }
}

function told(html: string, selfClosing: boolean): string[] {
  const sink = new Told(html);
  readMarkup(html, sink, selfClosing);
  return sink.lines;
}

/** The same of htmlparser2's tokenizer. */
function tokenized(html: string, selfClosing: boolean): string[] {
  const sink = new Told(html);
  let name: [number, number] = [0, 0];
  let value: [number, number] = [0, 0];
  const tokenizer = new Tokenizer(
    { decodeEntities: false, recognizeSelfClosing: selfClosing },
    {
      isInForeignContext: () => sink.isInForeignContext(),
      ontext: (start, end) => sink.onText(start, end),
      onopentagname: (start, end) => sink.onTagName(start, end),
      onattribname: (start, end) => {
        name = [start, end];
        value = [end, end];
      },
      onattribdata: (start, end) => {
        value = [start, end];
      },
      onattribend: () => sink.onAttribute(...name, ...value),
      onopentagend: () => sink.onTagEnd(false),
      onselfclosingtag: () => sink.onTagEnd(true),
      onclosetag: (start, end) => sink.onEndTag(start, end),
      oncdata: (start, end, offset) => sink.onCdata(start, end - offset),
      ontextentity() {},
      onattribentity() {},
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return sink.lines;
}

const NAMES = "p a B s t title TITLE script style textarea xmp iframe noembed noframes x-y svg";
const piece = fc.oneof(
  fc.constantFrom(..."< > / = ' \" ! - ? [ ] & a \n".split(" "), " ", "</", "/>", "<!", "=''"),
  fc.constantFrom("<!--", "-->", "--!>", "<!-->", "<!--->", "--", "<![CDATA[", "]]>", "<!doctype"),
  fc.constantFrom(...NAMES.split(" ").flatMap((tag) => [`<${tag}`, `<${tag}>`, `</${tag}>`])),
  fc.constantFrom("<plaintext>", "<scr", "<titlex>", '<a b="c"', " href=x", " k='v' ", "</script "),
  // Not U+000F and U+001C, which the tokenizer takes for `/` and `<` at some places.
  fc
    .string({ unit: "binary", maxLength: 4 })
    .filter((text) => !text.includes("\x0f") && !text.includes("\x1c")),
);
const soup = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));

test("any soup is read as htmlparser2's tokenizer reads it", () => {
  fc.assert(
    fc.property(soup, fc.boolean(), (html, selfClosing) => {
      expect(told(html, selfClosing)).toEqual(tokenized(html, selfClosing));
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  ["<a href=x>y</a>", ["<a", "href=x", ">", "text y", "</a"]],
  ["a < b <3 </>c", ["text a ", "text < b ", "text <3 ", "text c"]],
  ["<!-- a > b --!>c", ["text c"]],
  [
    "<script>a</b></scripty></SCRIPT >b",
    ["<script", ">", "text a</b></scripty>", "</SCRIPT", "text b"],
  ],
  ["<svg><title><b></title>", ["<svg", ">", "<title", ">", "<b", ">", "</title"]],
  ["x<b c='d", ["text x", "<b"]],
])("%s", (html, lines) => {
  expect(told(html, false)).toEqual(lines);
});

test.each(["<!--", "<a b='", "</", "<!-- --", "<script></", "<", "</a ", "<![CDATA[]]"])(
  "a megabyte of %j is read in time that grows with its size alone",
  (part) => {
    const html = part.repeat(1_000_000 / part.length);
    const began = performance.now();
    told(html, false);
    expect(performance.now() - began).toBeLessThan(2_000);
  },
);
