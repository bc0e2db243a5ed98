import { expect, test } from "bun:test";
import { DrizzleQueryError } from "drizzle-orm";
import { causeFirst, createLog } from "../src/log.ts";

const cause = Object.assign(new Error("terminating connection"), { code: "57P01" });
const query = `select "${"column".repeat(100)}" from urls\n where id = any($1)`;
const failed = new DrizzleQueryError(query, [crypto.randomUUID(), "secret"], cause);

test("the cause comes first, the query is cut, its parameters are left out", () => {
  const line = causeFirst(failed);
  expect(line).toStartWith("57P01 Error: terminating connection < Error: Failed query: select");
  expect(line.length).toBeLessThan(300);
  expect(line).not.toContain("secret");
});

test("whatever is thrown is one line", () => {
  expect(causeFirst("a\nb")).toBe("a b");
  expect(causeFirst(undefined)).toBe("");
  expect(causeFirst(new TypeError("no\nsuch thing"))).toBe("TypeError: no such thing");
  const circle = new Error("circle");
  circle.cause = circle;
  expect(causeFirst(circle).split(" < ")).toHaveLength(4);
});

test("an error in a field of the log: its cause, its query cut, and where it came from", () => {
  const lines: string[] = [];
  createLog("info", (line) => void lines.push(line)).error("visit.crashed", { error: failed });
  const { error } = JSON.parse(lines[0]!);
  expect(error).toStartWith("57P01 Error: terminating connection < ");
  expect(error).not.toContain("secret");
  expect(error).toContain("log.test.ts");
});
