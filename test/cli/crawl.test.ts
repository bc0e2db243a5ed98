import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { testDatabaseUrl } from "../support/database.ts";
import { runCommand } from "../support/program.ts";
import { jsonOf, openShell, type Shell } from "../support/shell.ts";

setDefaultTimeout(60_000);
let shell: Shell;
beforeAll(async () => {
  shell = openShell({ DATABASE_URL: await testDatabaseUrl() });
  expect((await shell.run("seed", "http://h.example/")).code).toBe(0);
});
afterAll(() => shell.remove());

const crawl = (settings: Record<string, string>, ...args: string[]) =>
  runCommand(["crawl", "--until-idle", ...args], { ...shell.env, ...settings });

test("whose carrier stays away says so, and ends with 3 after its grace", async () => {
  const env = { REDIS_URL: "redis://127.0.0.1:1/", CARRIER_GRACE_MS: "1000" };
  const ran = await crawl(env, "--json");
  const message = "the carrier stayed away: nothing to crawl without it";
  expect([ran.code, jsonOf(ran)]).toEqual([3, { error: { code: "carrier_lost", message } }]);
  expect(ran.err).toMatch(/^waiting: the carrier does not answer.*\n/);
});

test("that is parked for another reason says why it waits", async () => {
  const ran = await crawl({ DISK_MIN_FREE_MB: "1000000000" }, "--max-seconds", "2");
  expect([ran.code, ran.out]).toEqual([0, expect.stringMatching(/^0 pages in .*: seconds\n$/)]);
  expect(ran.err).toBe("waiting: the disk has less free than DISK_MIN_FREE_MB\n");
});
