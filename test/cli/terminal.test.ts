import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { freePort } from "../support/ports.ts";
import { ROOT } from "../support/program.ts";
import { openShell } from "../support/shell.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);
const shell = openShell();
afterAll(() => shell.remove());

/** A start in a terminal, and Ctrl-C once it runs: the lines that stood there. */
async function startInTerminal(settings: Record<string, string>): Promise<string[]> {
  const port = await freePort();
  let shown = "";
  const child = Bun.spawn([process.execPath, join(ROOT, "src/main.ts"), "start"], {
    cwd: shell.folder,
    env: { ...shell.env, PORT: `${port}`, ...settings },
    terminal: {
      cols: 200,
      data: (_terminal, data) => {
        shown += new TextDecoder().decode(data);
      },
    },
  });
  await until(() => child.exitCode !== null || shown.includes("Add a seed"), { timeoutMs: 40_000 });
  child.terminal!.write("\u0003");
  expect(await child.exited).toBe(0);
  child.terminal!.close();
  return stripVTControlCharacters(shown).split(/\r?\n/).filter(Boolean);
}

test("on a terminal the lines for people stand alone, unless LOG_LEVEL asks for more", async () => {
  const lines = await startInTerminal({});
  expect(lines.filter((line) => line.startsWith("{"))).toEqual([]);
  expect(lines.join("\n")).toMatch(
    /Making a database[\s\S]*is ready[\s\S]*Console[\s\S]*Add a seed/,
  );
  const asked = await startInTerminal({ LOG_LEVEL: "info" });
  expect(asked.some((line) => line.includes('"event":"postgres.held"'))).toBe(true);
});
