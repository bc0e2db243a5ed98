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

/** What a piece of text inherits from the elements around it. */
export const REGION = BOILER | FORM | MAIN | DROPPED | HEADING | INERT;

export interface Element {
  readonly name: string;
  readonly traits: number;
  /** An open one of these directly around it ends where it starts. */
  readonly ends: ReadonlySet<string> | null;
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

/** Elements that the pass follows; inline markup (`b`, `em`) changes nothing and is not here. */
export const ELEMENTS: ReadonlyMap<string, Element> = new Map(
  Object.entries(TRAITS).map(([name, traits]) => [
    name,
    { name, traits, ends: ENDS[name] ?? null },
  ]),
);

const BOILER_ROLES =
  /^(?:navigation|banner|contentinfo|search|complementary|menu|menubar|toolbar|dialog)\b/i;
const MAIN_ROLES = /^(?:main|article)\b/i;

/** Traits that attributes add. A hidden root is a page waiting for its script: it is not hidden. */
export function traitsOfAttributes(
  element: Element,
  hidden: string | null,
  style: string | null,
  role: string | null,
): number {
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
