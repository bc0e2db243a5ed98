import { assign, setup } from "xstate";
import { HOPS_MAX } from "../frontier/admit.ts";
import { CRASHES_MAX, RETRIES_MAX } from "../frontier/backoff.ts";
import { hasDocument } from "./url-columns.ts";
import type { Asked } from "./url-effects.ts";
import type { StampedEvent, UrlColumns, UrlIdentity } from "./url-event.ts";

/** Types, actions and guards of the machine of a URL; its states are in url.ts. */
export const urlSetup = setup({
  types: { context: {} as UrlIdentity & UrlColumns, events: {} as StampedEvent },
  actions: {
    /** The columns that a transition changes. */
    write: assign((_, change: Partial<UrlColumns>) => change),
    /** Stands before `write`, for effects speak of the row as it was; step.ts reads them. */
    ask: (_, _asked: Asked) => {},
  },
  guards: {
    isDue: ({ context, event }) =>
      context.nextCrawlAt !== null && context.nextCrawlAt.getTime() <= event.env.now,
    isHigher: ({ context }, { priority }: { priority: number }) => priority > context.priority,
    isCollected: ({ context }) => context.reason === "collected",
    pointsElsewhere: ({ context }) =>
      context.reason === "duplicate" || context.reason === "canonical",
    hasDocument: ({ context }) => hasDocument(context),
    isFirstMiss: ({ context }) => hasDocument(context) && context.misses === 0,
    isLastTry: ({ context }) => context.attempts >= RETRIES_MAX,
    isLastCrash: ({ context, event }) =>
      "fetching" in event && event.fetching && context.crashes + 1 >= CRASHES_MAX,
    /** To itself, or one redirect further than is followed. */
    leadsNowhere: ({ context }, { reason, target }: { reason: string; target?: string }) =>
      reason === "redirected" && (target === context.url || context.hops >= HOPS_MAX),
  },
});
