/** @jsxRuntime automatic @jsxImportSource preact */
import type { ShownSetting } from "../../src/http/deps.ts";
import type { Chrome } from "../layout.tsx";
import { ConsolePage } from "./console-page.tsx";
import { Table } from "./table.tsx";

export function SettingsPage(props: { chrome: Chrome; settings: readonly ShownSetting[] }) {
  const groups = Map.groupBy(props.settings, (setting) => setting.group);
  return (
    <ConsolePage chrome={props.chrome} title="Settings">
      <p class="muted">
        As in effect in this process, read from the environment and <code>.env</code> at start.
        Secrets are masked.
      </p>
      {[...groups].map(([group, settings]) => (
        <section class="stack settings" aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`}>{group}</h2>
          <Table
            label={group}
            columns={[
              { label: "Setting" },
              { label: "Value" },
              { label: "Meaning", isExtra: true },
            ]}
          >
            {settings.map((setting) => (
              <SettingRow {...setting} />
            ))}
          </Table>
        </section>
      ))}
    </ConsolePage>
  );
}

function SettingRow({ name, value, fallback, meaning }: ShownSetting) {
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
      </th>
      <td class="cell-url">
        {value === "" ? (
          <span class="muted">not set</span>
        ) : (
          <code class="url">
            <bdi>{value}</bdi>
          </code>
        )}
        {value !== fallback && value !== "" && (
          <>
            {" "}
            <span class="badge badge-info">changed</span>
          </>
        )}
      </td>
      <td class="extra muted">{meaning}</td>
    </tr>
  );
}
