/**
 * A program with a worker on the queue `turns`, for tests that kill it:
 * `bun worker-process.ts REDIS_URL|- DATABASE_URL`. Prints `took ID` for each job, never ends one.
 */
import { silentLog } from "../../src/log.ts";
import { openBackend } from "../../src/queue/backend.ts";
import { startWorker } from "../../src/queue/worker.ts";

const [redisUrl, databaseUrl] = process.argv.slice(2);
const backend = await openBackend({
  redisUrl: redisUrl === "-" || redisUrl === undefined ? null : redisUrl,
  databaseUrl: databaseUrl ?? "",
  log: silentLog,
});
startWorker(
  backend,
  "turns",
  ({ hostId }) => {
    console.log(`took ${hostId}`);
    return new Promise(() => {});
  },
  { concurrency: 4, log: silentLog },
);
