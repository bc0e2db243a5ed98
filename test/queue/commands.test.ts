import { expect, test } from "bun:test";
import { runCommand } from "../../src/queue/commands.ts";
import { countWaiting } from "../../src/queue/enqueue.ts";
import { aborted, describeCarried } from "./carriers.ts";

describeCarried("commands", (carried) => {
  const patient = { pickupMs: 5_000, timeoutMs: 10_000 };

  test("the answer comes back", async () => {
    carried.work("commands", async ({ command, args }) => ({
      kind: "done",
      result: { command, args },
    }));
    const answer = await runCommand(carried.backend, "reindex", { full: true }, patient);
    const result = { command: "reindex", args: { full: true } };
    expect(answer).toEqual({ kind: "done", result });
  });

  test("so does a failure, and a bug", async () => {
    carried.work("commands", async ({ command }) => {
      if (command === "bug") throw new Error("a bug");
      return { kind: "failed", message: "no such index" };
    });
    const [failed, bug] = await Promise.all([
      runCommand(carried.backend, "reindex", null, patient),
      runCommand(carried.backend, "bug", null, patient),
    ]);
    expect(failed).toEqual({ kind: "failed", message: "no such index" });
    expect(bug).toEqual({ kind: "failed", message: "a bug" });
  });

  test("nobody there: it is taken back", async () => {
    const answer = await runCommand(carried.backend, "reindex", null, {
      pickupMs: 300,
      timeoutMs: 5_000,
    });
    expect(answer).toEqual({ kind: "nobody" });
    expect(await countWaiting(carried.backend, "commands")).toBe(0);
  });

  test("taken, but not answered in time", async () => {
    carried.work("commands", async (_, signal) => {
      await aborted(signal);
      return { kind: "done" };
    });
    const answer = await runCommand(carried.backend, "reindex", null, {
      pickupMs: 3_000,
      timeoutMs: 500,
    });
    expect(answer).toEqual({ kind: "timeout" });
  });
});
