/** @jsxRuntime automatic @jsxImportSource preact */
import type { DocumentRow } from "../../src/http/deps.ts";
import { count } from "../format.ts";
import { Card } from "./card.tsx";
import { Facts } from "./facts.tsx";
import { cellClass, Table } from "./table.tsx";

/** How far a page is of the region, and what made it so; nothing where none was asked for. */
export function RegionCard({ document }: { document: DocumentRow | null }) {
  if (document === null || document.regionScore === null) return null;
  const { regionScore, region, category } = document;
  const locations = region?.locations ?? [];
  return (
    <Card id="url-region" title="Region">
      <Facts
        items={[
          ["Score", (regionScore / 1_000).toFixed(2)],
          ["Places named", locations.length === 0 ? null : <bdi>{locations.join(", ")}</bdi>],
          ["Category", category],
        ]}
      />
      {(region?.signals.length ?? 0) > 0 && <Signals signals={region!.signals} />}
    </Card>
  );
}

type Region = NonNullable<DocumentRow["region"]>;

function Signals({ signals }: { signals: Region["signals"] }) {
  return (
    <Table
      label="Signals of the region"
      columns={[
        { label: "Signal" },
        { label: "Found" },
        { label: "Times", isNumber: true },
        { label: "Points", isNumber: true },
      ]}
    >
      {signals.map(({ kind, matched, count: times, points }) => (
        <tr>
          <td>{kind}</td>
          <td>
            <bdi>{matched}</bdi>
          </td>
          <td class={cellClass(true)}>{count(times)}</td>
          <td class={cellClass(true)}>{points.toFixed(2)}</td>
        </tr>
      ))}
    </Table>
  );
}
