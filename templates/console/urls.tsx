/** @jsxRuntime automatic @jsxImportSource preact */
import type { Slice, UrlFilter, UrlListRow } from "../../src/http/deps.ts";
import { count } from "../format.ts";
import type { Chrome } from "../layout.tsx";
import { Time } from "../time.tsx";
import { address } from "./address.ts";
import { ConsolePage, Refresh } from "./console-page.tsx";
import { FilterForm, Select, TextField } from "./form.tsx";
import type { NoticeText } from "./notice.tsx";
import { StateSelect, URL_STATES, UrlStateBadge } from "./states.tsx";
import { type Column, cellClass, Empty, Pager, Table } from "./table.tsx";

export interface UrlsProps {
  chrome: Chrome;
  filter: UrlFilter;
  urls: Slice<UrlListRow>;
  notice: NoticeText | null;
  now: Date;
}

const DEFAULTS = { sort: "newest", page: 1 } as const;

const SORTS: Readonly<Record<UrlFilter["sort"], string>> = {
  newest: "newest first",
  oldest: "oldest first",
  priority: "highest priority first",
  next: "next visit first",
  visited: "last visited first",
};

export function UrlsPage(props: UrlsProps) {
  const { chrome, filter, notice } = props;
  return (
    <ConsolePage
      chrome={chrome}
      title="URLs"
      notice={notice}
      aside={<Refresh href={address("/admin/urls", query(filter), DEFAULTS)} />}
    >
      <FilterForm label="Filter URLs" action="/admin/urls" target="#urls" trigger="change, submit">
        <StateSelect states={URL_STATES} value={filter.state} />
        <TextField name="host" label="Host" type="search" value={filter.host} />
        <TextField name="reason" label="Reason" type="search" value={filter.reason} />
        <Select
          name="sort"
          label="Order"
          value={filter.sort}
          options={Object.entries(SORTS).map(([sort, label]) => [sort, label] as const)}
        />
      </FilterForm>
      <UrlsTable {...props} />
    </ConsolePage>
  );
}

/** The list alone: what a change of the filter swaps. */
export function UrlsTable({ filter, urls, now }: UrlsProps) {
  const isFiltered = filter.state !== null || filter.host !== null || filter.reason !== null;
  return (
    <div id="urls" class="stack">
      {urls.rows.length === 0 ? (
        <Empty title={isFiltered ? "No URL fits this filter" : "No URLs yet"}>
          {isFiltered ? (
            <a href="/admin/urls">Show all URLs</a>
          ) : (
            <>
              Give the crawl a start: <code>trawl seed https://example.org/</code>
            </>
          )}
        </Empty>
      ) : (
        <>
          <Table label="URLs" columns={COLUMNS}>
            {urls.rows.map((row) => (
              <UrlTableRow row={row} now={now} />
            ))}
          </Table>
          <Pager
            filter={filter}
            slice={urls}
            href={(page) => address("/admin/urls", { ...query(filter), page }, DEFAULTS)}
          />
        </>
      )}
    </div>
  );
}

const COLUMNS: readonly Column[] = [
  { label: "URL" },
  { label: "State" },
  { label: "Reason" },
  { label: "Status", isNumber: true },
  { label: "Visited" },
  { label: "Next visit" },
  { label: "Priority", isNumber: true },
  { label: "Depth", isNumber: true, isExtra: true },
];

function UrlTableRow({ row, now }: { row: UrlListRow; now: Date }) {
  return (
    <tr>
      <th scope="row" class="cell-url">
        <a href={`/admin/urls/${row.id}`} class="url">
          <bdi>{row.url}</bdi>
        </a>
      </th>
      <td>
        <UrlStateBadge state={row.state} />
      </td>
      <td>{row.reason !== null && <bdi>{row.reason}</bdi>}</td>
      <td class={cellClass(true)}>{row.status ?? "–"}</td>
      <td class="nowrap">
        <Time at={row.visitedAt} now={now} />
      </td>
      <td class="nowrap">
        <Time at={row.nextCrawlAt} now={now} />
      </td>
      <td class={cellClass(true)}>{count(row.priority)}</td>
      <td class={cellClass(true, true)}>{count(row.depth)}</td>
    </tr>
  );
}

const query = (filter: UrlFilter) => ({
  state: filter.state,
  host: filter.host,
  reason: filter.reason,
  sort: filter.sort,
  page: filter.page,
});
