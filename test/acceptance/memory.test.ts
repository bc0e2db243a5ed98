import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { sharesOf, totalMb } from "../support/memory.ts";
import { Program, processesOf } from "../support/program.ts";

setDefaultTimeout(60_000);
const LIMIT_MB = 400;
const program = new Program();
beforeAll(() => program.start());
afterAll(() => program.stop());

/** The long form, from a fresh clone and after a rest, is test/long/install.long.ts. */
test.skipIf(!existsSync("/proc/self/smaps_rollup"))(
  `a started program and its Postgres take less than ${LIMIT_MB} MB (PSS)`,
  async () => {
    for (const path of ["/", "/search?q=page", "/status", "/bot", "/api/search?q=page"]) {
      expect((await fetch(program.url + path)).status).toBe(200);
    }
    const shares = sharesOf([program.pid, ...processesOf(program.dataDir)]);
    console.info(`memory: ${totalMb(shares)} MB in ${shares.length} processes`);
    expect(shares.map(({ pid }) => pid)).toContain(program.pid);
    // The server, its own processes, and a connection or more of ours.
    expect(shares.length).toBeGreaterThan(6);
    expect(totalMb(shares)).toBeLessThan(LIMIT_MB);
  },
);
