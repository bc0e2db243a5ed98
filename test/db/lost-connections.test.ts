import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { type Database, openDatabase } from "../../src/db/connect.ts";
import { type Embedded, startEmbedded } from "../../src/db/embedded.ts";
import { isOutage } from "../../src/db/store-errors.ts";
import { silentLog } from "../../src/log.ts";
import { killPostgresOf } from "../support/outage.ts";
import { until } from "../support/until.ts";

const LATE_MS = 4_000;

describe("a pool whose server is killed under it", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-test-"));
  let embedded: Embedded;
  let database: Database;

  beforeAll(async () => {
    const started = await startEmbedded({ dataDir, log: silentLog });
    if (started.kind !== "running") throw new Error(started.message);
    embedded = started;
    database = await openDatabase({ url: embedded.url, max: 4 });
  }, 60_000);

  afterAll(async () => {
    await database.close();
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }, 30_000);

  const statement = () => database.db.execute(sql`select pg_sleep(0.005)`);
  const transaction = () =>
    database.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_sleep(0.005)`);
      await tx.execute(sql`select pg_sleep(0.005)`);
    });

  test("fails at once, not by hanging, and is whole again as soon as the server is", async () => {
    for (let round = 0; round < 3; round++) {
      let isOver = false;
      const seen: { ms: number; error: unknown }[] = [];
      const keepAsking = async (ask: () => Promise<unknown>) => {
        while (!isOver) {
          const began = performance.now();
          const error = await ask().then(
            () => null,
            (reason: unknown) => reason,
          );
          seen.push({ ms: performance.now() - began, error });
          await new Promise(setImmediate);
        }
      };
      const busy = [...Array(6)].flatMap(() => [keepAsking(statement), keepAsking(transaction)]);
      await until(() => seen.length > 200);
      killPostgresOf(dataDir);
      await until(() => seen.some(({ error }) => error !== null));
      await until(
        () => seen.length > 500 && seen.slice(-200).every(({ error }) => error === null),
        {
          timeoutMs: 20_000,
          what: "200 answers in a row",
        },
      );
      isOver = true;
      await Promise.all(busy);
      expect(seen.filter(({ error }) => error !== null && !isOutage(error))).toEqual([]);
      expect(Math.max(...seen.map(({ ms }) => ms))).toBeLessThan(LATE_MS);
    }
  }, 60_000);
});
