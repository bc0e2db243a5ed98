import { decodeHTML, decodeHTMLAttribute } from "entities/decode";
import { ATTRIBUTE_COUNT, Attribute, attributeOf } from "./attributes.ts";
import { singleSpaced } from "./clean.ts";
import {
  BARRIER,
  BLOCK,
  BOILER,
  DROPPED,
  type Element,
  elementAt,
  HEADING,
  INERT,
  MAIN,
  NOTED,
  REGION,
  traitsOfAttributes,
  VOID,
} from "./elements.ts";
import { type Facts, noteElement, noteHeading } from "./facts.ts";
import { type MarkupSink, readMarkup } from "./markup.ts";

/** A paragraph, heading, cell, list item: text between two breaks, white space single. */
export interface Block {
  readonly text: string;
  /** Bits of elements.ts: where in the page it stands. */
  readonly region: number;
  /** Characters of it that stand in links. */
  readonly linkChars: number;
}

export interface Scan {
  readonly blocks: readonly Block[];
  readonly facts: Facts;
}

/** Bounds of one pass, whatever the page is. */
const BLOCKS_MAX = 50_000;
const CHARS_MAX = 1_000_000;
/** End tags look this far up for what they end. */
const REACH = 256;
/** Longer values are no link, no name, no date; `content` and `href` are cut or refused later. */
const VALUE_CHARS_MAX = 8_192;
const SCRIPT_CHARS_MAX = 256 * 1024;
const SCRIPTS_MAX = 20;
const TITLE_CHARS_MAX = 4_096;

/**
 * One streaming pass over a page: text by blocks, and every fact that elements and attributes tell.
 * Time and memory grow linearly with the page. `selfClosing`: XHTML, where `<script/>` is whole.
 */
export function scanPage(html: string, facts: Facts, selfClosing: boolean): Scan {
  const scanner = new Scanner(html, facts, selfClosing);
  readMarkup(html, scanner, selfClosing);
  scanner.flush();
  return { blocks: scanner.blocks, facts };
}

class Scanner implements MarkupSink {
  readonly blocks: Block[] = [];
  private readonly html: string;
  private readonly facts: Facts;
  private readonly selfClosing: boolean;
  /** Open elements, their own traits, and the region each makes for what is inside. */
  private readonly open: Element[] = [];
  private readonly regions: number[] = [];
  private region = 0;
  private text = "";
  private linkChars = 0;
  private chars = 0;
  private anchor: Element | null = null;
  /** The tag being read; null for one that we do not follow. */
  private element: Element | null = null;
  private readonly values: (string | null)[] = new Array(ATTRIBUTE_COUNT).fill(null);
  private hasValues = false;

  constructor(html: string, facts: Facts, selfClosing: boolean) {
    this.html = html;
    this.facts = facts;
    this.selfClosing = selfClosing;
  }

  isInForeignContext(): boolean {
    return (this.region & INERT) !== 0;
  }

  onText(start: number, end: number): void {
    if ((this.region & DROPPED) !== 0) this.onDroppedText(start, end);
    else if (this.chars <= CHARS_MAX) this.onShownText(start, end);
  }

  onTagName(start: number, end: number): void {
    this.element = elementAt(this.html, start, end);
    if (this.hasValues) this.values.fill(null);
    this.hasValues = false;
    if (this.element === null) this.endBox(start, end);
  }

  onAttribute(start: number, end: number, valueStart: number, valueEnd: number): void {
    const { element } = this;
    if (element === null) return;
    const at = attributeOf(this.html, start, end);
    if (at < 0 || (element.reads & (1 << at)) === 0 || this.values[at] !== null) return;
    const cut = Math.min(valueEnd, valueStart + VALUE_CHARS_MAX);
    if (cut < valueEnd && at !== CONTENT) return;
    const raw = this.html.slice(valueStart, cut);
    this.values[at] = raw.includes("&") ? decodeHTMLAttribute(raw) : raw;
    this.hasValues = true;
  }

  onTagEnd(isSelfClosing: boolean): void {
    const { element } = this;
    this.element = null;
    if (element === null) return;
    this.enter(element);
    if (!isSelfClosing || (element.traits & VOID) !== 0) return;
    if (this.selfClosing || this.isInForeignContext()) this.leave(element);
  }

  onEndTag(start: number, end: number): void {
    const element = elementAt(this.html, start, end);
    if (element !== null) this.leave(element);
    else this.endBox(start, end);
  }

  onCdata(start: number, end: number): void {
    if (this.selfClosing) this.onText(start, end);
  }

  /** Ends the block at hand. */
  flush(): void {
    if (this.text === "") return;
    const text = singleSpaced(this.text);
    if (text !== "" && this.blocks.length < BLOCKS_MAX) {
      this.blocks.push({ text, region: this.region, linkChars: this.linkChars });
      if ((this.region & HEADING) !== 0) noteHeading(this.facts, text, this.region);
    }
    this.text = "";
    this.linkChars = 0;
  }

  /** A custom element is mostly a box of its own. */
  private endBox(start: number, end: number): void {
    for (let at = start; at < end; at++) {
      if (this.html.charCodeAt(at) !== DASH) continue;
      this.flush();
      return;
    }
  }

  private enter(element: Element): void {
    const { values, facts } = this;
    let traits = element.traits;
    if (this.hasValues) traits |= traitsOfAttributes(element, values);
    if (element.name === "header" && (this.region & MAIN) !== 0) traits &= ~BOILER;
    if ((traits & NOTED) !== 0 && (this.region & INERT) === 0) {
      noteElement(facts, element.name, values, this.region);
    }
    if ((traits & (BLOCK | REGION)) !== 0) this.flush();
    if ((traits & VOID) !== 0) return;
    this.endImplied(element);
    if (element.name === "a") this.anchor = element;
    this.open.push(element);
    this.regions.push(this.region);
    this.region |= traits & REGION;
  }

  private endImplied(element: Element): void {
    const { ends } = element;
    if (ends === null) return;
    for (let at = this.open.length - 1; at >= 0 && ends.has(this.open[at]!.name); at--) this.pop();
  }

  /** An end tag: ends what is open of its name and all inside it, unless a barrier is between. */
  private leave(element: Element): void {
    const isBlock = (element.traits & BLOCK) !== 0;
    if (isBlock) this.flush();
    if (element.name === "a") this.anchor = null;
    const barrier = isBlock ? BARRIER : BLOCK;
    const lowest = Math.max(0, this.open.length - REACH);
    for (let at = this.open.length - 1; at >= lowest; at--) {
      const open = this.open[at] as Element;
      if (open === element) {
        while (this.open.length > at) this.pop();
        return;
      }
      if ((open.traits & barrier) !== 0 && !isTablePart(element)) return;
    }
  }

  private pop(): void {
    const region = this.regions.pop() ?? 0;
    if (region !== this.region) this.flush();
    if (this.open.pop()?.name === "a") this.anchor = null;
    this.region = region;
  }

  private onShownText(start: number, end: number): void {
    const raw = this.html.slice(start, end);
    const text = raw.includes("&") ? decodeHTML(raw) : raw;
    this.chars += text.length;
    this.text += text;
    if (this.anchor !== null) this.linkChars += text.trim().length;
  }

  private onDroppedText(start: number, end: number): void {
    const top = this.open.at(-1)?.name;
    const { facts } = this;
    if (top === "title" && (this.region & INERT) === 0 && facts.title === null) {
      facts.title = decodeHTML(this.html.slice(start, Math.min(end, start + TITLE_CHARS_MAX)));
    } else if (top === "script" && facts.isJsonLd && end - start <= SCRIPT_CHARS_MAX) {
      if (facts.jsonLd.length < SCRIPTS_MAX) facts.jsonLd.push(this.html.slice(start, end));
    }
  }
}

function isTablePart(element: Element): boolean {
  return (element.traits & BARRIER) !== 0 || TABLE_PARTS.has(element.name);
}

const CONTENT = Attribute.content;
const DASH = 0x2d;
const TABLE_PARTS = new Set(["tr", "tbody", "thead", "tfoot"]);
