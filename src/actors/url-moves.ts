import { BEHIND_SIBLINGS_MS } from "../frontier/backoff.ts";
import { clampPriority, PRIORITY_MAX } from "../frontier/priority.ts";
import { hasDocument, LEASE_OFF, OUT_OF_INDEX } from "./url-columns.ts";
import type { Heard, UrlColumns } from "./url-event.ts";

/** Columns after all that happens to a URL without a visit being over. */
type Change = Partial<UrlColumns>;

export function afterAdmission({ event }: Heard<"admitted">): Change {
  return { priority: clampPriority(event.priority), nextCrawlAt: new Date(event.env.now) };
}

/** A collector's page is its own business until the crawl admits it. */
export function afterCollection(): Change {
  return { reason: "collected", nextCrawlAt: null };
}

export function afterClaim({ event }: Heard<"claimed">): Change {
  return { leaseToken: event.token, claimedAt: new Date(event.env.now), fetchingAt: null };
}

export function afterRelease({ event: { notBefore } }: Heard<"released">): Change {
  return notBefore === undefined ? LEASE_OFF : { ...LEASE_OFF, nextCrawlAt: notBefore };
}

/** Of a dead worker's claims only the URL that was being fetched can be to blame. */
export function afterCrash({ context, event }: Heard<"worker died" | "lease expired">): Change {
  if (!event.fetching) return LEASE_OFF;
  return {
    ...LEASE_OFF,
    crashes: context.crashes + 1,
    nextCrawlAt: new Date(event.env.now + BEHIND_SIBLINGS_MS),
  };
}

export function afterBlock(): Change {
  return { ...LEASE_OFF, ...OUT_OF_INDEX, reason: "host blocked", nextCrawlAt: null };
}

/** A failed URL whose document the block took away comes back as soon as the block goes. */
export function afterBlockWhenOver({ context, event }: Heard<"host blocked">): Change {
  return hasDocument(context) ? { ...OUT_OF_INDEX, nextCrawlAt: new Date(event.env.now) } : {};
}

/** Due at once, with all its tries. */
export function afterRevival({ context, event: { env } }: Heard): Change {
  const { nextCrawlAt } = context;
  const isDue = nextCrawlAt !== null && nextCrawlAt.getTime() <= env.now;
  return {
    attempts: 0,
    crashes: 0,
    reason: null,
    targetId: null,
    nextCrawlAt: isDue ? nextCrawlAt : new Date(env.now),
  };
}

/** Named by a person, so the redirects that once led here no longer count. */
export function afterSubmission(heard: Heard<"submitted again" | "admitted">): Change {
  return { ...afterRevival(heard), hops: 0, ...afterRaise(heard) };
}

export function afterRaise({ context, event }: Heard<"submitted again" | "admitted">): Change {
  return { priority: Math.max(context.priority, clampPriority(event.priority)) };
}

/** Ahead of all its siblings: a claim goes by priority before anything else. */
export function afterCrawlNow(heard: Heard): Change {
  return { ...afterRevival(heard), priority: PRIORITY_MAX };
}
