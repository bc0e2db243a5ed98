import { describe, expect, test } from "bun:test";
import { createActor, SimulatedClock, toPromise } from "xstate";
import {
  type Chosen,
  type Fetched,
  hostMachine,
  type Step,
  type TurnEnd,
} from "../../src/actors/host.ts";
import { settle } from "../support/clock.ts";

interface Script {
  resolve?: Step;
  choices: Chosen[];
  fetches?: Fetched[];
}

const url = (id: number): Chosen => ({ kind: "go", target: { kind: "page", id } });
const over = (end: TurnEnd): { kind: "over"; end: TurnEnd } => ({ kind: "over", end });
const exhausted = over({ kind: "exhausted" });

function play({ resolve = { kind: "go" }, choices, fetches = [] }: Script) {
  const clock = new SimulatedClock();
  const told: string[] = [];
  const actor = createActor(
    hostMachine.provide({
      actions: {
        resolve: ({ self }) => {
          told.push("resolve");
          queueMicrotask(() => self.send({ type: "resolved", step: resolve }));
        },
        choose: ({ self }) => {
          told.push("choose");
          const step = choices.shift() ?? exhausted;
          queueMicrotask(() => self.send({ type: "chosen", step }));
        },
        fetch: ({ self, context }) => {
          told.push(`fetch ${context.target?.id}`);
          const step = fetches.shift() ?? { kind: "go", gapMs: 1_000 };
          const isBug = step.kind === "over" && step.end.kind === "crashed";
          queueMicrotask(() =>
            self.send(
              isBug ? { type: "crashed", error: new Error("bug") } : { type: "fetched", step },
            ),
          );
        },
        prepare: () => told.push("prepare"),
      },
    }),
    { clock },
  );
  const end = toPromise(actor);
  actor.start();
  return { actor, clock, told, end };
}

describe("host actor", () => {
  test("keeps the gap between two requests, and prepares while it runs", async () => {
    const { clock, told, end, actor } = play({ choices: [url(1), url(2)] });
    await settle();
    expect(told).toEqual(["resolve", "choose", "fetch 1", "prepare"]);
    expect(actor.getSnapshot().value).toBe("cooling");
    clock.increment(999);
    await settle();
    expect(told).toHaveLength(4);
    clock.increment(1);
    await settle();
    expect(told.slice(4)).toEqual(["choose", "fetch 2", "prepare"]);
    clock.increment(1_000);
    expect(await end).toEqual({ kind: "exhausted" });
  });

  test("without a gap it does not wait", async () => {
    const { told, end } = play({
      choices: [url(1), url(2), url(3)],
      fetches: [0, -5, 0].map((gapMs) => ({ kind: "go", gapMs })),
    });
    expect(await end).toEqual({ kind: "exhausted" });
    expect(told).not.toContain("prepare");
    expect(told.filter((step) => step.startsWith("fetch"))).toHaveLength(3);
  });

  const ENDS: [string, Script, TurnEnd][] = [
    [
      "no address",
      { resolve: over({ kind: "unreachable", why: "dns" }), choices: [] },
      { kind: "unreachable", why: "dns" },
    ],
    [
      "robots cannot be had",
      { choices: [over({ kind: "waiting for robots", why: "503", retryAt: 5, counts: true })] },
      { kind: "waiting for robots", why: "503", retryAt: 5, counts: true },
    ],
    [
      "throttled",
      {
        choices: [url(1)],
        fetches: [over({ kind: "throttled", status: 429, retryAfterMs: null })],
      },
      { kind: "throttled", status: 429, retryAfterMs: null },
    ],
    [
      "our own mistake is an end like any other",
      { choices: [url(1)], fetches: [over({ kind: "crashed", why: "bug" })] },
      { kind: "crashed", why: "bug" },
    ],
  ];
  test.each(ENDS)("over: %s", async (_name, script, wanted) => {
    const { end, told } = play(script);
    expect(await end).toEqual(wanted);
    if (script.resolve) expect(told).toEqual(["resolve"]);
  });

  test("stop and halt end it from any state, and nothing is asked after", async () => {
    const { actor, clock, told, end } = play({ choices: [url(1), url(2)] });
    await settle();
    actor.send({ type: "halt", end: { kind: "part down", part: "index" } });
    expect(await end).toEqual({ kind: "part down", part: "index" });
    const before = told.length;
    clock.increment(10_000);
    await settle();
    expect(told).toHaveLength(before);

    const other = play({ choices: [url(1)] });
    other.actor.send({ type: "stop" });
    expect(await other.end).toEqual({ kind: "stopped" });
    await settle();
    expect(other.told).not.toContain("fetch 1");
  });
});
