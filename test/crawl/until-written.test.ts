import { expect, test } from "bun:test";
import { Breaker } from "../../src/crawl/breaker.ts";
import { untilWritten } from "../../src/crawl/until-written.ts";
import { silentLog } from "../../src/log.ts";
import { Heartbeat } from "../../src/visit/heartbeat.ts";
import { ManualClock } from "../support/clock.ts";

const lost = () => Object.assign(new Error("closed"), { code: "CONNECTION_CLOSED" });

function storeThatFails(times: number, error: () => Error = lost) {
  const clock = new ManualClock();
  const breaker = new Breaker({ postgres: async () => "up" }, clock, silentLog);
  const heartbeat = new Heartbeat(async () => ({ lost: false }), clock, silentLog);
  let tries = 0;
  const write = async () => {
    tries++;
    if (tries <= times) throw error();
    return "written";
  };
  const asked = (workerId = heartbeat.id) =>
    untilWritten({ breaker, clock, heartbeat }, workerId, write);
  return { clock, breaker, asked, tries: () => tries };
}

test("a store that is away for a while: again until it is written, and the crawl parks", async () => {
  const { clock, breaker, asked, tries } = storeThatFails(5);
  const answer = asked();
  await clock.advance(3_000);
  expect(await answer).toBe("written");
  expect([tries(), breaker.open]).toEqual([6, "postgres"]);
});

test("a lease that is lost meanwhile is others' to end", async () => {
  const { asked, tries } = storeThatFails(Number.POSITIVE_INFINITY);
  expect(await asked("an id that was given up")).toBeNull();
  expect(tries()).toBe(1);
});

test("what the store refuses is told, not asked again", async () => {
  const refusal = () => Object.assign(new Error("no such column"), { code: "42703" });
  const { asked, breaker } = storeThatFails(1, refusal);
  await expect(asked()).rejects.toThrow("no such column");
  expect(breaker.open).toBeNull();
});
