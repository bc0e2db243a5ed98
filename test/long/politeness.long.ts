import { expect, test } from "bun:test";
import { Program } from "../support/program.ts";
import { startSite } from "../support/site.ts";
import { allAccesses, seedEveryHost, untilOver } from "../support/whole-crawl.ts";

/** Alone on its machine: beside others, as in the suite, its time is theirs. */
test("100 hosts x 8 pages at one second a host take at most 7.7 s", async () => {
  const size = { hosts: 100, pages: 8 };
  const site = await startSite({ ...size, links: 8, kb: 2, log: true });
  if (!site) return;
  const program = new Program({ env: { FETCH_ALLOW_CIDRS: "127.0.0.0/8" } });
  try {
    await program.start();
    await seedEveryHost(program, site, size);
    await untilOver(program, size, 60_000);
    const pages = (await allAccesses(site)).filter(({ path }) => path !== "/robots.txt");
    const first = Math.min(...pages.map((page) => page.t0));
    const last = Math.max(...pages.map((page) => page.t1));
    expect(last - first).toBeLessThanOrEqual(7_700);
  } finally {
    await program.stop();
    await site.stop();
  }
});
