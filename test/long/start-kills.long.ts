import { expect, test } from "bun:test";
import { seededChance } from "../support/chance.ts";
import { Program, processesOf } from "../support/program.ts";
import { startSite } from "../support/site.ts";
import { expectEachPageOnce, seedEveryHost, untilOver } from "../support/whole-crawl.ts";

const KILLS = 20;
const LATEST_MS = 3_000;
const SIZE = { hosts: 2, pages: 20 };

test("killed at twenty moments of its start, the first one too: the next one works", async () => {
  const site = await startSite({ ...SIZE, links: 8, kb: 2 });
  if (!site) return;
  const chance = seededChance(7);
  const program = new Program({
    env: { CRAWL_DELAY_MS: "0", FETCH_ALLOW_CIDRS: "127.0.0.0/8", PORT: "0" },
  });
  try {
    for (let kill = 0; kill < KILLS; kill++) await program.startAndKill(chance() * LATEST_MS);
    delete program.env.PORT;
    await program.start();
    await seedEveryHost(program, site, SIZE);
    await untilOver(program, SIZE);
    await expectEachPageOnce(program, site, SIZE);
    expect(await program.stop({ keep: true })).toBe(0);
    expect(processesOf(program.dataDir)).toEqual([]);
  } finally {
    await program.killEverything();
    await program.stop();
    await site.stop();
  }
}, 300_000);
