/** @jsxRuntime automatic @jsxImportSource preact */
import type { HostVisit } from "../../src/db/visits.ts";
import { bytes, duration } from "../format.ts";
import { Time } from "../time.tsx";
import { type Column, cellClass, Empty, Table } from "./table.tsx";

/** History of visits, newest first. */
export function VisitsTable(props: { visits: readonly HostVisit[]; now: Date; hasUrls?: boolean }) {
  const { visits, now, hasUrls = false } = props;
  if (visits.length === 0) {
    return <Empty title="No visits yet">They are kept for HISTORY_DAYS.</Empty>;
  }
  const columns: Column[] = [
    { label: "When" },
    ...(hasUrls ? [{ label: "URL" }] : []),
    { label: "Outcome" },
    { label: "Status", isNumber: true },
    { label: "Fetch", isNumber: true },
    { label: "To searchable", isNumber: true },
    { label: "Size", isNumber: true },
  ];
  return (
    <Table label="Visits" columns={columns}>
      {visits.map((visit) => (
        <tr>
          <td class="nowrap">
            <Time at={visit.fetchStartedAt ?? visit.settledAt} now={now} />
          </td>
          {hasUrls && <td class="cell-url">{visit.url && <UrlCell visit={visit} />}</td>}
          <td>
            <bdi>{outcomeOf(visit)}</bdi>
          </td>
          <td class={cellClass(true)}>{visit.status === null ? "–" : visit.status}</td>
          <td class={cellClass(true)}>{span(visit.fetchStartedAt, visit.fetchedAt)}</td>
          <td class={cellClass(true)}>{span(visit.fetchStartedAt, visit.indexedAt)}</td>
          <td class={cellClass(true)}>{bytes(visit.bytes)}</td>
        </tr>
      ))}
    </Table>
  );
}

function UrlCell({ visit }: { visit: HostVisit }) {
  return (
    <a href={`/admin/urls/${visit.urlId}`} class="url">
      <bdi>{visit.url}</bdi>
    </a>
  );
}

const outcomeOf = ({ outcome, reason }: HostVisit): string =>
  reason === null || reason === outcome ? outcome : `${outcome}: ${reason}`;

/** Time between two steps; a dash when one of them did not happen. */
export const span = (from: Date | null, to: Date | null): string =>
  from === null || to === null ? "–" : duration(to.getTime() - from.getTime());
