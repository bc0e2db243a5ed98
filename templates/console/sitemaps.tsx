/** @jsxRuntime automatic @jsxImportSource preact */
import type { HostDetail } from "../../src/http/deps.ts";
import { count } from "../format.ts";
import { Time } from "../time.tsx";
import { type Column, cellClass, Empty, Table } from "./table.tsx";

type Sitemap = HostDetail["sitemaps"][number];

const ORIGINS: Readonly<Record<Sitemap["origin"], string>> = {
  robots: "robots.txt",
  link: "a page",
  index: "an index",
  seed: "a person",
};

const COLUMNS: readonly Column[] = [
  { label: "URL" },
  { label: "Kind" },
  { label: "Named by" },
  { label: "Read" },
  { label: "Next" },
  { label: "Entries", isNumber: true },
  { label: "Admitted", isNumber: true },
  { label: "Trouble" },
];

/** What a host is asked for to learn of its URLs. */
export function SitemapsTable({ sitemaps, now }: { sitemaps: readonly Sitemap[]; now: Date }) {
  if (sitemaps.length === 0) {
    return <Empty title="None known">robots.txt or a page may name one.</Empty>;
  }
  return (
    <Table label="Sitemaps and feeds" columns={[...COLUMNS]}>
      {sitemaps.map((sitemap) => (
        <tr>
          <td class="cell-url">
            <span class="url">
              <bdi>{sitemap.url}</bdi>
            </span>
          </td>
          <td>{sitemap.kind}</td>
          <td>{ORIGINS[sitemap.origin]}</td>
          <td class="nowrap">
            <Time at={sitemap.fetchedAt} now={now} />
          </td>
          <td class="nowrap">
            <Time at={sitemap.nextFetchAt} now={now} />
          </td>
          <td class={cellClass(true)}>{sitemap.entries === null ? "–" : count(sitemap.entries)}</td>
          <td class={cellClass(true)}>{count(sitemap.admitted)}</td>
          <td>{sitemap.reason === null ? "–" : <bdi>{sitemap.reason}</bdi>}</td>
        </tr>
      ))}
    </Table>
  );
}
