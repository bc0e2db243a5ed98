import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { constants } from "node:os";
import { join } from "node:path";
import { Interrupted, unlessInterrupted } from "../../src/cli/interrupt.ts";
import { beat } from "../../src/db/workers.ts";
import { silentLog } from "../../src/log.ts";
import { openBackend } from "../../src/queue/backend.ts";
import { namedImports, readSource } from "../support/architecture/source.ts";
import { testDatabase } from "../support/database.ts";
import { ROOT } from "../support/program.ts";
import { jsonOf, openShell } from "../support/shell.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);
const shell = openShell();
afterAll(() => shell.remove());

/** Is there anybody in the process that hears the signal? */
function hears(pid: number, signal: NodeJS.Signals): boolean {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const caught = BigInt(`0x${/^SigCgt:\s*([0-9a-f]+)/m.exec(status)![1]}`);
  return ((caught >> BigInt(constants.signals[signal] - 1)) & 1n) === 1n;
}

/** A command that waits for its stdin or for a pipe: what it says once the signal has come. */
async function interrupted(args: string[], signal: NodeJS.Signals) {
  const child = Bun.spawn([process.execPath, join(ROOT, "src/main.ts"), ...args], {
    cwd: shell.folder,
    env: shell.env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  await until(() => hears(child.pid, signal), { what: "somebody who hears it" });
  child.kill(signal);
  const code = await child.exited;
  return { code, out: await new Response(child.stdout).text(), killed: child.signalCode };
}

describe("a signal while a command", () => {
  Bun.spawnSync(["mkfifo", shell.path("pipe")]);

  test.each(["SIGINT", "SIGTERM"] as const)("waits for what nobody writes: %s", async (signal) => {
    for (const args of [
      ["seed", "pipe", "--json"],
      ["users", "passwd", "admin", "--stdin", "--json"],
    ]) {
      const { code, out, killed } = await interrupted(args, signal);
      expect({ code, killed }).toEqual({ code: 130, killed: null });
      expect(jsonOf({ out })).toEqual({
        error: { code: "interrupted", message: "interrupted" },
      });
    }
  });

  test("still loads: a command ends with 130, a start with 0", async () => {
    expect((await interrupted(["status"], "SIGTERM")).code).toBe(130);
    expect((await interrupted(["start"], "SIGTERM")).code).toBe(0);
  });

  test("has not even begun to load: main.ts listens first, and that needs nothing else", () => {
    expect(namedImports(readSource("src/cli/interrupt.ts"))).toEqual([]);
    const main = readSource("src/main.ts").text;
    expect(main.match(/^import .*$/gm)).toEqual([
      'import { listenForInterrupt } from "./cli/interrupt.ts";',
    ]);
    expect(main.indexOf("= listenForInterrupt()")).toBeLessThan(main.indexOf("await import("));
  });

  test("waits for a store that does not answer", async () => {
    const silent = createServer();
    await new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
    const asked = new Promise((done) => silent.once("connection", done));
    const { port } = silent.address() as { port: number };
    const own = openShell({ DATABASE_URL: `postgres://u@127.0.0.1:${port}/x` });
    const running = own.spawn("status", "--json");
    await asked;
    const at = performance.now();
    running.kill("SIGTERM");
    const ran = await running.ran;
    expect(performance.now() - at).toBeLessThan(8_000);
    silent.close();
    own.remove();
    expect(ran.code).toBe(130);
    expect(jsonOf(ran)).toEqual({ error: { code: "interrupted", message: "interrupted" } });
  });

  test("waits for another process: it is taken back, and says so", async () => {
    const database = await testDatabase();
    const own = openShell({ DATABASE_URL: database.url });
    const [log, redisUrl] = [silentLog, null];
    const backend = await openBackend({ redisUrl, databaseUrl: database.url, log });
    // Somebody who lives, and takes no commands.
    const id = crypto.randomUUID();
    await beat(database.db, { id, hostname: "h", pid: 1, roles: ["crawl"] }, 60_000);
    const running = own.spawn("reindex", "--json");
    await until(async () => (await backend.queue("commands").getWaitingCount()) > 0);
    running.kill("SIGINT");
    const ran = await running.ran;
    await backend.close();
    await database.close();
    own.remove();
    expect(ran.code).toBe(130);
    const message = "interrupted: nothing was done";
    expect(jsonOf(ran)).toEqual({ error: { code: "interrupted", message } });
  });
});

describe("unlessInterrupted", () => {
  test("gives what the work gives", async () => {
    const { signal } = new AbortController();
    expect(await unlessInterrupted(signal, Promise.resolve(1))).toBe(1);
    expect(unlessInterrupted(signal, Promise.reject(new Error("x")))).rejects.toThrow("x");
  });

  test("throws at the signal, and when it has come before", async () => {
    const stop = new AbortController();
    const waiting = unlessInterrupted(stop.signal, new Promise(() => {}));
    stop.abort();
    expect(waiting).rejects.toThrow(Interrupted);
    expect(unlessInterrupted(stop.signal, new Promise(() => {}))).rejects.toThrow(Interrupted);
  });
});
