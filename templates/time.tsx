/** @jsxRuntime automatic @jsxImportSource preact */
import { relative, stamp } from "./format.ts";

/** A moment: how long ago for a glance, the exact time in the tooltip and for machines. */
export function Time({ at, now }: { at: Date | null; now: Date }) {
  if (at === null) return <span class="muted">–</span>;
  return (
    <time dateTime={at.toISOString()} title={stamp(at)}>
      {relative(at, now)}
    </time>
  );
}

/** A moment before which something may not happen; one that is over holds nothing back. */
export function NotBefore({ at, now }: { at: Date | null; now: Date }) {
  return at !== null && at > now ? <Time at={at} now={now} /> : <span class="muted">any time</span>;
}

/** The exact time first, for timelines and logs. */
export function Stamp({ at }: { at: Date }) {
  return <time dateTime={at.toISOString()}>{stamp(at)}</time>;
}
