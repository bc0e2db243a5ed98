import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { jsonOf, openShell } from "../support/shell.ts";

setDefaultTimeout(30_000);
const shell = openShell();
afterAll(() => shell.remove());

/** Each misuse: the words that tell it, and the usage that goes with it. */
const MISUSED: [args: string[], told: RegExp, usage: string][] = [
  [[], /^no command given/, "Usage: trawl <command>"],
  [["bogus"], /^unknown command "bogus"/, "Usage: trawl <command>"],
  [["\u001b[31mred"], /^unknown command "\\u001b\[31mred"/, "Usage: trawl <command>"],
  [["--bogus", "status"], /^unknown option "--bogus"/, "Usage: trawl <command>"],
  [["status", "--bogus"], /option '--bogus'/, "Usage: trawl status"],
  [["status", "extra"], /unexpected argument "extra"/, "Usage: trawl status"],
  [["start", "now"], /unexpected argument "now"/, "Usage: trawl start"],
  [["start", "--roles", "nonsense"], /--roles: "nonsense"/, "Usage: trawl start"],
  [["start", "--roles", "web,nonsense"], /--roles: "web,nonsense"/, "Usage: trawl start"],
  [["start", "--roles="], /--roles: ""/, "Usage: trawl start"],
  [["start", "--roles"], /--roles.*missing/, "Usage: trawl start"],
  [["seed"], /an argument is missing/, "Usage: trawl seed"],
  [["seed", "a.example", "--priority", "256"], /--priority: 256/, "Usage: trawl seed"],
  [["seed", "a.example", "--priority", "high"], /--priority: "high"/, "Usage: trawl seed"],
  [["seed", "a.example", "--priority", "1.5"], /--priority: "1.5"/, "Usage: trawl seed"],
  [["seed", "a.example", "--priority=-1"], /--priority: -1/, "Usage: trawl seed"],
  [["seed", "a.example", "--priority", "0x10"], /--priority: "0x10"/, "Usage: trawl seed"],
  [["seed", "a.example", "--priority="], /--priority: ""/, "Usage: trawl seed"],
  [["crawl"], /--until-idle is missing/, "Usage: trawl crawl"],
  [["crawl", "--until-idle", "--max-pages", "0"], /--max-pages: 0/, "Usage: trawl crawl"],
  [["crawl", "--until-idle", "--max-pages", "1e3"], /--max-pages: "1e3"/, "Usage: trawl crawl"],
  [["crawl", "--until-idle", "--max-seconds", "x"], /--max-seconds: "x"/, "Usage: trawl crawl"],
  [["search"], /an argument is missing/, "Usage: trawl search"],
  [["explain"], /an argument is missing/, "Usage: trawl explain"],
  [["block", "no host"], /"no host" is no host name/, "Usage: trawl block"],
  [["users", "passwd"], /an argument is missing/, "Usage: trawl users"],
  [["users", "invent", "x"], /unknown action "invent"/, "Usage: trawl users"],
  [["users", "passwd", "admin", "--stdin"], /8 characters or more/, "Usage: trawl users"],
];

describe("what cannot be understood", () => {
  test.each(MISUSED)("%j", async (args, told, usage) => {
    const { code, out, err } = await shell.run(...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(told);
    expect(err).toContain(`\n\n${usage}`);
    expect(err).not.toContain("    at ");
  });

  test("is one JSON value under --json, wherever that stands", async () => {
    const message = 'unexpected argument "extra"';
    for (const args of [
      ["--json", "status", "extra"],
      ["status", "extra", "--json"],
    ]) {
      const ran = await shell.run(...args);
      expect(ran.code).toBe(2);
      expect(jsonOf(ran)).toEqual({ error: { code: "usage", message } });
      expect(ran.err).toContain("Usage: trawl status");
    }
  });

  test("touches nothing", () => {
    expect(existsSync(shell.env.DATA_DIR!)).toBe(false);
  });
});

describe("what is asked about the program itself", () => {
  test.each([
    [["--version"], /^\d+\.\d+\.\d+\n$/],
    [["--help"], /^Usage: trawl <command>[\s\S]*seed <file\|url>/],
    [["help"], /^Usage: trawl <command>/],
    [["seed", "--help"], /^Usage: trawl seed/],
  ])("%j is answered on stdout", async (args, told) => {
    const { code, out, err } = await shell.run(...args);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(told);
  });

  test("is JSON under --json", async () => {
    expect(jsonOf(await shell.run("--version", "--json"))).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    expect(jsonOf(await shell.run("seed", "--help", "--json"))).toEqual({
      usage: expect.stringContaining("Usage: trawl seed"),
    });
  });
});
