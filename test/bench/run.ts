/**
 * `bun run bench <name> [options]` runs test/bench/<name>.bench.ts, which prints one JSON value.
 * Without a name it lists them.
 */
import { join } from "node:path";

const [name, ...args] = process.argv.slice(2);
const names = [...new Bun.Glob("*.bench.ts").scanSync(import.meta.dir)]
  .map((file) => file.replace(".bench.ts", ""))
  .sort();
if (name === undefined || !names.includes(name)) {
  process.stderr.write(`Usage: bun run bench <${names.join("|")}> [options]\n`);
  process.exit(2);
}
const file = join(import.meta.dir, `${name}.bench.ts`);
const child = Bun.spawn([process.execPath, file, ...args], {
  cwd: join(import.meta.dir, "..", ".."),
  stdio: ["inherit", "inherit", "inherit"],
});
process.exit(await child.exited);
