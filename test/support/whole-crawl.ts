import { expect } from "bun:test";
import type { Program } from "./program.ts";
import type { Access, Site } from "./site.ts";
import { until } from "./until.ts";

/** GET /status, as far as these tests look at it. */
export interface Status {
  parts: Record<string, string>;
  crawl: { state: string; reason: string | null };
  urls: Record<"pending" | "due" | "in_progress" | "done" | "failed" | "blocked", number> | null;
  crawled: number | null;
  documents: number | null;
  indexed: number | null;
}

export interface Size {
  hosts: number;
  /** Of each host. */
  pages: number;
}

export const statusOf = (program: Program) => program.api<Status>("/status");

export async function seedEveryHost(program: Program, site: Site, { hosts }: Size): Promise<void> {
  const seeds = Array.from({ length: hosts }, (_, h) => site.page(h));
  const { code, out, err } = await program.run("seed", ...seeds, "--json");
  if (code !== 0) throw new Error(`seed ended with ${code}: ${err}`);
  expect(JSON.parse(out)).toEqual({ admitted: hosts, known: 0, refused: [] });
}

/** Until the site has been asked for this many pages, since it began. */
export async function untilAsked(site: Site, pages: number, timeoutMs = 120_000): Promise<void> {
  const asked = async () => (await site.stats()).pages >= pages;
  await until(asked, { timeoutMs, what: `${pages} pages asked of the site` });
}

/** Until every page was fetched once, and nothing is in hand. */
export async function untilOver(program: Program, size: Size, timeoutMs = 180_000): Promise<void> {
  const wanted = size.hosts * size.pages;
  let last: Status | null = null;
  const isOver = async () => {
    last = await statusOf(program);
    const { crawled, indexed, urls } = last;
    // Figures are of different ages, so all of them are waited for.
    return crawled === wanted && indexed === wanted && urls?.in_progress === 0 && urls.due === 0;
  };
  await until(isOver, { timeoutMs, everyMs: 100, what: `${wanted} pages` }).catch((error) => {
    throw new Error(`${error.message}: ${JSON.stringify(last)}\n${program.output.slice(-8_000)}`);
  });
}

/** Every page is a document and found by its word, each once; index, store and books agree. */
export async function expectEachPageOnce(
  program: Program,
  site: Site,
  { hosts, pages }: Size,
  samples = 25,
): Promise<void> {
  const all = hosts * pages;
  const { crawled, documents, indexed, urls } = await statusOf(program);
  expect({ crawled, documents, indexed, pending: urls?.pending, failed: urls?.failed }).toEqual({
    crawled: all,
    documents: all,
    indexed: all,
    pending: all,
    failed: 0,
  });
  const step = Math.max(1, Math.floor(all / samples));
  for (let at = 0; at < all; at += step) {
    const [h, n] = [at % hosts, Math.floor(at / hosts)];
    const found = await program.api<{ total: number; hits: { url: string }[] }>(
      `/api/search?q=zq${h}x${n}`,
    );
    expect([found.total, found.hits[0]?.url]).toEqual([1, site.page(h, n)]);
  }
  await expectBooksInOrder(program);
}

export async function expectBooksInOrder(program: Program): Promise<void> {
  const reconciled = await program.run("reconcile", "--json");
  expect(reconciled.err).toBe("");
  expect(JSON.parse(reconciled.out)).toEqual({ missing: 0, orphan: 0, stale: 0 });
  const doctor = await program.run("doctor", "--json");
  const findings: { name: string; ok: boolean }[] = JSON.parse(doctor.out);
  expect(findings.filter((finding) => !finding.ok)).toEqual([]);
}

/** The whole access log: the site writes it with some delay. */
export async function allAccesses(site: Site): Promise<Access[]> {
  const { requests } = await site.stats();
  return await until(() => {
    const accesses = site.accesses();
    return accesses.length >= requests ? accesses : null;
  });
}

export interface Gap {
  host: string;
  ms: number;
  /** When its second request came; epoch ms. */
  at: number;
}

/** The shortest wait of any host, from the end of an answer to the next request; no robots.txt. */
export function shortestGap(accesses: readonly Access[]): Gap | null {
  const ends = new Map<string, number>();
  let shortest: Gap | null = null;
  const asked = accesses.filter(({ path }) => path !== "/robots.txt");
  for (const { t0, t1, host } of asked.toSorted((a, b) => a.t0 - b.t0)) {
    const end = ends.get(host);
    if (end !== undefined && t0 - end < (shortest?.ms ?? Number.POSITIVE_INFINITY)) {
      shortest = { host, ms: t0 - end, at: t0 };
    }
    ends.set(host, Math.max(end ?? 0, t1));
  }
  return shortest;
}

/** Milliseconds from `since` to the first request that came after it; waits for it. */
export async function untilAskedAgain(
  site: Site,
  since: number,
  timeoutMs = 30_000,
): Promise<number> {
  const first = await until(
    () => site.accesses().find(({ t0, path }) => t0 > since && path !== "/robots.txt"),
    { timeoutMs, what: "a request" },
  );
  return first.t0 - since;
}
