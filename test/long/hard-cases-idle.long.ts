import { expect, test } from "bun:test";
import { startCrawl } from "../support/crawl.ts";
import { startOrigin, status } from "../support/origin.ts";
import { pause } from "../support/pause.ts";
import { until } from "../support/until.ts";

const HOSTS = 60;
const WAIT_S = 15;
const FIRST_S = 12;
const MEASURED_MS = 3_000;

test("14: every host in back-off: it sleeps to the first that may be asked, and goes on", async () => {
  const origin = startOrigin();
  const crawl = await startCrawl({ CRAWL_DELAY_MS: "50" });
  const { sql } = crawl.database;
  try {
    const hosts = Array.from({ length: HOSTS }, (_, n) => `127.0.5.${n + 1}`);
    const [first] = hosts as [string];
    for (const host of hosts) {
      const seconds = host === first ? FIRST_S : WAIT_S;
      const busy = () => status(429, { "retry-after": `${seconds}` });
      origin.host(host, { "/": ({ nth }) => (nth === 1 ? busy() : `front of ${host}`) });
    }
    await crawl.seed(...hosts.map((host) => origin.url(host)));
    const asleep = async () => {
      const [row] = await sql`select count(*)::int as hosts from hosts
        where state = 'backing_off' and turn_token is null`;
      return row!.hosts === HOSTS;
    };
    await until(asleep, { timeoutMs: 20_000, what: "every host in back-off" });
    // A session of Postgres tells what it did up to a second later.
    await pause(2_000);
    const before = origin.accesses.length;
    const work = await workDuring(sql, MEASURED_MS);
    console.log(JSON.stringify(work));
    expect(work.processor).toBeLessThan(0.25);
    expect(work.statementsPerS).toBeLessThan(100);
    expect(origin.accesses.length).toBe(before);
    await until(() => origin.asked(first).length === 2, { timeoutMs: 20_000 });
    const [refused, again] = origin.asked(first);
    expect(again!.t0 - refused!.t1).toBeGreaterThanOrEqual(FIRST_S * 1_000);
    const others = hosts.slice(1).flatMap((host) => origin.asked(host).slice(1));
    expect(others.filter(({ t0 }) => t0 < again!.t0)).toEqual([]);
    const over = async () => (await crawl.index.count()) === HOSTS;
    await until(over, { timeoutMs: 30_000, what: "every page" });
  } finally {
    await crawl.stop();
    await origin.stop();
  }
}, 90_000);

/** Share of one processor that this process takes, and transactions of the database. */
async function workDuring(sql: import("postgres").Sql, ms: number) {
  const commits = async () => {
    const [row] = await sql`select pg_stat_force_next_flush()::text,
      (select xact_commit from pg_stat_database where datname = current_database())::int as n`;
    return row!.n as number;
  };
  const beganAt = performance.now();
  const [used, done] = [process.cpuUsage(), await commits()];
  await pause(ms);
  const { user, system } = process.cpuUsage(used);
  const seconds = (performance.now() - beganAt) / 1_000;
  return {
    processor: (user + system) / 1e6 / seconds,
    statementsPerS: ((await commits()) - done) / seconds,
  };
}
