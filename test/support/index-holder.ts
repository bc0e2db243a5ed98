/**
 * A program that locks an index file against every writer until it is ended:
 * `bun index-holder.ts PATH`. Prints `held` once it has the lock.
 */
import { Database } from "bun:sqlite";

const path = process.argv[2];
if (path === undefined) throw new Error("usage: index-holder.ts PATH");
const db = new Database(path, { create: false, readwrite: true });
db.run("pragma busy_timeout = 30000");
db.run("begin exclusive");
console.log("held");
// Held by a name as well: a database that nothing refers to is closed by the collector.
setInterval(() => db.filename, 60_000);
