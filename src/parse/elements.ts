import { type AttributeName, attributeBits, type Values, valueIn } from "./attributes.ts";

/** What the pass over a page does at an element. Bits of `Element.traits`. */
export const BLOCK = 1;
export const VOID = 2;
/** Its text is never text of the page. */
export const DROPPED = 4;
/** Around the content: navigation, asides, what hides. */
export const BOILER = 8;
export const FORM = 16;
export const MAIN = 32;
export const HEADING = 64;
/** No end tag reaches through it. */
export const BARRIER = 128;
/** Nothing inside counts at all, not even links. */
export const INERT = 256;

/** Tells facts: see facts.ts. */
export const NOTED = 512;

/** What a piece of text inherits from the elements around it. */
export const REGION = BOILER | FORM | MAIN | DROPPED | HEADING | INERT;

export interface Element {
  readonly name: string;
  readonly traits: number;
  /** An open one of these directly around it ends where it starts. */
  readonly ends: ReadonlySet<string> | null;
  /** Bits of the attributes that are read of it: see facts.ts; others are passed over. */
  readonly reads: number;
}

const TRAITS: Record<string, number> = {};
const is = (traits: number, names: string) => {
  for (const name of names.split(" ")) TRAITS[name] = (TRAITS[name] ?? 0) | traits;
};
is(0, "a span label legend time data summary");
is(BLOCK, "html body div p section article main header footer nav aside address blockquote pre");
is(BLOCK, "figure figcaption details fieldset form center hgroup search menu dialog frameset");
is(BLOCK, "ul ol li dl dt dd table caption thead tbody tfoot tr td th noscript noframes title");
is(BLOCK | HEADING, "h1 h2 h3");
is(BLOCK, "h4 h5 h6 template");
is(VOID, "area base col embed input link meta param source track wbr frame img");
is(VOID | BLOCK, "br hr");
is(BARRIER, "table td th caption template");
is(DROPPED, "script style template title svg math iframe object canvas audio video map");
is(DROPPED, "select datalist textarea button option optgroup");
is(INERT, "template svg math");
is(BOILER, "nav footer aside header menu search noscript noframes dialog");
is(FORM, "form fieldset");
is(MAIN, "main article");
is(NOTED, "a area frame link meta base html script time h1 h2 h3");

const ENDS: Record<string, ReadonlySet<string>> = {};
const ends = (names: string, ended: string) => {
  for (const name of names.split(" ")) ENDS[name] = new Set(ended.split(" "));
};
const P_ENDERS =
  "address article aside blockquote center details dialog div dl fieldset figcaption";
ends(`${P_ENDERS} figure footer form header hr main menu nav ol p pre search section`, "p");
ends("table ul", "p");
ends("h1 h2 h3 h4 h5 h6", "p h1 h2 h3 h4 h5 h6");
ends("li", "li p");
ends("dt dd", "dt dd p");
ends("td th", "td th p");
ends("tr", "tr td th p");
ends("thead tbody tfoot", "tr td th thead tbody tfoot p");
ends("option", "option");
ends("optgroup", "option optgroup");
ends("body", "title");

/** What hides any element, or tells its role. */
const TRAIT_ATTRIBUTES: readonly AttributeName[] = ["hidden", "style", "role"];
const READ: Record<string, readonly AttributeName[]> = {
  a: ["href", "rel"],
  area: ["href", "rel"],
  frame: ["src"],
  link: ["href", "rel", "hreflang", "type"],
  meta: ["content", "http-equiv", "itemprop", "property", "name"],
  base: ["href"],
  html: ["lang", "xml:lang"],
  script: ["type"],
  time: ["datetime", "pubdate", "itemprop"],
};
const readsOf = (name: string) => attributeBits([...TRAIT_ATTRIBUTES, ...(READ[name] ?? [])]);

/** Elements that the pass follows; inline markup (`b`, `em`) changes nothing and is not here. */
const ELEMENTS: ReadonlyMap<string, Element> = new Map(
  Object.entries(TRAITS).map(([name, traits]) => [
    name,
    { name, traits, ends: ENDS[name] ?? null, reads: readsOf(name) },
  ]),
);

/** The same by a hash of the name, so that a name need not be cut out to be known. */
const SLOTS = 1_024;
const BY_HASH: (Element | null)[] = new Array(SLOTS).fill(null);
const hashed = (hash: number, code: number) => Math.imul(hash, 31) + code;
const NAME_LENGTH_MAX = Math.max(...[...ELEMENTS.keys()].map((name) => name.length));
for (const [name, element] of ELEMENTS) {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = hashed(hash, name.charCodeAt(at));
  let slot = hash & (SLOTS - 1);
  while (BY_HASH[slot] !== null) slot = (slot + 1) & (SLOTS - 1);
  BY_HASH[slot] = element;
}

/** The element whose name stands at `start` to `end` of `html`; null: none that we follow. */
export function elementAt(html: string, start: number, end: number): Element | null {
  if (end - start > NAME_LENGTH_MAX) return null;
  let hash = 0;
  for (let at = start; at < end; at++) {
    const code = lower(html.charCodeAt(at));
    // Unicode has letters whose small form is a Latin one.
    if (code > 127) return ELEMENTS.get(html.slice(start, end).toLowerCase()) ?? null;
    hash = hashed(hash, code);
  }
  for (let slot = hash & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
    const element = BY_HASH[slot] ?? null;
    if (element === null || isAt(html, start, end, element.name)) return element;
  }
}

function isAt(html: string, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false;
  for (let at = start; at < end; at++) {
    if (lower(html.charCodeAt(at)) !== name.charCodeAt(at - start)) return false;
  }
  return true;
}

const lower = (code: number): number => (code >= 65 && code <= 90 ? code | 32 : code);

const BOILER_ROLES =
  /^(?:navigation|banner|contentinfo|search|complementary|menu|menubar|toolbar|dialog)\b/i;
const MAIN_ROLES = /^(?:main|article)\b/i;

/** Traits that attributes add. A hidden root is a page waiting for its script: it is not hidden. */
export function traitsOfAttributes(element: Element, values: Values): number {
  const hidden = valueIn(values, "hidden");
  const style = valueIn(values, "style");
  const role = valueIn(values, "role");
  if (hidden === null && style === null && role === null) return 0;
  let traits = 0;
  if (element.name !== "body" && element.name !== "html") {
    if (hidden !== null && hidden.toLowerCase() !== "until-found") traits |= DROPPED;
    if (style !== null && HIDING_STYLE.test(style)) traits |= DROPPED;
  }
  if (role !== null && BOILER_ROLES.test(role)) traits |= BOILER;
  if (role !== null && MAIN_ROLES.test(role)) traits |= MAIN;
  return traits;
}

const HIDING_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i;
