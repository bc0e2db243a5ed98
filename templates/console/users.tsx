/** @jsxRuntime automatic @jsxImportSource preact */
import type { AccountRow } from "../../src/http/deps.ts";
import type { Chrome } from "../layout.tsx";
import { Time } from "../time.tsx";
import { ConsolePage } from "./console-page.tsx";
import { Table } from "./table.tsx";

export function UsersPage(props: {
  chrome: Chrome;
  accounts: readonly Omit<AccountRow, "passwordHash">[];
  now: Date;
}) {
  return (
    <ConsolePage chrome={props.chrome} title="Users">
      <Table
        label="Accounts"
        columns={[
          { label: "Name" },
          { label: "Role" },
          { label: "API token" },
          { label: "Created" },
        ]}
      >
        {props.accounts.map((account) => (
          <tr>
            <th scope="row">
              <bdi>{account.name}</bdi>
            </th>
            <td>
              <span class={`badge badge-${account.role === "admin" ? "info" : "plain"}`}>
                {account.role}
              </span>
            </td>
            <td>{account.tokenHash === null ? "none" : "yes"}</td>
            <td class="nowrap">
              <Time at={account.createdAt} now={props.now} />
            </td>
          </tr>
        ))}
      </Table>
      <p class="hint">
        <code>trawl users passwd NAME</code> gives an account a new password.
      </p>
    </ConsolePage>
  );
}
