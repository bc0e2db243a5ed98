import type { TestCrawl } from "./crawl.ts";
import type { Origin } from "./origin.ts";
import { until } from "./until.ts";

/** Crawls a host from these paths until nothing of it is due. */
export async function crawlAll(
  crawl: TestCrawl,
  origin: Origin,
  host: string,
  ...paths: string[]
): Promise<void> {
  await crawl.seed(...paths.map((path) => origin.url(host, path)));
  const idle = async () => {
    const [row] = await crawl.database.sql`select count(*)::int as n from urls u
      join hosts h on h.id = u.host_id where h.name = ${host}
      and (u.state = 'in_progress' or u.state = 'pending' and u.next_crawl_at < now())`;
    return row!.n === 0;
  };
  await until(idle, { timeoutMs: 90_000, what: `all of ${host}` });
}
