import type { RobotsRow } from "../db/robots.ts";
import { parseRobots } from "../parse/robots.ts";

export type RobotsView = "allowed" | "disallowed" | "waiting" | "unknown";

/** What the rules in force say of the front page of a host: the strictest of its authorities. */
export function robotsVerdict(rows: readonly RobotsRow[], token: string): RobotsView {
  if (rows.length === 0) return "unknown";
  if (rows.some((row) => row.status === null)) return "waiting";
  const isAllowed = (row: RobotsRow) =>
    parseRobots(row.body ?? "", row.authority, token).isAllowed(frontPage(row.authority));
  return rows.every(isAllowed) ? "allowed" : "disallowed";
}

/** Of an authority, whose port is always written, the front page as a URL is written. */
function frontPage(authority: string): string {
  return new URL(`${authority}/`).href;
}
