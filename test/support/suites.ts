import { existsSync } from "node:fs";
import { join } from "node:path";

const root =
  process.env.TRAWL_SUITES ?? join(import.meta.dir, "..", "..", "..", "shared", "suites");
const toolsRoot = join(root, "..", "tools");

/**
 * Path of a public test suite beside the repository; null, and a visible line, when it is not
 * there.
 */
export const suite = (path: string): string | null => find(join(root, path));

/** Path of a test tool that lies beside the suites. */
export const tool = (name: string): string | null => find(join(toolsRoot, name));

function find(path: string): string | null {
  if (existsSync(path)) return path;
  console.warn(`skipped: ${path} is not there (see test/README.md)`);
  return null;
}
