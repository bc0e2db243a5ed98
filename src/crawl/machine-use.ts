import type { Db } from "../db/connect.ts";
import { readRobots } from "../db/robots.ts";
import { parseRobots } from "../parse/robots.ts";
import type { CanonicalUrl } from "../url/canonical.ts";
import { authority } from "../url/host.ts";

/**
 * Of these pages those that a language model may have, by the robots.txt of their authority as it
 * was last read. What a page says itself stands in its document (`noai`). Where robots.txt never
 * answered nobody has said that it may.
 */
export async function allowsAiInput(
  db: Db,
  urls: readonly string[],
  robotsToken: string,
): Promise<Set<string>> {
  const byAuthority = Map.groupBy(urls, (url) => authority(url as CanonicalUrl));
  const rows = await readRobots(db, [...byAuthority.keys()]);
  const refused = new Set<string>(
    rows
      .filter(
        ({ authority: of, status, body }) =>
          status === null || parseRobots(body ?? "", of, robotsToken).signals.aiInput === false,
      )
      .map((row) => row.authority),
  );
  return new Set(urls.filter((url) => !refused.has(authority(url as CanonicalUrl))));
}
