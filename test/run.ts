/**
 * The test command: type-checks, lints, runs the suite, and ends with a line `N passed, N failed`
 * read from the junit report. `--long` adds the full matrices under test/long. Further arguments
 * go to `bun test` (a folder or file narrows the run, and leaves type-check and lint out).
 */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { START_ENV } from "./support/start-env.ts";

const root = join(import.meta.dir, "..");
const bun = process.execPath;
const report = join(root, "test", "output", "junit.xml");
const args = process.argv.slice(2);
const long = args.includes("--long");
const narrowed = args.filter((arg) => arg !== "--long");

/** Tests against real processes take their time on a small machine; a hang must still end. */
const TEST_MS = 120_000;
/** Most tests wait more than they compute. A worker keeps its modules, and its Postgres. */
const AT_ONCE = ["--parallel=3", "--no-isolate"];
/** What is measured in milliseconds, or measures the machine, has it for itself. */
const ALONE = [
  "test/acceptance/hard-cases-many-hosts.test.ts",
  "test/acceptance/loop-lag.test.ts",
  "test/acceptance/politeness.test.ts",
  "test/acceptance/sitemaps-large.test.ts",
  "test/acceptance/whole.test.ts",
  "test/crawl/authority.test.ts",
  "test/db/plans.test.ts",
];
/** Minutes of work for the whole machine: after everything else has said what it has to say. */
const LAST = "test/bench/speed.test.ts";

interface Count {
  passed: number;
  failed: number;
}

async function step(name: string, command: string[]): Promise<Count> {
  const began = performance.now();
  const env = { ...START_ENV, ...process.env };
  const child = Bun.spawn(command, { cwd: root, env, stdout: "inherit", stderr: "inherit" });
  const failed = (await child.exited) === 0 ? 0 : 1;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${failed ? "FAILED" : "ok"}  ${name}  ${seconds} s`);
  return { passed: 1 - failed, failed };
}

/** A run that dies has no report, or one without its last files: that is a failure too. */
async function suite(name: string, files: string[], how: string[] = []): Promise<Count> {
  mkdirSync(join(root, "test", "output"), { recursive: true });
  rmSync(report, { force: true });
  const reporter = ["--reporter=junit", `--reporter-outfile=${report}`];
  const { failed: died } = await step(name, [
    bun,
    "test",
    `--timeout=${TEST_MS}`,
    ...reporter,
    ...how,
    ...files,
  ]);
  const count = readReport();
  return died && count.failed === 0 ? { ...count, failed: 1 } : count;
}

function readReport(): Count {
  let xml: string;
  try {
    xml = readFileSync(report, "utf8");
  } catch {
    return { passed: 0, failed: 1 };
  }
  const total = /<testsuites[^>]*\btests="(\d+)"[^>]*\bfailures="(\d+)"/.exec(xml);
  const skipped = Number(/<testsuites[^>]*\bskipped="(\d+)"/.exec(xml)?.[1] ?? 0);
  if (!total) return { passed: 0, failed: 1 };
  const failed = Number(total[2]);
  return { passed: Number(total[1]) - failed - skipped, failed };
}

const counts: Count[] = [];
if (narrowed.length === 0) {
  counts.push(await step("type-check", [bun, "x", "tsc", "--noEmit"]));
  counts.push(await step("lint", [bun, "x", "biome", "ci", "--error-on-warnings", "."]));
}
if (narrowed.length > 0) counts.push(await suite("test", narrowed));
else {
  const rest = filesLike("test/**/*.test.ts").filter((file) => ![...ALONE, LAST].includes(file));
  counts.push(await suite("test", rest.map(asPath), AT_ONCE));
  counts.push(await suite("test, one at a time", ALONE.map(asPath)));
}
if (long) counts.push(await suite("test:long", filesLike("test/long/*.long.ts").map(asPath)));
if (narrowed.length === 0) counts.push(await suite("speed", [asPath(LAST)]));

function filesLike(pattern: string): string[] {
  return [...new Bun.Glob(pattern).scanSync(root)].sort();
}

/** A bare name would be a pattern that matches others too. */
function asPath(file: string): string {
  return `./${file}`;
}

const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
