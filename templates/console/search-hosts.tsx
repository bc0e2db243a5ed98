/** @jsxRuntime automatic @jsxImportSource preact */
import type { HostFactorRow } from "../../src/http/ranking-deps.ts";
import type { Chrome } from "../layout.tsx";
import { Stamp } from "../time.tsx";
import { PostButton, Select, TextField } from "./form.tsx";
import { Empty, Table } from "./table.tsx";

const FACTORS: Readonly<Record<HostFactorRow["factor"], string>> = {
  muchRaise: "much raised, × 3",
  raise: "raised, × 1.6",
  lower: "lowered, × 0.6",
  muchLower: "much lowered, × 0.25",
};

/** Hosts whose results come earlier or later, whatever is asked for. */
export function HostFactors(props: { chrome: Chrome; hosts: readonly HostFactorRow[] }) {
  const { chrome, hosts } = props;
  return (
    <>
      {hosts.length === 0 ? (
        <Empty title="No host is raised or lowered">
          A rule holds for a host and all below it; the nearest one wins. To keep a host out of the
          index, block it on its own page.
        </Empty>
      ) : (
        <Table
          label="Raised and lowered hosts"
          columns={[
            { label: "Host" },
            { label: "Rule" },
            { label: "By", isExtra: true },
            { label: "Since", isExtra: true },
            ...(chrome.viewer?.role === "admin" ? [{ label: "Action" }] : []),
          ]}
        >
          {hosts.map((row) => (
            <tr>
              <th scope="row">
                <bdi class="url">{row.host}</bdi>
              </th>
              <td>{FACTORS[row.factor]}</td>
              <td class="extra">
                <bdi>{row.changedBy}</bdi>
              </td>
              <td class="extra nowrap">
                <Stamp at={row.changedAt} />
              </td>
              {chrome.viewer?.role === "admin" && (
                <td>
                  <PostButton chrome={chrome} action="/admin/search/hosts/remove" label="Remove">
                    <input type="hidden" name="host" value={row.host} />
                  </PostButton>
                </td>
              )}
            </tr>
          ))}
        </Table>
      )}
      <PostButton chrome={chrome} action="/admin/search/hosts" label="Set">
        <TextField
          name="host"
          label="Host"
          value={null}
          attributes={{ required: true, maxLength: 255, placeholder: "example.org" }}
        />
        <Select name="factor" label="Rule" value="raise" options={Object.entries(FACTORS)} />
      </PostButton>
    </>
  );
}
