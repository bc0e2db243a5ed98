import { type ActorScope, createActor, type SnapshotFrom } from "xstate";
import { urlMachine } from "./url.ts";
import { NEW_URL } from "./url-columns.ts";
import type { Asked } from "./url-effects.ts";
import type {
  StampedEvent,
  StepEnv,
  UrlColumns,
  UrlEffect,
  UrlEvent,
  UrlRow,
  UrlState,
} from "./url-event.ts";

export type UrlStep =
  | {
      kind: "stepped";
      state: UrlState | "removed";
      /** Just the columns that are other than before. */
      columns: Partial<UrlColumns>;
      /** To be carried out with the settle, in this order. */
      effects: UrlEffect[];
    }
  /** The event means nothing in this state: nothing may be written. */
  | { kind: "ignored" };

/** One event in the life of a URL. Pure; `row` null: the URL has no row yet. */
export function stepUrl(row: UrlRow | null, event: UrlEvent, env: StepEnv): UrlStep {
  const context = row ?? NEW_URL;
  const before = { ...restingIn(row?.state ?? "unknown"), context };
  const stamped = { ...event, env };
  if (!before.can(stamped)) return { kind: "ignored" };
  effects = [];
  const after = urlMachine.transition(before, stamped, scope);
  return {
    kind: "stepped",
    state: after.value as UrlState | "removed",
    columns: changedColumns(context, after.context),
    effects,
  };
}

type Snapshot = SnapshotFrom<typeof urlMachine>;

/** By state: all of a snapshot but its context, which is the row's. */
const resting = new Map<string, Snapshot>();

function restingIn(state: UrlState | "unknown"): Snapshot {
  const known = resting.get(state);
  if (known !== undefined) return known;
  const made = urlMachine.resolveState({ value: state, context: NEW_URL });
  resting.set(state, made);
  return made;
}

/**
 * What the machine asks for while it is stepped. The library's `transition()` makes an actor and a
 * system for each step, at three times the cost of the step; ours starts nothing that needs them.
 */
let effects: UrlEffect[] = [];
const self = createActor(urlMachine);
const scope: ActorScope<Snapshot, StampedEvent> = {
  self,
  system: self.system,
  id: self.id,
  sessionId: self.sessionId,
  logger: () => {},
  defer: () => {},
  emit: () => {},
  stopChild: () => {},
  actionExecutor: ({ params }) => {
    effects.push(...(params as unknown as Asked).effects);
  },
};

const COLUMNS = Object.keys(NEW_URL).filter(isColumn);

function isColumn(name: string): name is keyof UrlColumns {
  return name !== "url" && name !== "depth";
}

function changedColumns(before: UrlColumns, after: UrlColumns): Partial<UrlColumns> {
  const changed: Record<string, unknown> = {};
  for (const name of COLUMNS) {
    if (!isSame(before[name], after[name])) changed[name] = after[name];
  }
  return changed as Partial<UrlColumns>;
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (a instanceof Date && b instanceof Date && a.getTime() === b.getTime());
}
