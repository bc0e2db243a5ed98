import { assign, setup } from "xstate";

/** Why a host turn is over; decides the host's state and when its next turn comes. */
export type TurnEnd =
  /** Nothing of the host is due. */
  | { kind: "exhausted" }
  /** Its URLs or seconds are used up; more is due. */
  | { kind: "budget" }
  /** The next request lies too far ahead to hold a worker for it. */
  | { kind: "long gap" }
  /**
   * robots.txt of no authority whose URLs are due can be had; nothing may be asked. `counts`: it
   * is a failure of the host, for it was asked for in this turn and none of its authorities has
   * ever answered.
   */
  | { kind: "waiting for robots"; why: string; retryAt: number; counts: boolean }
  /** 429, or 503 with Retry-After. */
  | { kind: "throttled"; status: number; retryAfterMs: number | null }
  /** DNS, connect or TLS handshake failed. */
  | { kind: "unreachable"; why: string }
  /** No slot at the address within the wait. */
  | { kind: "no slot" }
  /** A part of our own is down; nothing may be fetched that cannot be kept. */
  | { kind: "part down"; part: string }
  /** The turn lease is no longer ours. */
  | { kind: "lease lost" }
  /** Drain. */
  | { kind: "stopped" }
  /** An operator paused or blocked the host, or lets it give no more bytes. */
  | { kind: "halted" }
  /** Our own mistake. */
  | { kind: "crashed"; why: string };

export type Step<T = unknown> = ({ kind: "go" } & T) | { kind: "over"; end: TurnEnd };

export const over = (end: TurnEnd): { kind: "over"; end: TurnEnd } => ({ kind: "over", end });

/** `gapMs` runs from now. */
export type Fetched = Step<{ gapMs: number }>;

/** What a request asks for: a page, or a sitemap or feed, each by the id of its row. */
export type Target = { readonly kind: "page" | "sitemap"; readonly id: number };

export type Chosen = Step<{ target: Target }>;

interface HostContext {
  target: Target | null;
  gapMs: number;
  end: TurnEnd | null;
}

export type HostEvent =
  | { type: "resolved"; step: Step }
  | { type: "chosen"; step: Chosen }
  | { type: "fetched"; step: Fetched }
  /** What a state began threw: our own mistake. */
  | { type: "crashed"; error: unknown }
  | { type: "stop" }
  | { type: "halt"; end: TurnEnd };

/**
 * One bounded stay at one host: resolving, ready, fetching, cooling, ... over. A live machine: the
 * turn gives it its I/O by `.provide({ actions })`. What a state begins on entry comes back as an
 * event, one at a time; an actor invoked for each request would cost more than the request's own
 * bookkeeping. The gap is kept by `cooling`; while it runs, `prepare` chooses what comes next.
 */
export const hostMachine = setup({
  types: {
    context: {} as HostContext,
    events: {} as HostEvent,
    output: {} as TurnEnd,
  },
  actions: {
    /** DNS of the host; comes back as `resolved`. */
    resolve: () => notProvided("resolve"),
    /** Claims, and takes the next URL that robots allow; comes back as `chosen`. */
    choose: () => notProvided("choose"),
    /** One request, for `target`; comes back as `fetched`. */
    fetch: () => notProvided("fetch"),
    prepare: () => {},
    end: assign({ end: (_, params: { end: TurnEnd }) => params.end }),
  },
  guards: {
    goes: (_, step: Step) => step.kind === "go",
    goesAtOnce: (_, step: Fetched) => step.kind === "go" && step.gapMs <= 0,
  },
  delays: { gap: ({ context }) => context.gapMs },
}).createMachine({
  id: "host",
  context: { target: null, gapMs: 0, end: null },
  output: ({ context }) => context.end ?? { kind: "stopped" },
  initial: "resolving",
  on: {
    stop: { target: ".over", actions: { type: "end", params: { end: { kind: "stopped" } } } },
    halt: { target: ".over", actions: { type: "end", params: ({ event }) => event } },
    crashed: { target: ".over", actions: { type: "end", params: ({ event }) => crash(event) } },
  },
  states: {
    resolving: {
      entry: "resolve",
      on: {
        resolved: [
          { guard: { type: "goes", params: ({ event }) => event.step }, target: "ready" },
          { target: "over", actions: { type: "end", params: ({ event }) => endOf(event.step) } },
        ],
      },
    },
    ready: {
      entry: "choose",
      on: {
        chosen: [
          {
            guard: { type: "goes", params: ({ event }) => event.step },
            target: "fetching",
            actions: assign({ target: ({ event }) => targetOf(event.step) }),
          },
          { target: "over", actions: { type: "end", params: ({ event }) => endOf(event.step) } },
        ],
      },
    },
    fetching: {
      entry: "fetch",
      on: {
        fetched: [
          { guard: { type: "goesAtOnce", params: ({ event }) => event.step }, target: "ready" },
          {
            guard: { type: "goes", params: ({ event }) => event.step },
            target: "cooling",
            actions: assign({ gapMs: ({ event }) => gapOf(event.step) }),
          },
          { target: "over", actions: { type: "end", params: ({ event }) => endOf(event.step) } },
        ],
      },
    },
    cooling: { entry: "prepare", after: { gap: "ready" } },
    over: { type: "final" },
  },
});

function endOf(step: Step): { end: TurnEnd } {
  return { end: step.kind === "over" ? step.end : { kind: "stopped" } };
}

function crash({ error }: { error: unknown }): { end: TurnEnd } {
  return { end: { kind: "crashed", why: error instanceof Error ? error.message : String(error) } };
}

function targetOf(step: Chosen): Target | null {
  return step.kind === "go" ? step.target : null;
}

function gapOf(step: Fetched): number {
  return step.kind === "go" ? step.gapMs : 0;
}

function notProvided(name: string): never {
  throw new Error(`the host actor was started without its ${name}`);
}
