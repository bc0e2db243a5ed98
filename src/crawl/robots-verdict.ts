import type { RobotsRow } from "../db/robots.ts";
import { parseRobots } from "../parse/robots.ts";

export type RobotsView = "allowed" | "disallowed" | "waiting" | "unknown";

/** What the rules in force say of a URL; `row` is that of its authority. */
export function robotsVerdict(row: RobotsRow | undefined, url: string, token: string): RobotsView {
  if (!row) return "unknown";
  if (row.status === null) return "waiting";
  const { isAllowed } = parseRobots(row.body ?? "", row.authority, token);
  return isAllowed(url) ? "allowed" : "disallowed";
}

/** The same of the front page of a host: the strictest of its authorities. */
export function frontPageVerdict(rows: readonly RobotsRow[], token: string): RobotsView {
  const said = rows.map((row) => robotsVerdict(row, frontPage(row.authority), token));
  const strictest = (["waiting", "disallowed", "allowed"] as const).find((each) =>
    said.includes(each),
  );
  return strictest ?? "unknown";
}

/** Of an authority, whose port is always written, the front page as a URL is written. */
function frontPage(authority: string): string {
  return new URL(`${authority}/`).href;
}
