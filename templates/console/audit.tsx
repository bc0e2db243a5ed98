/** @jsxRuntime automatic @jsxImportSource preact */
import type { AuditRow, Slice } from "../../src/http/deps.ts";
import type { Chrome } from "../layout.tsx";
import { Stamp } from "../time.tsx";
import { address } from "./address.ts";
import { ConsolePage, Refresh } from "./console-page.tsx";
import { FilterForm, TextField } from "./form.tsx";
import { Empty, Pager, Table } from "./table.tsx";

export interface AuditProps {
  chrome: Chrome;
  filter: { actor: string | null; action: string | null; page: number; perPage: number };
  entries: Slice<AuditRow>;
}

export function AuditPage({ chrome, filter, entries }: AuditProps) {
  const here = (page: number) =>
    address("/admin/audit", { actor: filter.actor, action: filter.action, page }, { page: 1 });
  return (
    <ConsolePage chrome={chrome} title="Audit log" aside={<Refresh href={here(filter.page)} />}>
      <FilterForm label="Filter" action="/admin/audit">
        <TextField name="actor" label="Account" type="search" value={filter.actor} />
        <TextField name="action" label="Action" type="search" value={filter.action} />
      </FilterForm>
      {entries.rows.length === 0 ? (
        <Empty title="No entries">
          What changes something is written down here, with who did it.
        </Empty>
      ) : (
        <>
          <Table
            label="Audit log"
            columns={[
              { label: "When" },
              { label: "Who" },
              { label: "Action" },
              { label: "Subject" },
            ]}
          >
            {entries.rows.map((entry) => (
              <tr>
                <td class="nowrap">
                  <Stamp at={entry.at} />
                </td>
                <td>
                  <bdi>{entry.actor}</bdi>
                </td>
                <td>
                  <code>{entry.action}</code>
                </td>
                <td class="cell-url">
                  <bdi class="url">{entry.subject}</bdi>
                  {entry.detail !== null && (
                    <div class="muted small url">
                      <bdi>{JSON.stringify(entry.detail)}</bdi>
                    </div>
                  )}
                </td>
              </tr>
            ))}
          </Table>
          <Pager filter={filter} slice={entries} href={here} />
        </>
      )}
    </ConsolePage>
  );
}
