import { leaveIndex, leaveNoOrphan, passOn, replaceContent } from "./url-effects.ts";
import * as moves from "./url-moves.ts";
import * as outcomes from "./url-outcomes.ts";
import { urlSetup } from "./url-setup.ts";

const lastTry = {
  guard: "isLastTry",
  target: "failed",
  actions: [
    { type: "ask", params: leaveNoOrphan },
    { type: "write", params: outcomes.afterLastTry },
  ],
} as const;

const lastCrash = {
  guard: "isLastCrash",
  target: "failed",
  actions: [
    { type: "ask", params: leaveNoOrphan },
    { type: "write", params: outcomes.afterLastCrash },
  ],
} as const;

const crash = { target: "pending", actions: { type: "write", params: moves.afterCrash } } as const;

/** Claimed, so under a lease: how a visit can end. */
export const inProgress = urlSetup.createStateConfig({
  on: {
    released: { target: "pending", actions: { type: "write", params: moves.afterRelease } },
    succeeded: {
      target: "pending",
      actions: [
        { type: "ask", params: replaceContent },
        { type: "write", params: outcomes.afterSuccess },
      ],
    },
    "not modified": [
      {
        guard: "hasDocument",
        target: "pending",
        actions: { type: "write", params: outcomes.afterNotModified },
      },
      lastTry,
      { target: "pending", actions: { type: "write", params: outcomes.afterUnasked } },
    ],
    "failed transiently": [
      lastTry,
      { target: "pending", actions: { type: "write", params: outcomes.afterTransient } },
    ],
    "not found": [
      {
        guard: "isFirstMiss",
        target: "pending",
        actions: { type: "write", params: outcomes.afterMiss },
      },
      {
        target: "failed",
        actions: [
          { type: "ask", params: leaveIndex },
          { type: "write", params: outcomes.afterGone },
        ],
      },
    ],
    gone: {
      target: "failed",
      actions: [
        { type: "ask", params: leaveIndex },
        { type: "write", params: outcomes.afterGone },
      ],
    },
    settled: [
      {
        guard: { type: "leadsNowhere", params: ({ event }) => event },
        target: "failed",
        actions: [
          { type: "ask", params: leaveNoOrphan },
          { type: "write", params: outcomes.afterLoop },
        ],
      },
      {
        target: "done",
        actions: [
          { type: "ask", params: passOn },
          { type: "write", params: outcomes.afterSettled },
        ],
      },
    ],
    "failed permanently": {
      target: "failed",
      actions: [
        { type: "ask", params: leaveNoOrphan },
        { type: "write", params: outcomes.afterFailure },
      ],
    },
    "worker died": [lastCrash, crash],
    "lease expired": [lastCrash, crash],
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
  },
});
