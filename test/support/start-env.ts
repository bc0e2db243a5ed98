import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");

/** What `npm start` sets for the program: what is measured elsewhere is measured so too. */
export const START_ENV: Readonly<Record<string, string>> = startEnv();

function startEnv(): Record<string, string> {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const [, pairs] = /^exec env ((?:\S+=\S+ )+)bun src\/main\.ts start$/.exec(scripts.start) ?? [];
  if (pairs === undefined) throw new Error(`what is set by "${scripts.start}"?`);
  return Object.fromEntries(
    pairs
      .trim()
      .split(" ")
      .map((pair) => pair.split("=")),
  );
}
