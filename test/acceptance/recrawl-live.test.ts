import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openDatabase } from "../../src/db/connect.ts";
import { testDatabaseUrl } from "../support/database.ts";
import { page, type Script, startOrigin, status } from "../support/origin.ts";
import { Program } from "../support/program.ts";
import { letPass } from "../support/time-lapse.ts";
import { until } from "../support/until.ts";

const HOST = "127.0.6.1";
const DAY_MS = 86_400_000;
const SOON_MS = 1_000;

const origin = startOrigin();
const url = await testDatabaseUrl();
const database = await openDatabase({ url, max: 2 });
const program = new Program({
  env: { DATABASE_URL: url, CRAWL_DELAY_MS: "0", FETCH_ALLOW_CIDRS: "127.0.0.0/8" },
});
let now: Script = () => page("a kingfisher");

setDefaultTimeout(60_000);
beforeAll(async () => {
  origin.host(HOST, { "/robots.txt": () => status(404), "/": (asked) => now(asked) });
  await program.start();
  await program.run("seed", origin.url(HOST));
  await until(() => isFound("kingfisher"), { timeoutMs: 20_000, what: "the page" });
});
afterAll(async () => {
  await program.stop();
  await database.close();
  await origin.stop();
});

async function isFound(word: string): Promise<boolean> {
  return (await program.api<{ total: number }>(`/api/search?q=${word}`)).total > 0;
}

/** Two days go by; gives how long after the page was asked for again `isTrue` came true, ms. */
async function afterNextVisit(isTrue: () => Promise<boolean>): Promise<number> {
  const asked = origin.asked(HOST).length;
  const isQuiet = async () =>
    (await database.sql`select from hosts where turn_token is not null`).length === 0;
  await until(isQuiet, { what: "the end of the turn" });
  await letPass(database.sql, 2 * DAY_MS);
  const visit = await until(() => origin.asked(HOST)[asked], { everyMs: 5, what: "a visit" });
  await until(isTrue, { everyMs: 10, what: "the index to know" });
  return Date.now() - visit.t0;
}

test("a change is searchable within a second of its fetch", async () => {
  now = () => page("a woodpecker");
  expect(await afterNextVisit(() => isFound("woodpecker"))).toBeLessThan(SOON_MS);
  expect(await isFound("kingfisher")).toBe(false);
});

test("a page that is gone is not found any more, within a second", async () => {
  now = () => status(410);
  const isGone = async () => !(await isFound("woodpecker"));
  expect(await afterNextVisit(isGone)).toBeLessThan(SOON_MS);
});

test("one that is there again is found again", async () => {
  await until(async () => (await database.sql`select from urls where state = 'failed'`).length > 0);
  now = () => page("a nightingale");
  await letPass(database.sql, 8 * DAY_MS);
  await until(() => isFound("nightingale"), { timeoutMs: 20_000, what: "the page" });
});
