import { decodeHTML, decodeHTMLAttribute } from "entities/decode";
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { ATTRIBUTE_COUNT, Attribute, attributeOf } from "./attributes.ts";
import { singleSpaced } from "./clean.ts";
import {
  BARRIER,
  BLOCK,
  BOILER,
  DROPPED,
  ELEMENTS,
  type Element,
  HEADING,
  INERT,
  MAIN,
  REGION,
  traitsOfAttributes,
  VOID,
} from "./elements.ts";
import { type Facts, noteElement, noteHeading } from "./facts.ts";

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
  const tokenizer = new Tokenizer(
    { decodeEntities: false, recognizeSelfClosing: selfClosing },
    scanner,
  );
  tokenizer.write(html);
  tokenizer.end();
  return { blocks: scanner.blocks, facts };
}

class Scanner implements TokenizerCallbacks {
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
  private attribute = -1;
  private valueStart = 0;
  private valueEnd = 0;
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

  ontext(start: number, end: number): void {
    if ((this.region & DROPPED) !== 0) this.onDroppedText(start, end);
    else if (this.chars <= CHARS_MAX) this.onShownText(start, end);
  }

  onopentagname(start: number, end: number): void {
    const name = this.html.slice(start, end);
    this.element = ELEMENTS.get(name) ?? ELEMENTS.get(name.toLowerCase()) ?? null;
    if (this.hasValues) this.values.fill(null);
    this.hasValues = false;
    // A custom element is mostly a box of its own.
    if (this.element === null && name.includes("-")) this.flush();
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.element === null ? -1 : attributeOf(this.html, start, end);
    this.valueStart = this.valueEnd = end;
  }

  onattribdata(start: number, end: number): void {
    this.valueStart = start;
    this.valueEnd = end;
  }

  onattribend(): void {
    const at = this.attribute;
    if (at < 0 || this.values[at] !== null) return;
    const cut = Math.min(this.valueEnd, this.valueStart + VALUE_CHARS_MAX);
    if (cut < this.valueEnd && at !== Attribute.content) return;
    const raw = this.html.slice(this.valueStart, cut);
    this.values[at] = raw.includes("&") ? decodeHTMLAttribute(raw) : raw;
    this.hasValues = true;
  }

  onopentagend(): void {
    if (this.element !== null) this.enter(this.element);
    this.element = null;
  }

  onselfclosingtag(): void {
    const element = this.element;
    this.onopentagend();
    if (element === null || (element.traits & VOID) !== 0) return;
    if (this.selfClosing || this.isInForeignContext()) this.leave(element);
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end);
    const element = ELEMENTS.get(name) ?? ELEMENTS.get(name.toLowerCase());
    if (element !== undefined) this.leave(element);
    else if (name.includes("-")) this.flush();
  }

  oncdata(start: number, end: number, offset: number): void {
    if (this.selfClosing) this.ontext(start, end - offset);
  }

  onend(): void {
    this.flush();
  }

  ontextentity(): void {}
  onattribentity(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  private enter(element: Element): void {
    const { values, facts } = this;
    let traits = element.traits;
    if (this.hasValues) {
      const { hidden, style, role } = Attribute;
      const said = [values[hidden], values[style], values[role]] as const;
      traits |= traitsOfAttributes(element, said[0] ?? null, said[1] ?? null, said[2] ?? null);
    }
    if (element.name === "header" && (this.region & MAIN) !== 0) traits &= ~BOILER;
    if ((this.region & INERT) === 0) noteElement(facts, element.name, values, this.region);
    if ((traits & (BLOCK | REGION)) !== 0) this.flush();
    if ((traits & VOID) !== 0) return;
    this.endImplied(element);
    if (element.name === "a") this.anchor = element;
    this.open.push(element);
    this.regions.push(this.region);
    this.region |= traits & REGION;
  }

  private endImplied(element: Element): void {
    for (;;) {
      const top = this.open.at(-1);
      if (top === undefined || !element.ends?.has(top.name)) return;
      this.pop();
    }
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

  private flush(): void {
    if (this.text === "") return;
    const text = singleSpaced(this.text);
    if (text !== "" && this.blocks.length < BLOCKS_MAX) {
      this.blocks.push({ text, region: this.region, linkChars: this.linkChars });
      if ((this.region & HEADING) !== 0) noteHeading(this.facts, text, this.region);
    }
    this.text = "";
    this.linkChars = 0;
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

const TABLE_PARTS = new Set(["tr", "tbody", "thead", "tfoot"]);
