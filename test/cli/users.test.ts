import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { testDatabaseUrl } from "../support/database.ts";
import { ROOT } from "../support/program.ts";
import { openShell, type Shell } from "../support/shell.ts";

setDefaultTimeout(30_000);
let shell: Shell;
beforeAll(async () => {
  shell = openShell({ DATABASE_URL: await testDatabaseUrl() });
});
afterAll(() => shell.remove());

/** `users passwd nobody --stdin` with this on a stdin that stays open, as a terminal's does. */
async function type(text: string) {
  const command = [join(ROOT, "src/main.ts"), "users", "passwd", "nobody", "--stdin"];
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: shell.folder,
    env: shell.env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  child.stdin.write(text);
  await child.stdin.flush();
  return {
    code: await child.exited,
    err: (await new Response(child.stderr).text()).split("\n")[0],
  };
}

const UNKNOWN = "nobody: there is no such account";
const LINES: [why: string, text: string, code: number, told: string][] = [
  ["a line", "correct horse\n", 1, UNKNOWN],
  ["a line as Windows ends it, and more", "12345678\r\nmore", 1, UNKNOWN],
  ["1,000 characters of two bytes", `${"é".repeat(1_000)}\n`, 1, UNKNOWN],
  ["1,001 characters", `${"x".repeat(1_001)}\n`, 2, "a password has 1000 characters at most"],
  ["a line without end", "x".repeat(50_000), 2, "a password has 1000 characters at most"],
  ["7 characters", "1234567\n8", 2, "a password has 8 characters or more"],
  ["a tabulator", "correct\thorse\n", 2, "a password has no control characters"],
];

test.each(LINES)("a new password is one line: %s", async (_why, text, code, told) => {
  expect(await type(text)).toEqual({ code, err: told });
});
