/**
 * A program that holds the embedded Postgres, for tests that kill it:
 * `bun embedded-process.ts DATA_DIR`. Prints one JSON line; SIGINT or SIGTERM: leaves properly.
 */
import { startEmbedded } from "../../src/db/embedded.ts";
import { silentLog } from "../../src/log.ts";

const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error("usage: embedded-process.ts DATA_DIR");

let stop = async () => {};
const leave = () => void stop().then(() => process.exit(0));
process.on("SIGINT", leave);
process.on("SIGTERM", leave);

const started = await startEmbedded({ dataDir, log: silentLog });
console.log(JSON.stringify(started));
if (started.kind !== "running") process.exit(1);
stop = started.stop;
setInterval(() => {}, 60_000);
