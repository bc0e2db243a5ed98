/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { Slice } from "../../src/http/deps.ts";
import { count } from "../format.ts";
import { Scroll } from "./scroll.tsx";

export interface Column {
  label: string;
  /** Where a click on the heading leads; null: not sortable. */
  sort?: { href: string; direction: "ascending" | "descending" | null };
  isNumber?: boolean;
  /** Left out where the screen is narrow. */
  isExtra?: boolean;
}

/** A table that scrolls on its own when it is wider than the screen. */
export function Table(props: {
  label: string;
  columns: readonly Column[];
  children: ComponentChildren;
}) {
  return (
    <Scroll label={props.label} class="table-scroll">
      <table>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <Heading {...column} />
            ))}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </Scroll>
  );
}

function Heading({ label, sort, isNumber, isExtra }: Column) {
  const direction = sort?.direction;
  return (
    <th
      scope="col"
      class={cellClass(isNumber, isExtra)}
      {...(direction ? { "aria-sort": direction } : {})}
    >
      {sort ? (
        <a class="sort" href={sort.href}>
          {label}
          <span class="sort-arrow" aria-hidden="true">
            {direction === "ascending" ? "▲" : direction === "descending" ? "▼" : ""}
          </span>
        </a>
      ) : (
        label
      )}
    </th>
  );
}

export const cellClass = (isNumber = false, isExtra = false): string =>
  [isNumber && "number", isExtra && "extra"].filter(Boolean).join(" ");

/** Instead of a table without rows: what would be here, and how it comes to be. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children && <p>{children}</p>}
    </div>
  );
}

/** Further back a filter serves better than turning pages. */
const PAGES_MAX = 2_000;

/** Where a list stands, and the ways to its neighbours. */
export function Pager(props: {
  filter: { page: number; perPage: number };
  slice: Slice<unknown>;
  href(page: number): string;
}) {
  const { page, perPage } = props.filter;
  const { rows, total, hasMore } = props.slice;
  const { href } = props;
  const shown = rows.length;
  const first = (page - 1) * perPage + 1;
  const range = shown === 0 ? "nothing" : `${count(first)}–${count(first + shown - 1)}`;
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 && (
        <a class="button button-quiet" rel="prev" href={href(page - 1)}>
          Previous
        </a>
      )}
      <span class="muted">
        {range}
        {total !== null && ` of ${count(total)}`}
      </span>
      {hasMore && page < PAGES_MAX && (
        <a class="button button-quiet" rel="next" href={href(page + 1)}>
          Next
        </a>
      )}
    </nav>
  );
}
