/** @jsxRuntime automatic @jsxImportSource preact */
import type { HostState, UrlState } from "../../src/http/deps.ts";
import { Select } from "./form.tsx";

type Tone = "plain" | "info" | "good" | "warn" | "bad";

export const URL_STATES: Readonly<Record<UrlState, readonly [label: string, tone: Tone]>> = {
  pending: ["pending", "plain"],
  in_progress: ["in progress", "info"],
  done: ["done", "good"],
  failed: ["failed", "bad"],
  blocked: ["blocked", "warn"],
};

export const HOST_STATES: Readonly<Record<HostState, readonly [label: string, tone: Tone]>> = {
  active: ["active", "good"],
  waiting_robots: ["waiting for robots", "warn"],
  backing_off: ["backing off", "warn"],
  parked: ["nothing due", "plain"],
  paused: ["paused", "info"],
  dead: ["dead", "bad"],
  blocked: ["blocked", "bad"],
  out_of_region: ["out of region", "plain"],
};

interface StateSelectProps {
  states: Readonly<Record<string, readonly [label: string, tone: Tone]>>;
  value: string | null;
}

/** Of a filter. */
export function StateSelect({ states, value }: StateSelectProps) {
  const options = Object.entries(states).map(([state, [label]]) => [state, label] as const);
  return <Select name="state" label="State" value={value} any="every state" options={options} />;
}

export function UrlStateBadge({ state }: { state: UrlState }) {
  const [label, tone] = URL_STATES[state];
  return <span class={`badge badge-${tone}`}>{label}</span>;
}

export function HostStateBadge({ state }: { state: HostState }) {
  const [label, tone] = HOST_STATES[state];
  return <span class={`badge badge-${tone}`}>{label}</span>;
}
