import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { countUrlsByState } from "../../src/db/counts.ts";
import { testDatabase, testDatabaseUrl } from "../support/database.ts";
import { Program, processesOf, ROOT } from "../support/program.ts";
import { jsonOf, openShell } from "../support/shell.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);
const shell = openShell();
afterAll(() => shell.remove());

/** Nothing listens there, and nobody is allowed to. */
const NO_REDIS = "redis://127.0.0.1:1/";

describe("a start that cannot be: exit 1, the reason, at once", () => {
  const listeners: Server[] = [];
  afterEach(() => {
    for (const server of listeners.splice(0)) server.close();
  });

  async function listen(host: string): Promise<string> {
    const server = createServer();
    listeners.push(server);
    await new Promise<void>((ready) => server.listen(0, host, ready));
    return String((server.address() as { port: number }).port);
  }

  test.each(["127.0.0.1", "0.0.0.0"])("PORT is taken on %s", async (host) => {
    shell.env.PORT = await listen(host);
    const { code, out, err } = await shell.run("start");
    const told = `127.0.0.1:${shell.env.PORT} is taken: stop what listens there, or set PORT`;
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(told);
    expect(existsSync(shell.env.DATA_DIR!)).toBe(false);
    const asJson = await shell.run("start", "--json");
    expect(jsonOf(asJson)).toEqual({
      error: { code: "failed", message: expect.stringContaining(told) },
    });
  });

  test("HOST is of another machine", async () => {
    shell.env.HOST = "192.0.2.1";
    const { code, err } = await shell.run("start");
    delete shell.env.HOST;
    expect(code).toBe(1);
    expect(err).toMatch(/^HOST 192\.0\.2\.1 is no address of this machine/);
    expect(existsSync(shell.env.DATA_DIR!)).toBe(false);
  });

  test.each(["file", "file/below"])("DATA_DIR is a %s", async (name) => {
    writeFileSync(shell.path("file"), "x");
    const env = { DATA_DIR: shell.path(name), PORT: "0" };
    for (const command of ["start", "status", "search"]) {
      const args = command === "search" ? ["search", "x"] : [command];
      const own = openShell({ ...env });
      const { code, out, err } = await own.run(...args);
      own.remove();
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toStartWith(`DATA_DIR ${env.DATA_DIR} cannot be written (`);
      expect(err.trimEnd().split("\n").length).toBe(1);
    }
  });

  test("DATA_DIR is read-only", async () => {
    const folder = shell.path("read-only");
    mkdirSync(folder);
    chmodSync(folder, 0o555);
    const inside = ["sh", "-c", 'mount -t tmpfs -o ro none "$0" && exec "$@"', folder];
    // Root may write everywhere but where nobody may.
    const within = process.getuid?.() === 0 ? ["unshare", "--mount", ...inside] : [];
    if (within.length > 0 && !Bun.spawnSync([...within, "true"]).success) {
      return console.warn("skipped: no mount namespaces here");
    }
    const command = [...within, process.execPath, `${ROOT}/src/main.ts`, "start"];
    const env = { ...shell.env, DATA_DIR: folder, PORT: "0" };
    const child = Bun.spawn(command, { env, cwd: shell.folder, stderr: "pipe" });
    expect(await child.exited).toBe(1);
    expect(await new Response(child.stderr).text()).toMatch(/^DATA_DIR .* cannot be written \(E/);
  });
});

test("as a number without a name, as in some containers: it runs, or says what is missing", async () => {
  const uid = 54_321;
  if (process.getuid?.() !== 0) return console.warn("skipped: only root can be another user");
  const folder = shell.path("nameless");
  mkdirSync(folder);
  for (const path of [shell.folder, folder]) chownSync(path, uid, uid);
  const env = { ...shell.env, DATA_DIR: folder };
  const command = [process.execPath, `${ROOT}/src/main.ts`, "status", "--json"];
  const reaches = Bun.spawnSync(["test", "-r", command[1]!], { uid, gid: uid }).success;
  if (!reaches) return console.warn("skipped: others cannot read this tree");
  const child = Bun.spawn(command, { env, cwd: folder, uid, gid: uid, stderr: "pipe" });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  // Without a name Postgres runs in a user namespace, where there may be one.
  if ((await child.exited) === 0) expect(jsonOf({ out })).toMatchObject({ crawled: 0 });
  else expect(err).toContain("Postgres runs as no account without a name");
});

describe("signals", () => {
  const programs: Program[] = [];
  const program = (...[options]: ConstructorParameters<typeof Program>) => {
    const made = new Program(options);
    programs.push(made);
    return made;
  };
  afterEach(async () => {
    for (const each of programs.splice(0)) await each.stop();
  });

  test("SIGTERM while the database is being made: exit 0, nothing left running", async () => {
    const starting = program({ env: { PORT: "0" } });
    starting.spawn();
    await until(() => starting.output.includes("Making a database"));
    starting.kill("SIGTERM");
    expect(await starting.exited).toBe(0);
    expect(starting.output).not.toContain("is ready");
    // What writes the new files through to the disk ends a little later, by itself.
    await until(() => processesOf(starting.dataDir).length === 0, { timeoutMs: 30_000 });
  });

  test("SIGINT twice at once, as npm hands on the one of the terminal: an orderly end", async () => {
    const running = program({ env: { DATABASE_URL: await testDatabaseUrl() } });
    await running.start();
    running.kill("SIGINT");
    running.kill("SIGINT");
    expect(await running.exited).toBe(0);
  });

  test("a second one later ends it at once, whatever it was waiting for", async () => {
    const env = { DATABASE_URL: await testDatabaseUrl(), REDIS_URL: NO_REDIS };
    const running = program({ env, args: ["--roles", "crawl"] });
    running.spawn();
    await until(() => running.output.includes("runs: crawl"), { timeoutMs: 30_000 });
    const firstAt = performance.now();
    running.kill("SIGTERM");
    // Its queue is given 5 s to come back.
    await until(() => performance.now() - firstAt > 700);
    running.kill("SIGTERM");
    expect(await running.exited).toBe(130);
  });

  test("a command: exit 130, and under --json one value all the same", async () => {
    const silent = createServer();
    await new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
    const asked = new Promise((done) => silent.once("connection", done));
    const settings = { DATABASE_URL: await testDatabaseUrl(), FETCH_ALLOW_CIDRS: "127.0.0.0/8" };
    const own = openShell(settings);
    const { port } = silent.address() as { port: number };
    expect((await own.run("seed", `http://127.0.0.1:${port}/`)).code).toBe(0);
    const crawling = own.spawn("crawl", "--until-idle", "--json");
    await asked;
    crawling.kill("SIGINT");
    const ran = await crawling.ran;
    silent.close();
    own.remove();
    expect(ran.code).toBe(130);
    expect(jsonOf(ran)).toMatchObject({ pages: 0, stopped: "signal" });
  });
});

test("a command that hangs is given up 3 s after SIGINT: exit 130", async () => {
  const database = await testDatabase();
  const own = openShell({ DATABASE_URL: database.url });
  expect(Bun.spawnSync(["mkfifo", own.path("pipe")]).exitCode).toBe(0);
  const seeding = own.spawn("seed", "pipe", "--json");
  // More lines may come for ever: it is never closed.
  const pipe = openSync(own.path("pipe"), "r+");
  writeSync(pipe, Array.from({ length: 600 }, (_, at) => `http://h.example/${at}\n`).join(""));
  const isWaiting = async () => (await countUrlsByState(database.db)).pending > 0;
  await until(isWaiting, { timeoutMs: 30_000 });
  seeding.kill("SIGINT");
  const ran = await seeding.ran;
  closeSync(pipe);
  own.remove();
  await database.close();
  expect(ran.code).toBe(130);
  expect(jsonOf(ran)).toEqual({ error: { code: "interrupted", message: "interrupted" } });
});

describe("what a start says", () => {
  test("is one JSON value under --json: address, roles and the password it made", async () => {
    const env = { DATABASE_URL: await testDatabaseUrl(), ADMIN_PASSWORD: "", LOG_LEVEL: "error" };
    const program = new Program({ env, args: ["--json"] });
    await program.start();
    expect(await program.stop()).toBe(0);
    expect(jsonOf({ out: program.output })).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      roles: ["web", "crawl", "enrich", "schedule"],
      url: program.url,
      admin_password: expect.stringMatching(/^[a-z2-9-]{20,}$/),
    });
  });

  test("a crawl alone whose carrier was never there ends with 3", async () => {
    const env = {
      DATABASE_URL: await testDatabaseUrl(),
      REDIS_URL: NO_REDIS,
      CARRIER_GRACE_MS: "1000",
    };
    const program = new Program({ env, args: ["--roles", "crawl"] });
    program.spawn();
    expect(await program.exited).toBe(3);
    expect(program.output).toContain("the carrier stayed away");
    await program.stop();
  });
});
