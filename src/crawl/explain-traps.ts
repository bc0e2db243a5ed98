import type { Db } from "../db/connect.ts";
import type { HostRow } from "../db/hosts.ts";
import { readHostByName } from "../db/hosts.ts";
import { readTraps } from "../db/traps.ts";
import { storedRules } from "../frontier/host-traps.ts";
import type { CanonicalUrl } from "../url/canonical.ts";
import { hostName } from "../url/host.ts";
import { withoutParameters } from "../url/pattern.ts";
import type { Explanation } from "./explain.ts";
import { typedUrl } from "./typed-url.ts";

interface TrapsSaid {
  /** The pattern by which it is left alone, unless it has been visited; null: none is. */
  cut_by: string | null;
  /** What it is without the parameters that change nothing; null: it has none of those. */
  same_page_as: string | null;
}

/** What was learned of the traps of its host, as far as it meets a URL; null: nothing does. */
export async function trapsAt(
  db: Db,
  host: HostRow | null,
  url: CanonicalUrl,
): Promise<TrapsSaid | null> {
  if (host === null) return null;
  const [stored] = await readTraps(db, [host.id]);
  const { patterns, parameters } = stored!;
  const neutral = parameters.filter(({ neutralAt }) => neutralAt !== null);
  const names = neutral.map(({ name }) => name);
  const rules = storedRules(patterns, names);
  const bare = withoutParameters(url, rules.neutral);
  const cut = rules.cutOf(url);
  if (cut === null && bare === url) return null;
  return { cut_by: cut?.pattern ?? null, same_page_as: bare === url ? null : bare };
}

/** Of a URL that was never admitted: the trap that keeps it out; null: none does. */
export async function explainRefused(db: Db, text: string): Promise<Explanation | null> {
  const url = (await typedUrl(db, text)) as CanonicalUrl | null;
  const host = url === null ? null : await readHostByName(db, hostName(url));
  const traps = url === null ? null : await trapsAt(db, host, url);
  if (url === null || traps === null) return null;
  const { cut_by, same_page_as } = traps;
  const why =
    cut_by === null
      ? `not admitted: same page as ${same_page_as}`
      : `not admitted: pattern cut, pages of ${cut_by} brought nothing new`;
  return { url, state: "refused", traps, in_index: false, why };
}
