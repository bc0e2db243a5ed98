import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { BAD_SETTINGS } from "../support/bad-settings.ts";
import { runCommand } from "../support/program.ts";
import { jsonOf, openShell } from "../support/shell.ts";

setDefaultTimeout(30_000);
const shell = openShell();
afterAll(() => shell.remove());

describe("settings that cannot be used", () => {
  const env = { ...shell.env, ...BAD_SETTINGS };
  const names = Object.keys(BAD_SETTINGS).sort();

  test.each(["start", "status"])("%s: all told in one message, exit 2", async (command) => {
    const { code, out, err } = await runCommand([command], env, { cwd: shell.folder });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    const [title, ...lines] = err.split("\n");
    expect(title).toBe("settings that cannot be used:");
    const told = lines.flatMap((line) => /^ {2}([A-Z_]+): ./.exec(line)?.[1] ?? []);
    expect(told.sort()).toEqual(names);
    expect(err).toContain("See .env.example");
    expect(existsSync(shell.env.DATA_DIR!)).toBe(false);
  });

  test("one JSON value under --json", async () => {
    const ran = await runCommand(["status", "--json"], env, { cwd: shell.folder });
    const { error } = jsonOf<{ error: { code: string; message: string } }>(ran);
    expect([ran.code, error.code]).toEqual([2, "usage"]);
    for (const name of names) expect(error.message).toContain(`\n  ${name}: `);
  });

  test("those of .env too, and a secret is not repeated", async () => {
    writeFileSync(shell.path(".env"), "LOG_LEVEL=loud\nADMIN_PASSWORD=hunter2\n");
    const { code, err } = await shell.run("status");
    expect(code).toBe(2);
    expect(err).toContain('LOG_LEVEL: "loud"');
    expect(err).toContain("ADMIN_PASSWORD: ");
    expect(err).not.toContain("hunter2");
  });
});
