import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { Model } from "../../src/enrich/model.ts";
import { summarise } from "../../src/enrich/summarise.ts";
import { type OllamaDouble, type OllamaMode, startOllama } from "../support/ollama.ts";

const LIMITS = { answerMs: 300, probeMs: 300 };
const PAGE = { title: "Tides", text: "The sea comes and goes. ".repeat(20), lang: "en" };

const never = new AbortController().signal;
const double: OllamaDouble = await startOllama();
afterAll(() => double.stop());
beforeEach(() => {
  double.mode = "normal";
});
const answer = double.answer;
afterEach(() => {
  double.answer = answer;
});

const model = new Model({ url: double.url, model: "tiny" }, LIMITS);
const ask = (by = model) => summarise(by, PAGE, never);

test("a page in, its summary out", async () => {
  double.answer = () => '<think>Hm.</think>\n "It says\u0000 how the sea **moves**."';
  expect(await ask()).toEqual({ kind: "summary", summary: "It says how the sea moves ." });
  const { messages, stream, options } = double.asked.at(-1)!;
  expect([stream, options?.num_predict]).toEqual([false, 160]);
  expect(messages.map(({ role }) => role)).toEqual(["system", "user"]);
});

test.each([
  ["broken", "failed"],
  ["odd", "failed"],
  ["failing", "failed"],
  ["dropping", "failed"],
  ["endless", "failed"],
  ["silent", "failed"],
] as [OllamaMode, string][])(
  "a server that is %s: %s, in time, and nothing is thrown",
  async (mode, kind) => {
    double.mode = mode;
    const began = performance.now();
    expect((await ask()).kind).toBe(kind as "failed");
    expect(performance.now() - began).toBeLessThan(2_000);
  },
);

test("a slow answer within its time is one", async () => {
  double.mode = "slow";
  double.slowMs = 100;
  expect((await ask()).kind).toBe("summary");
});

test("no server and no such model are nobody's fault: away", async () => {
  expect((await ask(new Model({ url: "http://127.0.0.1:1", model: "tiny" }, LIMITS))).kind).toBe(
    "away",
  );
  expect((await ask(new Model({ url: double.url, model: "other" }, LIMITS))).kind).toBe("away");
});

test("stopped in the middle of a question it ends at once", async () => {
  double.mode = "silent";
  const stop = new AbortController();
  const asked = summarise(model, PAGE, stop.signal);
  stop.abort();
  expect(await asked).toEqual({ kind: "away", detail: "stopped" });
});

test("an empty answer is no summary", async () => {
  double.answer = () => "<think>I had rather not";
  expect((await ask()).kind).toBe("failed");
});

test("health: up, no such model, nobody there", async () => {
  expect((await model.health()).kind).toBe("up");
  const other = new Model({ url: double.url, model: "other" }, LIMITS);
  expect(await other.health()).toMatchObject({ kind: "no model" });
  const nobody = new Model({ url: "http://me:secret@127.0.0.1:1", model: "tiny" }, LIMITS);
  const health = await nobody.health();
  expect(health.kind).toBe("down");
  expect(JSON.stringify(health)).not.toContain("secret");
});
