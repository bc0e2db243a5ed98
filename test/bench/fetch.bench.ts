import { clientFor, knowing, requestFor } from "../fetch/client-for.ts";
import { startSite } from "../support/site.ts";

const HOSTS = 50;
const PAGES = 200;
const IN_FLIGHT = 64;
const COUNT = 30_000;

/**
 * Fetches of 12 kB pages from 50 addresses of one site, keep-alive. Prints one JSON
 * object: fetches a second, and the processor time of each, which says more where cores are shared.
 */
async function main(): Promise<void> {
  const site = await startSite({ hosts: HOSTS, pages: PAGES, links: 30, kb: 12 });
  if (site === null) return;
  const client = clientFor({ resolver: knowing({}) });
  let failed = 0;
  const run = async (count: number) => {
    let next = 0;
    const lane = async () => {
      while (next < count) {
        const n = next++;
        const url = site.page(n % HOSTS, (n * 7) % PAGES);
        const outcome = await client.fetch(requestFor(url, { timeoutMs: 15_000 }));
        if (outcome.kind !== "fetched") failed += 1;
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  };
  // each page is made once before the clock runs
  await run(HOSTS * PAGES);
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await run(COUNT);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    JSON.stringify({
      fetches_per_second: Math.round(COUNT / seconds),
      cpu_us_per_fetch: Math.round((user + system) / COUNT),
      failed,
    }),
  );
  await client.close();
  await site.stop();
}

if (import.meta.main) await main();
