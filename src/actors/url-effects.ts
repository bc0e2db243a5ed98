import { hasDocument } from "./url-columns.ts";
import type { Heard, UrlColumns, UrlEffect } from "./url-event.ts";

/** Effects as parameters of the action `ask`, in the order in which they are carried out. */
export interface Asked {
  readonly effects: readonly UrlEffect[];
}

/**
 * The URL may not have a document any more. A visit that crashed may have claimed its text and left
 * no document: that text is free with this one. (The outbox mends the index alone.)
 */
export function leaveIndex({ context }: Heard): Asked {
  return { effects: leaving(context, context.crashes > 0) };
}

/** As `leaveIndex`, and whatever the row says. */
export function leaveForGood({ context }: Heard): Asked {
  return { effects: leaving(context, true) };
}

/** A failure keeps the document; without one it must not keep the text that a crash left it. */
export function leaveNoOrphan(heard: Heard): Asked {
  return hasDocument(heard.context) ? { effects: [] } : leaveIndex(heard);
}

/** The page has another main text now, its old one is free for those that still have it. */
export function replaceContent({ context, event }: Heard<"succeeded">): Asked {
  const freed = context.contentHash === event.contentHash ? [] : freeContent(context);
  return { effects: freed.length === 0 ? [] : [...freed, { type: "wake duplicates" }] };
}

/** Done: nothing of this URL is indexed; what it points at is a candidate. */
export function passOn({ context, event }: Heard<"settled">): Asked {
  const { reason, target } = event;
  // The loser of two equal pages in flight is in the index already.
  const effects = leaving(context, context.crashes > 0 || reason === "duplicate");
  const via = reason === "redirected" ? "redirect" : reason === "canonical" ? "canonical" : null;
  if (target === undefined || via === null) return { effects };
  const { depth, priority } = context;
  // Canonicals count as hops: a chain of them can be as endless as one of redirects.
  const hops = context.hops + 1;
  return {
    effects: [...effects, { type: "admit target", url: target, via, depth, hops, priority }],
  };
}

export const WAKE_FIRST: Asked = { effects: [{ type: "wake host", lane: 0 }] };
export const WAKE: Asked = { effects: [{ type: "wake host", lane: 1 }] };

const REMOVE: UrlEffect = { type: "remove document" };

/** `mayOwnText`: though the row knows of no document. */
function leaving(row: UrlColumns, mayOwnText: boolean): UrlEffect[] {
  // What never had a document may be counted on as well: by those that came before its visit.
  const stranded: UrlEffect = { type: "wake stranded" };
  if (!hasDocument(row)) return [...(mayOwnText ? [REMOVE] : []), stranded];
  return [REMOVE, ...freeContent(row), { type: "wake dependants" }, stranded];
}

function freeContent({ contentHash }: UrlColumns): UrlEffect[] {
  return contentHash === null ? [] : [{ type: "free content", contentHash }];
}
