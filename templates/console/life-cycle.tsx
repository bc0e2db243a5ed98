/** @jsxRuntime automatic @jsxImportSource preact */
import type { UrlState } from "../../src/http/deps.ts";
import { count } from "../format.ts";
import { Scroll } from "./scroll.tsx";
import { URL_STATES } from "./states.tsx";

const NODE_WIDTH = 136;
const NODE_HEIGHT = 68;

/** Centre of each state in the drawing. */
const PLACES: Readonly<Record<UrlState, readonly [x: number, y: number]>> = {
  pending: [200, 170],
  in_progress: [430, 170],
  done: [660, 60],
  failed: [660, 280],
  blocked: [200, 324],
};

interface Edge {
  path: string;
  label: string;
  at: readonly [x: number, y: number];
}

/** Edges with the event that takes them; labels stand on their edge or beside it. */
const EDGES: readonly Edge[] = [
  { path: "M30 170 H126", label: "admitted", at: [76, 158] },
  { path: "M268 158 H356", label: "claimed", at: [312, 148] },
  { path: "M362 184 H274", label: "success, retry", at: [315, 204] },
  { path: "M498 152 L588 84", label: "settled", at: [520, 110] },
  { path: "M498 188 L588 256", label: "given up", at: [516, 240] },
  { path: "M592 44 C 440 0, 220 20, 204 130", label: "came due, asked again", at: [400, 28] },
  { path: "M592 296 C 470 330, 320 310, 258 210", label: "came due, retried", at: [440, 311] },
  { path: "M178 204 V284", label: "blocked", at: [140, 250] },
  { path: "M214 290 V210", label: "unblocked", at: [252, 262] },
];

/** The life of a URL as a drawing, with how many stand in each state now. */
export function LifeCycle({ urls }: { urls: Record<UrlState | "due", number> | null }) {
  const states = Object.keys(PLACES) as UrlState[];
  const told = states.map((state) => `${URL_STATES[state][0]} ${count(urls?.[state])}`).join(", ");
  return (
    <Scroll label="Life of a URL" class="life-cycle">
      <svg viewBox="0 0 740 366" aria-labelledby="life-cycle-text">
        <title id="life-cycle-text">{`URLs by state: ${told}`}</title>
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path class="edge-head" d="M0 0 8 4 0 8z" />
          </marker>
        </defs>
        {EDGES.map(({ path, label, at }) => (
          <g>
            <path class="edge" d={path} marker-end="url(#arrow)" />
            <text class="edge-label" x={at[0]} y={at[1]}>
              {label}
            </text>
          </g>
        ))}
        {states.map((state) => (
          <Node state={state} value={urls?.[state]} due={state === "pending" ? urls?.due : null} />
        ))}
      </svg>
    </Scroll>
  );
}

function Node(props: {
  state: UrlState;
  value: number | undefined;
  due?: number | null | undefined;
}) {
  const { state, value, due } = props;
  const [x, y] = PLACES[state];
  const [label, tone] = URL_STATES[state];
  const hasDue = due !== null && due !== undefined;
  return (
    <a href={`/admin/urls?state=${state}`}>
      <rect
        class={`node node-${tone}`}
        x={x - NODE_WIDTH / 2}
        y={y - NODE_HEIGHT / 2}
        width={NODE_WIDTH}
        height={NODE_HEIGHT}
        rx="10"
      />
      <text class="node-count" x={x} y={y - (hasDue ? 9 : 1)}>
        {count(value)}
      </text>
      <text class="node-label" x={x} y={y + (hasDue ? 9 : 18)}>
        {label}
      </text>
      {hasDue && (
        <text class="node-label node-due" x={x} y={y + 25}>
          {`${count(due)} due`}
        </text>
      )}
    </a>
  );
}
