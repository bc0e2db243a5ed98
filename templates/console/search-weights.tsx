/** @jsxRuntime automatic @jsxImportSource preact */
import type { Trial } from "../../src/http/admin/weights.ts";
import type { SignalState } from "../../src/http/ranking-deps.ts";
import type { Chrome } from "../layout.tsx";
import { QUERY_MAX } from "../search-link.ts";
import { Stamp } from "../time.tsx";
import { en } from "../words/en.ts";
import { AskFirst } from "./form.tsx";

/** WEIGHT_MAX of src/ranking.ts. */
const WEIGHT_MAX = 5;

interface WeightsProps {
  chrome: Chrome;
  signals: readonly SignalState[];
  trial: Trial;
}

/** A form that changes nothing: it asks for the preview, by htmx at every change. */
export function WeightsForm({ chrome, signals, trial }: WeightsProps) {
  const isSaved = signals.some(({ saved }) => saved !== null);
  return (
    <search aria-label="Try weights">
      <form
        class="weights"
        method="get"
        action="/admin/search"
        noValidate
        hx-get="/admin/search"
        hx-target="#preview"
        hx-swap="outerHTML"
        hx-replace-url="true"
        hx-sync="this:replace"
        hx-trigger="input delay:250ms, submit"
      >
        <input type="hidden" name="tried" value="1" />
        <div class="field">
          <label for="try-q">Try it with a query</label>
          <div class="row">
            <input
              id="try-q"
              type="search"
              name="q"
              value={trial.query}
              maxLength={QUERY_MAX}
              autocomplete="off"
            />
            <button class="button" type="submit">
              Preview
            </button>
          </div>
        </div>
        <ul class="weights-list">
          {signals.map((signal) => (
            <SignalRow signal={signal} trial={trial} />
          ))}
        </ul>
        <p class="hint">
          score = words × factors × (1 + sum of weight × prior). A weight of 0 or a switch that is
          off leaves a signal out; the weight of a factor is how much of its effect counts.
        </p>
      </form>
      {isSaved && (
        <p class="weights-reset">
          <AskFirst chrome={chrome} href="/admin/search/reset" label="Reset…" />
        </p>
      )}
    </search>
  );
}

const ROLES: Readonly<Record<SignalState["role"], string>> = {
  text: "",
  factor: "Factor: ",
  prior: "Prior: ",
};

function SignalRow({ signal, trial }: { signal: SignalState; trial: Trial }) {
  const { name, role } = signal;
  const { enabled, weight } = trial.ranking[name] ?? signal;
  const id = `weight-${name}`;
  const label = en.explain.names[name];
  return (
    <li>
      <div class="weight-name">
        <input
          type="checkbox"
          id={`on-${name}`}
          name={`on_${name}`}
          value="1"
          checked={enabled}
          aria-describedby={`${id}-note`}
        />
        <label for={`on-${name}`}>{label}</label>
      </div>
      {role !== "text" && (
        <div class="weight-value">
          <label class="visually-hidden" for={id}>
            Weight of {label}
          </label>
          <input
            id={id}
            name={`weight_${name}`}
            type="number"
            min={0}
            max={WEIGHT_MAX}
            step="any"
            value={String(weight)}
            inputMode="decimal"
          />
        </div>
      )}
      <p id={`${id}-note`} class="hint">
        {ROLES[role]}
        {en.explain.notes[name]}
        <Origin signal={signal} />
      </p>
    </li>
  );
}

/** Where the value in effect comes from, when it is not the usual one. */
function Origin({ signal: { configured, saved, role } }: { signal: SignalState }) {
  if (saved === null) return null;
  const usual = role === "text" || !configured.enabled ? "" : ` ${configured.weight}`;
  return (
    <>
      {" "}
      · saved by <bdi>{saved.by}</bdi>, <Stamp at={saved.at} />; configured:{" "}
      {configured.enabled ? "on" : "off"}
      {usual}
    </>
  );
}
