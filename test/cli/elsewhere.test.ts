import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testDatabaseUrl } from "../support/database.ts";
import { freePort } from "../support/ports.ts";
import { ROOT, runCommand } from "../support/program.ts";
import { jsonOf, openShell, type Shell } from "../support/shell.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);
let shell: Shell;
beforeAll(async () => {
  shell = openShell({ DATABASE_URL: await testDatabaseUrl() });
});
afterAll(() => shell.remove());

/** What a project of somebody else may say about JSX; Bun heeds the folder that one stands in. */
const TSCONFIGS: [name: string, tsconfig: object | null][] = [
  ["an empty folder", null],
  ["a project of classic JSX", { jsx: "react" }],
  ["a project of another JSX", { jsx: "react-jsx", jsxImportSource: "solid-js" }],
];

describe("from another folder", () => {
  test.each(TSCONFIGS)("%s: the web answers with its pages", async (name, compilerOptions) => {
    const cwd = shell.path(name.replaceAll(" ", "-"));
    mkdirSync(cwd);
    const tsconfig = JSON.stringify({ compilerOptions });
    if (compilerOptions !== null) writeFileSync(join(cwd, "tsconfig.json"), tsconfig);
    const port = await freePort();
    const child = Bun.spawn([process.execPath, join(ROOT, "src/main.ts"), "start"], {
      cwd,
      env: { ...shell.env, PORT: `${port}`, ADMIN_PASSWORD: "correct horse" },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
    await until(async () => child.exitCode !== null || (await ask("/healthz"))?.ok, {
      timeoutMs: 40_000,
    });
    for (const path of ["/", "/login", "/bot"]) {
      const answer = await ask(path);
      expect([path, answer?.status]).toEqual([path, 200]);
      expect(await answer!.text()).toContain("<!doctype html>");
    }
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });

  test("files are those of that folder, and so is a DATA_DIR that is not absolute", async () => {
    writeFileSync(shell.path("list.txt"), "http://from-here.example/\n");
    const env = { ...shell.env, DATA_DIR: "./here" };
    const ran = await runCommand(["seed", "list.txt", "--json"], env, { cwd: shell.folder });
    expect(jsonOf<{ admitted: number }>(ran).admitted).toBe(1);
    expect(await Bun.file(shell.path("here/search.sqlite")).exists()).toBe(true);
  });

  test("a command that makes a new database says where", async () => {
    const { DATABASE_URL: _, ...env } = shell.env;
    const cwd = shell.path("wrong-folder");
    mkdirSync(cwd);
    const ran = await runCommand(["status", "--json"], { ...env, DATA_DIR: "data" }, { cwd });
    expect(jsonOf<{ crawled: number }>(ran).crawled).toBe(0);
    expect(ran.err).toMatch(/^Making a database in \/.*\/wrong-folder\/data \(once\)/);
  });

  test("and a search that makes a new index, but of one that is there", async () => {
    const cwd = shell.path("another-wrong-folder");
    mkdirSync(cwd);
    const search = () => runCommand(["search", "x"], { ...shell.env, DATA_DIR: "data" }, { cwd });
    const first = await search();
    expect([first.code, first.out]).toEqual([1, "nothing found\n"]);
    expect(first.err).toMatch(/^Making an index in \/.*\/another-wrong-folder\/data \(once\)/);
    expect((await search()).err).toBe("");
  });
});

describe("by its name", () => {
  const RUNNERS: [name: string, command: string[]][] = [
    ["npx trawl", ["npx", "--no-install", "trawl"]],
    ["npm run trawl", ["npm", "run", "--silent", "trawl", "--"]],
    ["bun run trawl", [process.execPath, "run", "--silent", "trawl"]],
  ];

  test.each(RUNNERS)("%s status --json", async (_name, command) => {
    const program = Bun.which(command[0]!);
    if (program === null) return console.warn(`skipped: no ${command[0]} here`);
    const bin = join(ROOT, "node_modules", ".bin");
    const child = Bun.spawn([program, ...command.slice(1), "status", "--json"], {
      cwd: ROOT,
      env: { ...shell.env, PATH: `${bin}:${shell.env.PATH}` },
      stdout: "pipe",
      stderr: "pipe",
    });
    const out = await new Response(child.stdout).text();
    expect([await child.exited, jsonOf<{ crawled: number }>({ out }).crawled]).toEqual([0, 0]);
  });
});
