import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { limitFor, type Needs, turnsThatFit } from "../../src/cli/turns-fit.ts";
import { ROOT } from "../support/program.ts";
import { openShell } from "../support/shell.ts";

setDefaultTimeout(60_000);
const shell = openShell();
afterAll(() => shell.remove());

const DEFAULT: Needs = { turns: 256, hostConcurrency: 1, parseThreads: 3, web: true };

/** open files allowed, needs, turns, why */
const ROWS: [number, Partial<Needs>, number, string][] = [
  [Number.POSITIVE_INFINITY, { turns: 10_000 }, 10_000, "no limit"],
  [1_024, {}, 256, "the usual limit and the default settings"],
  [1_024, { turns: 1_000 }, 295, "more turns than that"],
  [1_024, { hostConcurrency: 8 }, 88, "several requests a turn"],
  [256, {}, 39, "a small limit"],
  [256, { web: false }, 61, "without readers"],
  [110, { web: false }, 12, "a tiny one"],
  [110, {}, 0, "the parts alone take it all"],
  [149, { turns: 2 }, 2, "two were wanted"],
  [149, {}, 4, "just enough"],
  [148, {}, 0, "no crawl worth its name"],
];

test.each(ROWS)("of %d open files, %j: %d turns (%s)", (limit, needs, turns, _why) => {
  expect(turnsThatFit(limit, { ...DEFAULT, ...needs })).toBe(turns);
});

test("the limit that is asked for is enough, one less is not", () => {
  for (const turns of [1, 4, 256, 3_000]) {
    const needs = { ...DEFAULT, turns };
    expect(turnsThatFit(limitFor(needs), needs)).toBe(turns);
    expect(turnsThatFit(limitFor(needs) - 1, needs)).toBeLessThan(turns);
  }
});

test.each([["start"], ["crawl --until-idle"]])(
  "%s: told how to mend it, nothing begun",
  async (line) => {
    const command = `ulimit -n 70 && exec ${process.execPath} src/main.ts ${line}`;
    const child = Bun.spawn(["sh", "-c", command], {
      cwd: ROOT,
      env: shell.env,
      stdout: "pipe",
      stderr: "pipe",
    });
    const [code, err] = await Promise.all([child.exited, new Response(child.stderr).text()]);
    expect(code).toBe(1);
    expect(err).toContain("only 70 open files are allowed, too few to crawl with");
    expect(err).toMatch(/allow \d+ open files \(ulimit -n; LimitNOFILE= of systemd\)/);
    expect(existsSync(shell.env.DATA_DIR!)).toBe(false);
  },
);
