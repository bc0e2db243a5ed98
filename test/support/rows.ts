import { eq } from "drizzle-orm";
import type { Db } from "../../src/db/connect.ts";
import type { HostRow } from "../../src/db/hosts.ts";
import { readUrlByKey } from "../../src/db/operate-urls.ts";
import { hosts } from "../../src/db/schema/hosts.ts";
import { canonicalUrl, urlKey } from "../../src/url/canonical.ts";
import type { TestCrawl } from "./crawl.ts";

/** The row of a host, which must be there. */
export async function hostNamed(db: Db, name: string): Promise<HostRow> {
  const [row] = await db.select().from(hosts).where(eq(hosts.name, name));
  if (!row) throw new Error(`no host ${name}`);
  return row;
}

export async function hostOf({ database }: TestCrawl, name: string): Promise<HostRow> {
  return await hostNamed(database.db, name);
}

/** The row of a URL; null when it is not known. */
export async function findUrl({ database }: TestCrawl, url: string) {
  const canonical = canonicalUrl(url);
  if (canonical.kind === "refused") throw new Error(`${url} is no URL`);
  return await readUrlByKey(database.db, urlKey(canonical.url));
}

export async function urlOf(crawl: TestCrawl, url: string) {
  const row = await findUrl(crawl, url);
  if (!row) throw new Error(`no URL ${url}`);
  return row;
}

export async function isCrawled(crawl: TestCrawl, url: string): Promise<boolean> {
  return ((await findUrl(crawl, url))?.crawledAt ?? null) !== null;
}

/** As if `ms` had passed for a host: its times lie so much earlier. */
export async function shift({ database }: TestCrawl, name: string, ms: number): Promise<void> {
  const by = database.sql`${ms} * interval '1 ms'`;
  await database.sql`update hosts set next_turn_at = next_turn_at - ${by},
    next_fetch_at = next_fetch_at - ${by} where name = ${name}`;
}
