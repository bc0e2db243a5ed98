import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "../../src/cli/env-file.ts";
import { readConfig } from "../../src/config.ts";
import { ROOT, runCommand } from "../support/program.ts";
import { openShell } from "../support/shell.ts";

setDefaultTimeout(30_000);
const shell = openShell();
const bin = join(ROOT, "node_modules", ".bin");
afterAll(() => shell.remove());

describe("a value is what is written", () => {
  const LINES: [line: string, value: string][] = [
    ["A=plain", "plain"],
    ["A=Tr4wl$ecret99", "Tr4wl$ecret99"],
    ["A=a\u0024{HOME}b$1", "a\u0024{HOME}b$1"],
    ["A=abc#def", "abc#def"],
    ["A=#abc", "#abc"],
    ["A=abc # why", "abc"],
    ["A=abc\t# why", "abc"],
    ["A= # why", ""],
    ["A=", ""],
    ["A = spaced out \r", "spaced out"],
    ["export A=x", "x"],
    ["A=x=y==", "x=y=="],
    ["A='a $b #c \"d\" \\ '", 'a $b #c "d" \\ '],
    ["A='x' # why", "x"],
    ["A=''", ""],
    ["A=\"a $b #c 'd'\"", "a $b #c 'd'"],
    ['A="\\"\\\\\\$x"', '"\\$x'],
    ['A="C:\\data"', "C:\\data"],
    ["A=a'b\"c", "a'b\"c"],
    ["A=\\$x\\n", "\\$x\\n"],
    ["A=é\u2028è", "é\u2028è"],
    ["\n# A=no\n  \nA=first\nA=last\n", "last"],
  ];

  test.each(LINES)("%j", (line, value) => {
    expect(parseEnv(line, ".env")).toEqual({ values: { A: value }, problems: [] });
  });

  const BROKEN: [line: string, told: string][] = [
    ["A='open", ".env line 1: a value that begins with a quote must end with it"],
    ['A="open\\"', ".env line 1: a value that begins with a quote must end with it"],
    ["A='one' two", ".env line 1: a value that begins with a quote must end with it"],
    ["X=1\nhunter2", ".env line 2: is no NAME=value"],
    ["=x", ".env line 1: is no NAME=value"],
    ["two words=x", ".env line 1: is no NAME=value"],
  ];

  test.each(BROKEN)("%j is told, without what it says", (line, told) => {
    expect(parseEnv(line, ".env").problems).toEqual([told]);
  });

  test(".env.example can be copied as it is, and with every line of it in use", () => {
    const text = readFileSync(join(ROOT, ".env.example"), "utf8");
    expect(parseEnv(text, "x")).toEqual({ values: {}, problems: [] });
    const used = parseEnv(text.replace(/^#(?=[A-Z_]+=)/gm, ""), "x");
    expect(used.problems).toEqual([]);
    expect(readConfig(used.values)).toEqual(readConfig({}));
  });
});

/** Whatever runs the program, nobody else reads the file first. */
describe("as the program reads it", () => {
  const clone = shell.path("clone");
  mkdirSync(clone);
  for (const name of ["package.json", "bunfig.toml"]) cpSync(join(ROOT, name), join(clone, name));
  for (const name of ["src", "templates", "node_modules"]) {
    symlinkSync(join(ROOT, name), join(clone, name));
  }
  writeFileSync(join(clone, ".env"), "LOG_LEVEL=lo$ud\nSUBMIT=may#be\nPORT='$1'\n");
  const TOLD = ['LOG_LEVEL: "lo$ud" is', 'SUBMIT: "may#be" is', 'PORT: "$1" is'];
  const RUNNERS: [name: string, command: string[]][] = [
    ["npm start", ["npm", "start"]],
    ["npm run trawl", ["npm", "run", "--silent", "trawl", "--", "status"]],
    ["bun run start", [process.execPath, "run", "start"]],
    ["bun run trawl", [process.execPath, "run", "trawl", "status"]],
    ["the program itself", [join(ROOT, "src/main.ts"), "status"]],
    ["bun with its path", [process.execPath, join(ROOT, "src/main.ts"), "status"]],
  ];

  test.each(RUNNERS)("by %s", async (_name, command) => {
    if (Bun.which(command[0]!) === null) return console.warn(`skipped: no ${command[0]} here`);
    const env = { ...shell.env, PATH: `${bin}:${shell.env.PATH}` };
    const child = Bun.spawn(command, { cwd: clone, env, stdout: "pipe", stderr: "pipe" });
    const err = await new Response(child.stderr).text();
    for (const told of TOLD) expect(err).toContain(told);
    expect(await child.exited).toBe(2);
  });

  test("in a folder without our bunfig.toml, where Bun reads it first", async () => {
    const cwd = shell.path("elsewhere");
    mkdirSync(cwd);
    cpSync(join(clone, ".env"), join(cwd, ".env"));
    if (process.platform !== "linux") return console.warn("skipped: needs /proc/self/environ");
    const { err } = await runCommand(["status"], shell.env, { cwd });
    for (const told of TOLD) expect(err).toContain(told);
  });

  test("below the environment: what is set there wins, even when it is empty", async () => {
    const env = { ...shell.env, LOG_LEVEL: "debug", SUBMIT: "", PORT: "x" };
    const { code, err } = await runCommand(["status"], env, { cwd: clone });
    expect([code, err.match(/^ {2}\w+: .*$/gm)]).toEqual([
      2,
      ['  PORT: "x" is not a whole number from 0 to 65535 (default 3000)'],
    ]);
  });
});

describe("a .env that is no file of settings: exit 2, the reason", () => {
  const path = shell.path(".env");
  const KINDS: [name: string, make: () => void, told: RegExp][] = [
    ["a folder", () => mkdirSync(path), /\.env is a folder/],
    ["binary", () => writeFileSync(path, Buffer.from([0, 1, 2, 200])), /\.env is no text/],
    ["UTF-16", () => writeFileSync(path, Buffer.from("A=b", "utf16le")), /\.env is no text/],
    ["a loop", () => symlinkSync(path, path), /\.env cannot be read \(ELOOP\)/],
    ["endless", () => writeFileSync(path, "#".repeat(1_000_001)), /\.env is too long/],
    ["prose", () => writeFileSync(path, "PORT=0\ndear diary\n"), /\.env line 2: is no NAME=value/],
  ];

  test.each(KINDS)("%s", async (_name, make, told) => {
    make();
    // As npx runs it: without flags Bun itself falls over some of them.
    const command = [join(ROOT, "src/main.ts"), "status"];
    const env = { ...shell.env, PATH: `${bin}:${shell.env.PATH}` };
    const child = Bun.spawn(command, { cwd: shell.folder, env, stdout: "pipe", stderr: "pipe" });
    const err = await new Response(child.stderr).text();
    rmSync(path, { recursive: true, force: true });
    const out = await new Response(child.stdout).text();
    expect({ code: await child.exited, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(told);
    expect(err).not.toContain("diary");
  });
});
