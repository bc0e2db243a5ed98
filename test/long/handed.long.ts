import { expect, test } from "bun:test";
import { lockIndex } from "../support/outage.ts";
import { Program } from "../support/program.ts";
import { startSite } from "../support/site.ts";
import { until } from "../support/until.ts";
import { expectBooksInOrder, seedEveryHost, untilOver } from "../support/whole-crawl.ts";

const SIZE = { hosts: 2, pages: 30 };
const TOLD_MS = 20_000;

test("a command whose start is killed with it in hand is told so, and not left waiting", async () => {
  const site = await startSite({ ...SIZE, links: 8, kb: 2 });
  if (!site) return;
  const program = new Program({
    env: { CRAWL_DELAY_MS: "0", FETCH_ALLOW_CIDRS: "127.0.0.0/8" },
  });
  try {
    await program.start();
    await seedEveryHost(program, site, SIZE);
    await untilOver(program, SIZE);
    const lock = await lockIndex(program.dataDir);
    const reindexed = program.run("reindex");
    await until(() => program.output.includes("command.taken"), { timeoutMs: 20_000 });
    program.kill("SIGKILL");
    await lock.end();
    const killedAt = Date.now();
    const { code, err } = await reindexed;
    expect([code, err]).toEqual([1, expect.stringContaining("has ended")]);
    expect(Date.now() - killedAt).toBeLessThan(TOLD_MS);
    await program.start();
    expect((await program.run("reindex")).code).toBe(0);
    await expectBooksInOrder(program);
  } finally {
    await program.stop();
    await site.stop();
  }
}, 120_000);
