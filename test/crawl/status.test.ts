import { afterAll, expect, test } from "bun:test";
import type { Breaker, Health, PartName } from "../../src/crawl/breaker.ts";
import { createStatus } from "../../src/crawl/status.ts";
import { ROOM_FOR_ALL } from "../../src/db/admission-room.ts";
import { admitUrls } from "../../src/db/admit-urls.ts";
import { increment } from "../../src/db/counters.ts";
import { beat } from "../../src/db/workers.ts";
import { LEASE_TTL_MS } from "../../src/visit/heartbeat.ts";
import { ageWorker, candidate } from "../db/frontier.ts";
import { testDatabase } from "../support/database.ts";
import { MemoryIndex } from "../support/memory-index.ts";

const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());

/** Open and closed at will. */
class Switch implements Pick<Breaker, "open" | "health" | "onOpen"> {
  open: PartName | null = null;
  readonly #listeners: ((part: PartName) => void)[] = [];

  health(part: PartName): Health {
    return part === this.open ? "down" : "up";
  }

  onOpen(listener: (part: PartName) => void): () => void {
    this.#listeners.push(listener);
    return () => {};
  }

  trip(part: PartName): void {
    this.open = part;
    for (const listener of this.#listeners) listener(part);
  }
}

test("after an outage the figures are read anew, and who crawled before it is not called off", async () => {
  const breaker = new Switch();
  const index = new MemoryIndex();
  const room = { ...ROOM_FOR_ALL, hostUrlsMax: 1, frontierUrlsMax: 2 };
  const given = { db, index, breaker: breaker as unknown as Breaker, room, uptimeMs: () => 0 };
  const parts = { ...given, model: null };
  const status = createStatus(parts);
  const id = crypto.randomUUID();
  await beat(db, { id, hostname: "here", pid: 1, roles: ["crawl"] }, LEASE_TTL_MS);
  expect(await status()).toMatchObject({ crawl: { state: "running" }, urls: { pending: 0 } });

  breaker.trip("postgres");
  expect((await status()).crawl).toEqual({ state: "parked", reason: "postgres" });
  await ageWorker(db, id, 30_000);
  await admitUrls(db, [candidate("http://a.test/")]);
  breaker.open = null;
  expect(await status()).toMatchObject({ crawl: { state: "running" }, urls: { pending: 1 } });
  // Without an outage silence says what it always said.
  expect((await createStatus(parts)()).crawl.state).toBe("off");
});

test("tells which quotas are reached, and what was refused, by reason", async () => {
  const room = { hostUrlsMax: 2, frontierUrlsMax: 4 };
  const breaker = new Switch() as unknown as Breaker;
  const parts = { db, index: new MemoryIndex(), breaker, room, model: null };
  const status = () => createStatus({ ...parts, uptimeMs: () => 0 })();
  await admitUrls(db, [candidate("http://b.test/1")]);
  expect(await status()).toMatchObject({ full: { frontier: false, hosts: 0 }, refused: {} });
  await admitUrls(db, [candidate("http://b.test/2"), candidate("http://c.test/")]);
  await increment(db, { "refused.host full": 7, "refused.scope": 2, crawled: 3 });
  expect(await status()).toMatchObject({
    full: { frontier: true, hosts: 1 },
    refused: { "host full": 7, scope: 2 },
    crawled: 3,
  });
});

test("tells how many URLs were admitted from where; those taken back do not count", async () => {
  const breaker = new Switch() as unknown as Breaker;
  const parts = {
    db,
    index: new MemoryIndex(),
    breaker,
    room: ROOM_FOR_ALL,
    model: null,
    uptimeMs: () => 0,
  };
  const admitted = async () => (await createStatus(parts)()).admitted ?? {};
  const before = await admitted();
  const some = (via: "feed" | "sitemap") =>
    [1, 2, 3].map((n) => ({ ...candidate(`http://${via}.test/${n}`), via }));
  await admitUrls(db, some("feed"), [], { ...ROOM_FOR_ALL, hostUrlsMax: 2 });
  await admitUrls(db, [...some("sitemap"), ...some("feed")]);
  expect(await admitted()).toEqual({ ...before, feed: 3, sitemap: 3 });
});
