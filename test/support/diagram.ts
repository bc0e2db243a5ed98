import type { AnyStateMachine, StateNode } from "xstate";

/** Edges of a machine as lines of a Mermaid state diagram, one for each pair of states. */
export function diagram(machine: AnyStateMachine): string[] {
  const edges = new Map<string, Set<string>>();
  for (const state of Object.values(machine.states) as StateNode[]) {
    for (const [name, transitions] of [...machine.root.transitions, ...state.transitions]) {
      if (state.type === "final") continue;
      for (const { target } of transitions) {
        const pair = `${state.key} --> ${target?.[0]?.key ?? state.key}`;
        edges.set(pair, (edges.get(pair) ?? new Set()).add(eventName(name)));
      }
    }
  }
  return [...edges].map(([pair, names]) => `${pair}: ${[...names].join(", ")}`);
}

/** XState's own events by what they mean. */
function eventName(descriptor: string): string {
  const [, kind] = /^xstate\.(done|error|after)\./.exec(descriptor) ?? [];
  return kind ?? descriptor;
}
