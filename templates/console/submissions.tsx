/** @jsxRuntime automatic @jsxImportSource preact */
import type { Slice, SubmissionRow } from "../../src/http/deps.ts";
import type { Chrome } from "../layout.tsx";
import { Link } from "../link.tsx";
import { Time } from "../time.tsx";
import { address } from "./address.ts";
import { ConsolePage, Refresh } from "./console-page.tsx";
import { PostButton } from "./form.tsx";
import type { NoticeText } from "./notice.tsx";
import { Empty, Pager, Table } from "./table.tsx";

export interface SubmissionsProps {
  chrome: Chrome;
  filter: { state: SubmissionRow["state"]; page: number; perPage: number };
  submissions: Slice<SubmissionRow>;
  notice: NoticeText | null;
  now: Date;
}

const DEFAULTS = { state: "review", page: 1 } as const;

const TABS: readonly (readonly [state: SubmissionRow["state"], label: string, empty: string])[] = [
  ["review", "Waiting", "Nothing waits for a decision"],
  ["accepted", "Accepted", "Nothing was accepted yet"],
  ["refused", "Refused", "Nothing was refused yet"],
];

export function SubmissionsPage(props: SubmissionsProps) {
  const { chrome, filter, submissions, notice } = props;
  const here = (more: { page?: number; state?: string } = {}) =>
    address("/admin/submissions", { state: filter.state, page: filter.page, ...more }, DEFAULTS);
  return (
    <ConsolePage
      chrome={chrome}
      title="Submissions"
      notice={notice}
      aside={<Refresh href={here()} />}
    >
      <nav class="tabs" aria-label="State">
        {TABS.map(([state, label]) => (
          <a
            href={here({ state, page: 1 })}
            {...(state === filter.state ? { "aria-current": "page" as const } : {})}
          >
            {label}
          </a>
        ))}
      </nav>
      {submissions.rows.length === 0 ? (
        <Empty title={TABS.find(([state]) => state === filter.state)?.[2] ?? ""}>
          People add pages at <a href="/submit">/submit</a>; those out of scope come here.
        </Empty>
      ) : (
        <>
          <SubmissionsTable {...props} />
          <Pager filter={filter} slice={submissions} href={(page) => here({ page })} />
        </>
      )}
    </ConsolePage>
  );
}

function SubmissionsTable({ chrome, filter, submissions, now }: SubmissionsProps) {
  const isOpen = filter.state === "review";
  return (
    <Table
      label="Submissions"
      columns={[
        { label: "URL" },
        { label: "Why it waits" },
        { label: "Submitted" },
        { label: isOpen ? "Decision" : "Decided" },
      ]}
    >
      {submissions.rows.map((row) => (
        <tr>
          <th scope="row" class="cell-url">
            <Link href={row.url} />
          </th>
          <td>
            <bdi>{row.reason ?? "–"}</bdi>
          </td>
          <td class="nowrap">
            <Time at={row.submittedAt} now={now} />
          </td>
          <td>
            {isOpen ? (
              <div class="actions">
                <PostButton
                  chrome={chrome}
                  action={`/admin/submissions/${row.id}/accept`}
                  label="Accept"
                />
                <PostButton
                  chrome={chrome}
                  action={`/admin/submissions/${row.id}/refuse`}
                  label="Refuse"
                  tone="danger"
                />
              </div>
            ) : (
              <>
                <Time at={row.decidedAt} now={now} /> <bdi class="muted">{row.decidedBy}</bdi>
              </>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
