/** @jsxRuntime automatic @jsxImportSource preact */
import type { HostDetail } from "../../src/http/deps.ts";
import { count } from "../format.ts";
import type { Chrome } from "../layout.tsx";
import { Time } from "../time.tsx";
import { Card } from "./card.tsx";
import { AskFirst } from "./form.tsx";
import { type Column, cellClass, Table } from "./table.tsx";

interface TrapsProps {
  chrome: Chrome;
  detail: HostDetail;
  now: Date;
}

/** Reasons as they are counted, in words. */
const REASONS: Readonly<Record<string, string>> = {
  trap: "paths that repeat themselves",
  "pattern cut": "a pattern that brings nothing new",
  "same page": "the same page as another URL",
};

const PATTERNS: readonly Column[] = [
  { label: "Pattern" },
  { label: "Pages read", isNumber: true },
  { label: "In a row without anything new", isNumber: true },
  { label: "Cut" },
  { label: "One is looked at" },
];

/** What is left alone of a host, why, and how an operator lifts it. */
export function TrapsCard({ chrome, detail, now }: TrapsProps) {
  const { patterns, parameters, refusals } = detail.traps;
  const isLearned = patterns.length > 0 || parameters.length > 0;
  return (
    <Card id="host-traps" title="Not taken">
      {!isLearned && refusals.length === 0 && (
        <p class="hint">No trap was met: no pattern is cut, every parameter counts.</p>
      )}
      {refusals.length > 0 && (
        <ul class="host-states">
          {refusals.map(({ reason, value }) => (
            <li>
              <span>
                <bdi>{reason}</bdi>
                {REASONS[reason] !== undefined && (
                  <span class="muted small"> {REASONS[reason]}</span>
                )}
              </span>
              <span class="number">{count(value)}</span>
            </li>
          ))}
        </ul>
      )}
      {patterns.length > 0 && <PatternsTable patterns={patterns} now={now} />}
      {parameters.length > 0 && <Parameters parameters={parameters} now={now} />}
      {isLearned && chrome.viewer?.role === "admin" && (
        <div class="actions">
          <AskFirst chrome={chrome} href={`/admin/hosts/${detail.host.id}/lift`} label="Lift…" />
        </div>
      )}
    </Card>
  );
}

type Traps = HostDetail["traps"];

function PatternsTable({ patterns, now }: { patterns: Traps["patterns"]; now: Date }) {
  return (
    <Table label="Patterns that are cut" columns={[...PATTERNS]}>
      {patterns.map(({ pattern, pages, dry, cutAt, lookAt }) => (
        <tr>
          <td class="cell-url">
            <span class="url">
              <bdi>{pattern}</bdi>
            </span>
          </td>
          <td class={cellClass(true)}>{count(pages)}</td>
          <td class={cellClass(true)}>{count(dry)}</td>
          <td class="nowrap">
            <Time at={cutAt} now={now} />
          </td>
          <td class="nowrap">
            <Time at={lookAt} now={now} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Parameters({ parameters, now }: { parameters: Traps["parameters"]; now: Date }) {
  return (
    <>
      <p class="hint">
        Parameters that change no page: of URLs that differ in them one is asked for.
      </p>
      <ul class="host-states">
        {parameters.map(({ name, neutralAt }) => (
          <li>
            <code>
              <bdi>{name}</bdi>
            </code>
            <span class="muted">
              since <Time at={neutralAt} now={now} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
