/** @jsxRuntime automatic @jsxImportSource preact */
import type { Trial } from "../../src/http/admin/weights.ts";
import type { SignalState } from "../../src/http/ranking-deps.ts";
import type { Hit, SearchResults } from "../../src/search/search.ts";
import { ExplainTable } from "../explain.tsx";
import { count } from "../format.ts";
import type { Chrome } from "../layout.tsx";
import { en } from "../words/en.ts";
import { PostButton } from "./form.tsx";

export type PreviewAnswer =
  | { kind: "none" }
  | { kind: "faulty"; messages: readonly string[] }
  | { kind: "unavailable" }
  /** The order in effect, and the order with the weights of the form. */
  | { kind: "results"; now: SearchResults; tried: SearchResults };

export interface PreviewProps {
  chrome: Chrome;
  signals: readonly SignalState[];
  trial: Trial;
  preview: PreviewAnswer;
}

/** What stands beside the form of weights: a fragment of its own, swapped at every change. */
export function SearchPreview(props: PreviewProps) {
  const { chrome, signals, trial, preview } = props;
  const changed = signals.filter(({ name, ...own }) => {
    const tried = trial.ranking[name];
    return tried && (tried.enabled !== own.enabled || tried.weight !== own.weight);
  });
  return (
    <section id="preview" class="card" aria-labelledby="preview-title">
      <div class="preview-head">
        <h2 id="preview-title" class="card-title">
          Preview
        </h2>
        {preview.kind !== "faulty" && changed.length > 0 && (
          <PostButton chrome={chrome} action="/admin/search/weights" label="Save these weights">
            <TriedFields trial={trial} />
          </PostButton>
        )}
      </div>
      <p class="muted" role="status">
        {said(changed.length, preview)}
      </p>
      <Answer preview={preview} isChanged={changed.length > 0} />
    </section>
  );
}

function said(changed: number, preview: PreviewAnswer): string {
  switch (preview.kind) {
    case "faulty":
      return preview.messages.join(" ");
    case "unavailable":
      return "The search index cannot be reached.";
    case "none":
      return changed === 0
        ? "Name a query to see its order; change a weight to see what moves."
        : `${saidChanged(changed)} Name a query to see what moves.`;
    case "results": {
      const { now, tried } = preview;
      if (tried.hits.length === 0) return "No page matches.";
      if (changed === 0) return "The order in effect. Change a weight to see what moves.";
      const moved = movesOf(now.hits, tried.hits).filter((move) => move !== 0).length;
      const what =
        moved === 0 ? "No result moves." : `Of ${tried.hits.length} results ${moved} move.`;
      return `${saidChanged(changed)} ${what}`;
    }
  }
}

const saidChanged = (changed: number): string =>
  changed === 1
    ? "One signal differs from what is in effect."
    : `${changed} signals differ from what is in effect.`;

/** What is saved is what was seen. */
function TriedFields({ trial }: { trial: Trial }) {
  return (
    <>
      {Object.entries(trial.ranking).map(([name, { enabled, weight }]) => (
        <>
          <input type="hidden" name={`weight_${name}`} value={String(weight)} />
          {enabled && <input type="hidden" name={`on_${name}`} value="1" />}
        </>
      ))}
    </>
  );
}

function Answer({ preview, isChanged }: { preview: PreviewAnswer; isChanged: boolean }) {
  if (preview.kind !== "results" || preview.tried.hits.length === 0) return null;
  const { now, tried } = preview;
  const textMax = Math.max(
    ...[...now.hits, ...tried.hits].map(({ explain }) => explain?.text ?? 0),
    Number.MIN_VALUE,
  );
  const moves = movesOf(now.hits, tried.hits);
  return (
    <div class="orders">
      <Order id="order-now" title="In effect" hits={now.hits} textMax={textMax} />
      {isChanged && (
        <Order
          id="order-tried"
          title="With these weights"
          hits={tried.hits}
          textMax={textMax}
          moves={moves}
        />
      )}
      <Total results={tried} />
    </div>
  );
}

const Total = ({ results }: { results: SearchResults }) => (
  <p class="muted small">
    {results.totalCapped ? "More than " : ""}
    {count(results.total)} found; the first {results.hits.length} are shown.
    {results.degraded.length > 0 && ` Left out: ${results.degraded.join(", ")}.`}
  </p>
);

/** By how many places each result of the tried order moved; null: it was not there. */
function movesOf(now: readonly Hit[], tried: readonly Hit[]): (number | null)[] {
  const places = new Map(now.map(({ id }, at) => [id, at]));
  return tried.map(({ id }, at) => {
    const before = places.get(id);
    return before === undefined ? null : before - at;
  });
}

interface OrderProps {
  id: string;
  title: string;
  hits: readonly Hit[];
  textMax: number;
  moves?: readonly (number | null)[];
}

function Order({ id, title, hits, textMax, moves }: OrderProps) {
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <ol class="order">
        {hits.map((hit, at) => (
          <li>
            <div class="order-head">
              {moves !== undefined && <Moved by={moves[at] ?? null} />}
              <bdi class="order-title">{plain(hit) || en.search.untitled}</bdi>
            </div>
            <p class="muted small url">
              <bdi>{hit.host}</bdi> · {hit.score.toFixed(2)}
            </p>
            {hit.explain && (
              <details class="explain">
                <summary
                  aria-label={`Parts of the score of result ${at + 1}, ${title.toLowerCase()}`}
                >
                  Parts of the score
                </summary>
                <ExplainTable
                  score={hit.score}
                  explain={hit.explain}
                  textMax={textMax}
                  words={en}
                  because={{}}
                  isRaised={false}
                />
              </details>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

const TITLE_MAX = 160;

const plain = ({ title }: Hit): string =>
  title
    .map(({ text }) => text)
    .join("")
    .slice(0, TITLE_MAX)
    .trim();

function Moved({ by }: { by: number | null }) {
  if (by === null) return <span class="badge badge-info">new</span>;
  if (by === 0) {
    return (
      <span class="moved">
        <span aria-hidden="true">=</span>
        <span class="visually-hidden">same place: </span>
      </span>
    );
  }
  const places = Math.abs(by);
  return (
    <span class={by > 0 ? "moved moved-up" : "moved moved-down"}>
      <span aria-hidden="true">
        {by > 0 ? "▲" : "▼"} {places}
      </span>
      <span class="visually-hidden">
        {places === 1 ? "one place" : `${places} places`} {by > 0 ? "up" : "down"}:{" "}
      </span>
    </span>
  );
}
