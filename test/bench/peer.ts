import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Site } from "../support/site.ts";
import { type CrawlSize, frontPages } from "./bench-site.ts";
import { pssMb } from "./process-usage.ts";

/** What a crawler says of its run, in the last line that it prints. */
export interface PeerFigures {
  peer: string;
  pages: number;
  seconds: number;
  pages_per_second: number;
  cpu_seconds: number;
  pages_per_cpu_second: number;
}

export type PeerRun =
  | { kind: "ran"; figures: PeerFigures & { peak_program_mb: number } }
  | { kind: "failed"; detail: string };

export interface Peer {
  command: string[];
  cwd?: string;
  stdin?: string;
}

const BARE = join(import.meta.dir, "bare-crawler.ts");
const FIGURES = [
  "pages",
  "seconds",
  "pages_per_second",
  "cpu_seconds",
  "pages_per_cpu_second",
] as const;
/** Some count a robots.txt as a page when they stop. */
const ENOUGH = 0.95;
const TIMEOUT_MS = 600_000;
const MEMORY_EVERY_MS = 200;

export async function runBare(site: Site, size: CrawlSize): Promise<PeerRun> {
  const command = [process.execPath, BARE, "--max", `${size.max}`];
  return await runPeer({ command, stdin: frontPages(site, size).join("\n") }, size);
}

/** A peer is a script of its own, beside its libraries: it is run where it lies. */
export async function runScript(
  [interpreter, script]: readonly [string, string],
  site: Site,
  size: CrawlSize,
): Promise<PeerRun> {
  const folder = mkdtempSync(join(tmpdir(), "trawl-peer-"));
  const counts = { hosts: size.hosts, max: size.max, concurrency: size.hosts, port: site.port };
  const args = Object.entries(counts).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  const command = [interpreter, basename(script), ...args, "--out", join(folder, "pages.jl")];
  try {
    return await runPeer({ command, cwd: dirname(script) }, size);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runPeer({ command, cwd, stdin }: Peer, { max }: CrawlSize): Promise<PeerRun> {
  let child: Bun.Subprocess<"ignore" | Buffer, "pipe", "pipe">;
  try {
    child = Bun.spawn(command, {
      ...(cwd === undefined ? {} : { cwd }),
      stdin: stdin === undefined ? "ignore" : Buffer.from(stdin),
      stdout: "pipe",
      stderr: "pipe",
      timeout: TIMEOUT_MS,
    });
  } catch (error) {
    return { kind: "failed", detail: (error as Error).message };
  }
  let peakMb = 0;
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, pssMb([child.pid]));
  }, MEMORY_EVERY_MS);
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  clearInterval(sampling);
  const lastWords = (err.trim() || out.trim()).split("\n").at(-1) ?? "";
  if (code !== 0) return { kind: "failed", detail: `it ended with ${code}: ${lastWords}` };
  const figures = figuresIn(out);
  if (figures === null) return { kind: "failed", detail: `no figures: ${lastWords}` };
  if (figures.pages < max * ENOUGH) {
    return { kind: "failed", detail: `${figures.pages} of ${max} pages: ${lastWords}` };
  }
  return { kind: "ran", figures: { ...figures, peak_program_mb: Math.round(peakMb) } };
}

/** Libraries print what they like before it. */
export function figuresIn(output: string): PeerFigures | null {
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  let said: Partial<PeerFigures>;
  try {
    said = JSON.parse(line);
  } catch {
    return null;
  }
  const isWhole = FIGURES.every((name) => Number.isFinite(said?.[name]));
  if (typeof said?.peer !== "string" || !isWhole) return null;
  return said as PeerFigures;
}
