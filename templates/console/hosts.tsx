/** @jsxRuntime automatic @jsxImportSource preact */

import type { Delay } from "../../src/frontier/politeness.ts";
import type { HostFilter, HostRow, HostState, Slice } from "../../src/http/deps.ts";
import { count, duration, hundredths } from "../format.ts";
import type { Chrome } from "../layout.tsx";
import { NotBefore } from "../time.tsx";
import { address } from "./address.ts";
import { ConsolePage, Refresh } from "./console-page.tsx";
import { FilterForm, TextField } from "./form.tsx";
import type { NoticeText } from "./notice.tsx";
import { HOST_STATES, HostStateBadge, StateSelect } from "./states.tsx";
import { type Column, cellClass, Empty, Pager, Table } from "./table.tsx";

export interface HostsProps {
  chrome: Chrome;
  filter: HostFilter;
  hosts: Slice<HostRow>;
  delayOf(host: HostRow): Delay;
  notice: NoticeText | null;
  now: Date;
}

const DEFAULTS = { sort: "name", order: "asc", page: 1 } as const;

export function HostsPage(props: HostsProps) {
  const { chrome, filter, notice } = props;
  return (
    <ConsolePage
      chrome={chrome}
      title="Hosts"
      notice={notice}
      aside={<Refresh href={address("/admin/hosts", query(filter), DEFAULTS)} />}
    >
      <FilterForm
        label="Filter hosts"
        action="/admin/hosts"
        target="#hosts"
        trigger="input delay:300ms, submit"
      >
        <TextField name="q" label="Name contains" type="search" value={filter.text} />
        <StateSelect states={HOST_STATES} value={filter.state} />
        <input type="hidden" name="sort" value={filter.sort} />
        <input type="hidden" name="order" value={filter.order} />
      </FilterForm>
      <HostsTable {...props} />
    </ConsolePage>
  );
}

/** The list alone: what a change of the filter swaps. */
export function HostsTable({ filter, hosts, delayOf, now }: HostsProps) {
  const isFiltered = filter.text !== null || filter.state !== null;
  return (
    <div id="hosts" class="stack">
      {hosts.rows.length === 0 ? (
        <Empty title={isFiltered ? "No host fits this filter" : "No hosts yet"}>
          {isFiltered ? (
            <a href="/admin/hosts">Show all hosts</a>
          ) : (
            <>
              A host appears with its first URL: <code>trawl seed https://example.org/</code>
            </>
          )}
        </Empty>
      ) : (
        <>
          <Table label="Hosts" columns={columns(filter)}>
            {hosts.rows.map((host) => (
              <HostTableRow host={host} delay={delayOf(host)} now={now} />
            ))}
          </Table>
          <Pager
            filter={filter}
            slice={hosts}
            href={(page) => address("/admin/hosts", { ...query(filter), page }, DEFAULTS)}
          />
        </>
      )}
    </div>
  );
}

function HostTableRow({ host, delay, now }: { host: HostRow; delay: Delay; now: Date }) {
  return (
    <tr>
      <th scope="row">
        <a href={`/admin/hosts/${host.id}`} class="url">
          <bdi>{host.name}</bdi>
        </a>
      </th>
      <td>
        <HostStateBadge state={host.state} />
      </td>
      <td class="nowrap">
        <NotBefore at={host.nextFetchAt} now={now} />
      </td>
      <td class="nowrap">
        {duration(delay.ms)} <span class="muted small">{DELAY_SOURCES[delay.source]}</span>
      </td>
      <td class={cellClass(true)}>{count(host.pageCount)}</td>
      <td class={cellClass(true)}>{count(host.urlCount)}</td>
      <td class={cellClass(true)}>{hundredths(host.authority)}</td>
      <td class={cellClass(true)}>{count(host.linkingHosts)}</td>
      <td class={cellClass(true)}>{count(host.throttles)}</td>
    </tr>
  );
}

/** Which rule set the host's clock. */
export const DELAY_SOURCES: Readonly<Record<Delay["source"], string>> = {
  setting: "setting",
  robots: "robots.txt",
  host: "set here",
  slow: "slowed down",
};

const COLUMNS: readonly (readonly [sort: HostFilter["sort"] | null, label: string])[] = [
  ["name", "Host"],
  ["state", "State"],
  ["next", "Next fetch"],
  [null, "Delay"],
  ["pages", "Pages"],
  ["urls", "URLs"],
  ["authority", "Authority"],
  ["links", "Linked by"],
  ["throttles", "429s"],
];

const NUMBERS: readonly HostFilter["sort"][] = ["pages", "urls", "authority", "links", "throttles"];

function columns(filter: HostFilter): Column[] {
  return COLUMNS.map(([sort, label]) => {
    const isNumber = sort !== null && NUMBERS.includes(sort);
    if (sort === null) return { label };
    const isCurrent = filter.sort === sort;
    // Numbers are asked for largest first, names from A.
    const first = isNumber ? "desc" : "asc";
    const order = isCurrent ? (filter.order === "asc" ? "desc" : "asc") : first;
    return {
      label,
      isNumber,
      sort: {
        href: address("/admin/hosts", { ...query(filter), sort, order, page: 1 }, DEFAULTS),
        direction: isCurrent ? (filter.order === "asc" ? "ascending" : "descending") : null,
      },
    };
  });
}

const query = (filter: HostFilter) => ({
  q: filter.text,
  state: filter.state as HostState | null,
  sort: filter.sort,
  order: filter.order,
  page: filter.page,
});
