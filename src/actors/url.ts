import { NEW_URL } from "./url-columns.ts";
import { leaveForGood, leaveIndex, WAKE, WAKE_FIRST } from "./url-effects.ts";
import { inProgress } from "./url-in-progress.ts";
import * as moves from "./url-moves.ts";
import { urlSetup } from "./url-setup.ts";

const dropped = { target: "removed", actions: { type: "ask", params: leaveForGood } } as const;

const pending = urlSetup.createStateConfig({
  on: {
    claimed: {
      guard: "isDue",
      target: "in_progress",
      actions: { type: "write", params: moves.afterClaim },
    },
    "host blocked": {
      target: "blocked",
      actions: [
        { type: "ask", params: leaveIndex },
        { type: "write", params: moves.afterBlock },
      ],
    },
    "submitted again": {
      guard: { type: "isHigher", params: ({ event }) => event },
      actions: { type: "write", params: moves.afterRaise },
    },
    "crawl now": {
      actions: [
        { type: "ask", params: WAKE_FIRST },
        { type: "write", params: moves.afterCrawlNow },
      ],
    },
    dropped,
  },
});

/** What brings back a URL that nobody looks at. */
const revivals = {
  "submitted again": {
    target: "pending",
    actions: [
      { type: "ask", params: WAKE_FIRST },
      { type: "write", params: moves.afterSubmission },
    ],
  },
  "operator retried": {
    target: "pending",
    actions: [
      { type: "ask", params: WAKE_FIRST },
      { type: "write", params: moves.afterRevival },
    ],
  },
  "crawl now": {
    target: "pending",
    actions: [
      { type: "ask", params: WAKE_FIRST },
      { type: "write", params: moves.afterCrawlNow },
    ],
  },
  "came due": {
    guard: "isDue",
    target: "pending",
    actions: [
      { type: "ask", params: WAKE },
      { type: "write", params: moves.afterRevival },
    ],
  },
} as const;

const done = urlSetup.createStateConfig({
  on: {
    ...revivals,
    admitted: {
      guard: "isCollected",
      target: "pending",
      actions: [
        { type: "ask", params: WAKE },
        { type: "write", params: moves.afterSubmission },
      ],
    },
    "target left": {
      guard: "pointsElsewhere",
      target: "pending",
      actions: [
        { type: "ask", params: WAKE },
        { type: "write", params: moves.afterRevival },
      ],
    },
    "host blocked": { actions: { type: "write", params: {} } },
    dropped,
  },
});

const failed = urlSetup.createStateConfig({
  on: {
    ...revivals,
    "host blocked": {
      actions: [
        { type: "ask", params: leaveIndex },
        { type: "write", params: moves.afterBlockWhenOver },
      ],
    },
    dropped,
  },
});

const blocked = urlSetup.createStateConfig({
  on: {
    "host unblocked": {
      target: "pending",
      actions: [
        { type: "ask", params: WAKE },
        { type: "write", params: moves.afterRevival },
      ],
    },
    dropped,
  },
});

/**
 * The life of a URL: the only place that knows these edges. Stepped, never running: step.ts gives
 * it a row and an event. `unknown` is before there is a row, `removed` after.
 */
export const urlMachine = urlSetup.createMachine({
  id: "url",
  initial: "unknown",
  context: NEW_URL,
  states: {
    unknown: {
      on: {
        admitted: { target: "pending", actions: { type: "write", params: moves.afterAdmission } },
        collected: { target: "done", actions: { type: "write", params: moves.afterCollection } },
      },
    },
    pending,
    in_progress: inProgress,
    done,
    failed,
    blocked,
    removed: { type: "final" },
  },
});
