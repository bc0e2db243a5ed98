import { BOILER, FORM, MAIN } from "./elements.ts";
import type { Block } from "./scan.ts";

export interface Content {
  /** Paragraphs by newline. */
  text: string;
  /** Characters inside links / characters; 0 for an empty page. */
  linkDensity: number;
}

/** From the part that is most surely the content to the whole page. */
const PARTS: readonly { within: number; without: number }[] = [
  { within: MAIN, without: BOILER | FORM },
  { within: 0, without: BOILER | FORM },
  { within: 0, without: BOILER },
];

/**
 * Share of the running text that a part must hold: the rest of a page may be teasers in `article`
 * around a text in `div`, or a headline in `main` over a menu.
 */
const ENOUGH_SHARE = 0.3;
/** Menus and footers weigh nothing against a part of so many characters. */
const ENOUGH_CHARS = 200;

/**
 * The main text of a page: what `main` and `article` hold; else all but navigation, asides, footers
 * and forms; else, for pages that are made of those, all visible text.
 */
export function mainContent(blocks: readonly Block[]): Content {
  const everywhere = plainChars(blocks);
  const outside = plainChars(blocks.filter(({ region }) => (region & BOILER) === 0));
  for (const { within, without } of PARTS) {
    const part = blocks.filter(
      ({ region }) => (region & within) === within && (region & without) === 0,
    );
    const plain = plainChars(part);
    if (plain === 0 || plain < outside * ENOUGH_SHARE) continue;
    if (plain >= ENOUGH_CHARS || plain >= everywhere * ENOUGH_SHARE) return contentOf(part);
  }
  return contentOf(blocks);
}

function contentOf(blocks: readonly Block[]): Content {
  const chars = blocks.reduce((sum, block) => sum + block.text.length, 0);
  const linkChars = blocks.reduce((sum, block) => sum + block.linkChars, 0);
  return {
    text: blocks.map((block) => block.text).join("\n"),
    linkDensity: chars === 0 ? 0 : Math.min(1, linkChars / chars),
  };
}

/** Characters outside of links: menus are made of links. */
function plainChars(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { text, linkChars }) => sum + Math.max(0, text.length - linkChars), 0);
}
