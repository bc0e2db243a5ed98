import { hasDocument } from "./url-columns.ts";
import type { Heard, UrlColumns, UrlEffect } from "./url-event.ts";

/** Effects as parameters of the action `ask`, in the order in which they are carried out. */
export interface Asked {
  readonly effects: readonly UrlEffect[];
}

/**
 * The URL may not have a document any more. The index is written first and the row settled second,
 * so there may be one that the row knows nothing of: after a crash between the two.
 */
export function leaveIndex({ context }: Heard): Asked {
  const isPerhapsThere = context.crashes > 0;
  return { effects: leaving(context, isPerhapsThere) };
}

/** As `leaveIndex`, and whatever the row says. */
export function leaveForGood({ context }: Heard): Asked {
  return { effects: leaving(context, true) };
}

/** A failure keeps the document; without one it must not keep what a crash left in the index. */
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

function leaving(row: UrlColumns, isPerhapsThere: boolean): UrlEffect[] {
  // What never had a document may be counted on as well: by those that came before its visit.
  const stranded: UrlEffect = { type: "wake stranded" };
  if (!hasDocument(row)) return [...(isPerhapsThere ? [REMOVE] : []), stranded];
  return [REMOVE, ...freeContent(row), { type: "wake dependants" }, stranded];
}

function freeContent({ contentHash }: UrlColumns): UrlEffect[] {
  return contentHash === null ? [] : [{ type: "free content", contentHash }];
}
