/** @jsxRuntime automatic @jsxImportSource preact */
import type { Hit } from "../src/search/search.ts";
import { HostButton } from "./host-form.tsx";
import { ruleSaid } from "./words/host-rules.ts";
import { labelOf, type Words } from "./words/words.ts";

export interface ExplainProps {
  hit: Hit;
  explain: NonNullable<Hit["explain"]>;
  /** Highest text score of this page of results: the bar of the words is drawn against it. */
  textMax: number;
  words: Words;
  isOpen: boolean;
  isRaised: boolean;
  /** What else is known of a signal, by its name. */
  because: Readonly<Record<string, string>>;
}

/** How a score came about, and what the reader may do about the host. Closed until asked for. */
export function Explain({ hit, explain, textMax, words, isOpen, isRaised, because }: ExplainProps) {
  return (
    <details class="explain" open={isOpen}>
      <summary>{words.search.why}</summary>
      <div class="explain-card">
        <ExplainTable
          score={hit.score}
          explain={explain}
          textMax={textMax}
          words={words}
          because={because}
          isRaised={isRaised}
        />
        <HostChoice host={hit.host} words={words} isRaised={isRaised} />
      </div>
    </details>
  );
}

interface ExplainTableProps extends Omit<ExplainProps, "hit" | "isOpen"> {
  score: number;
}

/** The parts of a score, each with a bar. */
export function ExplainTable(props: ExplainTableProps) {
  const { score, explain, textMax, words } = props;
  const rules = ruleSaid(explain.rules, props.isRaised, words.hostRules);
  const because = rules === null ? props.because : { ...props.because, rules };
  return (
    <table class="explain-table">
      <tbody>
        {Object.entries(explain).map(([name, value]) => (
          <Signal
            name={name}
            value={value}
            textMax={textMax}
            words={words}
            because={labelOf(because, name, "")}
          />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            {words.explain.score}
          </th>
          <td>{shown(score)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

/** Signals that multiply the score; the others add to it, from nothing to 1. */
const FACTORS: readonly string[] = ["quality", "navigational", "rules", "completion", "synonym"];

interface SignalProps {
  name: string;
  value: number;
  textMax: number;
  words: Words;
  because: string;
}

function Signal({ name, value, textMax, words, because }: SignalProps) {
  const isFactor = FACTORS.includes(name);
  const isNeutral = name !== "text" && value === (isFactor ? 1 : 0);
  return (
    <tr>
      <th scope="row">
        {labelOf(words.explain.names, name)}
        <span>{labelOf(words.explain.notes, name, "")}</span>
        {because !== "" && (
          <span>
            <bdi>{because}</bdi>
          </span>
        )}
      </th>
      <td>
        {isFactor ? (
          <FactorBar value={value} />
        ) : (
          <Bar part={name === "text" ? value / textMax : value} />
        )}
      </td>
      <td>
        {isNeutral ? (
          <span class="muted">{words.explain.neutral}</span>
        ) : (
          `${isFactor ? "× " : ""}${shown(value)}`
        )}
      </td>
    </tr>
  );
}

/** An amount as a part of the whole. The number stands beside it. */
function Bar({ part }: { part: number }) {
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="8" />
      <rect class="bar-value" width={within(part, 0, 1) * 100} height="8" />
    </svg>
  );
}

/** A factor from a quarter to four, by doublings: 1 stands in the middle. */
function FactorBar({ value }: { value: number }) {
  const offset = value > 0 ? within(Math.log2(value) / 2, -1, 1) * 50 : -50;
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="8" />
      <rect
        class={offset < 0 ? "bar-less" : "bar-value"}
        x={50 + Math.min(offset, 0)}
        width={Math.abs(offset)}
        height="8"
      />
      <line x1="50" x2="50" y1="0" y2="8" />
    </svg>
  );
}

const within = (value: number, min: number, max: number) =>
  Number.isFinite(value) ? Math.min(Math.max(value, min), max) : min;

/** The buttons belong to the form of the whole list (`HostForm`). */
function HostChoice(props: { host: string; words: Words; isRaised: boolean }) {
  const { host, words, isRaised } = props;
  return (
    <fieldset class="actions host-choice" aria-label={words.search.hostMenu(host)}>
      <HostButton host={host} choice={isRaised ? "none" : "raise"}>
        {isRaised ? words.search.lowerHost : words.search.raiseHost}
      </HostButton>
      <HostButton host={host} choice="block">
        {words.search.blockHost}
      </HostButton>
    </fieldset>
  );
}

const shown = (value: number) => (Number.isFinite(value) ? value.toFixed(2) : "–");
