import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { startOrigin } from "../support/origin.ts";
import { pause } from "../support/pause.ts";
import { Program } from "../support/program.ts";
import { treeOf } from "../support/tree.ts";
import { until } from "../support/until.ts";
import { expectBooksInOrder, type Status } from "../support/whole-crawl.ts";

const HOST = "127.0.5.9";
const PAGES = 60;
const MB = 1024 * 1024;
/** Taken from the disk for a moment, and how much less is still enough. */
const FILE_MB = 1_024;
const SPARE_MB = 700;

interface FullStatus extends Status {
  refused: Record<string, number>;
  full: { frontier: boolean; hosts: number };
}

const origin = startOrigin();
const program = new Program({
  env: { CRAWL_DELAY_MS: "0", FETCH_ALLOW_CIDRS: "127.0.0.0/8", FRONTIER_MAX_URLS: "15" },
});
const status = () => program.api<FullStatus>("/status");
const bearer = { authorization: `Bearer ${program.env.API_TOKEN}` };

setDefaultTimeout(90_000);
beforeAll(async () => {
  treeOf(origin, HOST, PAGES);
  await program.start();
});
afterAll(async () => {
  await program.stop();
  await origin.stop();
});

async function again(env: Record<string, string>): Promise<void> {
  expect(await program.stop({ keep: true })).toBe(0);
  Object.assign(program.env, env);
  await program.start();
}

async function untilCrawled(pages: number): Promise<void> {
  const isOver = async () => {
    const { crawled, urls } = await status();
    return crawled === pages && urls?.due === 0 && urls.in_progress === 0;
  };
  await until(isOver, { timeoutMs: 30_000, everyMs: 100, what: `${pages} pages` });
}

const untilTold = (isTold: (told: FullStatus) => boolean) =>
  until(async () => isTold(await status()), { timeoutMs: 20_000, everyMs: 100, what: "/status" });

async function consoleText(path: string): Promise<string> {
  return await (await fetch(program.url + path, { headers: bearer })).text();
}

test("FRONTIER_MAX_URLS: reached, told, nothing lost, and over when it is raised", async () => {
  await program.run("seed", origin.url(HOST));
  await untilCrawled(15);
  await untilTold(({ full, refused }) => full.frontier && (refused["frontier full"] ?? 0) > 0);
  const seeded = await program.run("seed", origin.url(HOST, "/59"), "--json");
  expect(JSON.parse(seeded.out).refused).toMatchObject([{ reason: "frontier full" }]);
  await expectBooksInOrder(program);

  await again({ FRONTIER_MAX_URLS: "1000", HOST_MAX_URLS: "30" });
  await untilCrawled(30);
  await untilTold(({ full, refused }) => !full.frontier && refused["host full"]! > 0);
});

test("HOST_MAX_URLS: reached, told, and over when the operator raises the host's own", async () => {
  await untilTold(({ full }) => full.hosts === 1);
  const { out } = await program.run("status");
  expect(out).toMatch(/refused .*host full \d+, hosts at their quota 1/);
  const page = await consoleText("/admin/hosts/1");
  expect(page).toContain("Full: no more URLs are taken");
  expect(await consoleText("/admin")).toContain("host full");
  const answer = await fetch(`${program.url}/api/admin/hosts/1/quota`, {
    method: "POST",
    headers: { ...bearer, "content-type": "application/json" },
    body: JSON.stringify({ urls_max: 1_000, bytes_max: null }),
  });
  expect(answer.status).toBe(200);
  await untilCrawled(PAGES);
  await untilTold(({ full }) => full.hosts === 0);
  expect(await consoleText("/admin/audit")).toContain("host.quota");
  await expectBooksInOrder(program);
});

test("DISK_MIN_FREE_MB: parked and told, what is named waits, and goes on when lowered", async () => {
  treeOf(origin, "127.0.5.10", 5);
  await again({ DISK_MIN_FREE_MB: "1000000000" });
  await untilTold(({ crawl, parts }) => crawl.reason === "disk" && parts.disk === "low");
  const seeded = await program.run("seed", origin.url("127.0.5.10"), "--json");
  expect(JSON.parse(seeded.out)).toMatchObject({ admitted: 1 });
  await pause(1_500);
  expect(origin.asked("127.0.5.10")).toHaveLength(0);
  expect(await status()).toMatchObject({ crawl: { state: "parked" }, urls: { due: 1 } });
  expect(await consoleText("/admin")).toContain("Less free than DISK_MIN_FREE_MB");

  await again({ DISK_MIN_FREE_MB: "10" });
  await untilCrawled(PAGES + 5);
});

test("a disk that fills parks the crawl as it runs, and one that is emptied lets it go on", async () => {
  const { bavail, bsize } = statfsSync(program.dataDir);
  const freeMb = Math.floor((bavail * bsize) / MB);
  if (freeMb < 2 * FILE_MB) {
    console.warn(`skipped: ${freeMb} MB are free, too few to take some of them`);
    return;
  }
  await again({ DISK_MIN_FREE_MB: `${freeMb - SPARE_MB}` });
  await untilTold(({ crawl }) => crawl.state === "running");
  const file = join(program.dataDir, "ballast");
  try {
    const ran = Bun.spawnSync(["fallocate", "-l", `${FILE_MB}MiB`, file]);
    if (ran.exitCode !== 0) {
      console.warn(`skipped: no ballast to be had: ${ran.stderr.toString()}`);
      return;
    }
    await untilTold(({ crawl }) => crawl.reason === "disk");
    treeOf(origin, "127.0.5.11", 5);
    await program.run("seed", origin.url("127.0.5.11"));
    await pause(1_000);
    expect(origin.asked("127.0.5.11")).toHaveLength(0);
  } finally {
    rmSync(file, { force: true });
  }
  await untilCrawled(PAGES + 10);
  await expectBooksInOrder(program);
});
