/** @jsxRuntime automatic @jsxImportSource preact */
import type { QueryLists } from "../../src/http/ranking-deps.ts";
import { count, duration } from "../format.ts";
import { address } from "./address.ts";
import { cellClass, Empty, Table } from "./table.tsx";

/** Sums alone: nobody is named here, and what was asked once or twice is never written down. */
export function Queries({ queries }: { queries: QueryLists | null }) {
  if (queries === null) {
    return (
      <Empty title="Queries are not written down">
        With <code>QUERY_LOG=on</code> the commonest, slowest and unanswered ones are summed up
        here, without who asked.
      </Empty>
    );
  }
  const { top, empty, slow } = queries;
  return (
    <>
      <div class="queries">
        <QueryTable
          label="Most asked"
          rows={top}
          number={["Asked", (row) => count(row.requests)]}
        />
        <QueryTable
          label="Without results"
          rows={empty}
          number={["Times", (row) => count(row.empty)]}
        />
        <QueryTable
          label="Slow"
          rows={slow}
          number={["Longest", (row) => duration(row.slowestMs)]}
        />
      </div>
      <p class="hint">
        Of the days that are kept (<code>HISTORY_DAYS</code>); only what was asked at least three
        times, without addresses of mail and long numbers.
      </p>
    </>
  );
}

type Row = QueryLists["top"][number];

function QueryTable(props: {
  label: string;
  rows: readonly Row[];
  number: readonly [label: string, of: (row: Row) => string];
}) {
  const [heading, of] = props.number;
  if (props.rows.length === 0) return <Empty title={`${props.label}: nothing yet`} />;
  return (
    <Table
      label={props.label}
      columns={[{ label: props.label }, { label: heading, isNumber: true }]}
    >
      {props.rows.map((row) => (
        <tr>
          <td class="url">
            <a href={address("/admin/search", { q: row.query })}>
              <bdi>{row.query}</bdi>
            </a>
          </td>
          <td class={cellClass(true)}>{of(row)}</td>
        </tr>
      ))}
    </Table>
  );
}
