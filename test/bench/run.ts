/**
 * `bun run bench <name> [options]` runs test/bench/<name>.bench.ts, which prints one JSON value.
 * Without a name it lists them.
 */
import { join } from "node:path";

const [name, ...args] = process.argv.slice(2);
const names = [...new Bun.Glob("*.bench.ts").scanSync(import.meta.dir)]
  .map((file) => file.replace(".bench.ts", ""))
  .sort();
if (name === undefined) {
  console.log(
    `bun run bench <name> [options]; test/bench/README.md says more\n${names.join("\n")}`,
  );
  process.exit(0);
}
if (!names.includes(name)) {
  process.stderr.write(`There is no bench ${name}, but ${names.join(", ")}\n`);
  process.exit(2);
}
const file = join(import.meta.dir, `${name}.bench.ts`);
const child = Bun.spawn([process.execPath, file, ...args], {
  cwd: join(import.meta.dir, "..", ".."),
  stdio: ["inherit", "inherit", "inherit"],
});
process.exit(await child.exited);
