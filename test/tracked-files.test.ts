import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./support/architecture/source.ts";

/** Files of the repository, also those that are new and not yet committed. */
const tracked = trackedFiles();

test("no file names a machine or a registry", () => {
  const machine = /\/(work|farm|workspace)\/|\/tmp\/bash_|\/(home|Users)\/\w+\/\./;
  const registry = /registry\.(npmjs|yarnpkg|npmmirror)\.(org|com)|npm\.(pkg\.github|jsr)\./;
  const named = tracked.flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    if (text.includes("\0")) return [];
    return text.split("\n").flatMap((line, i) => {
      const found = machine.exec(line) ?? registry.exec(line);
      return found ? [`${path}: ${i + 1}: ${found[0]}`] : [];
    });
  });
  expect(named).toEqual([]);
});

test("the lock file names no address that a package came from", () => {
  const lock: { packages: Record<string, { resolved?: string }> } = JSON.parse(
    readFileSync(join(root, "package-lock.json"), "utf8"),
  );
  const resolved = Object.entries(lock.packages)
    .filter(([, { resolved }]) => /^(https?|git)/.test(resolved ?? ""))
    .map(([path]) => path);
  expect(resolved).toEqual([]);
  expect(Object.keys(lock.packages).length).toBeGreaterThan(1);
});

test("every dependency has an exact version", () => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)),
  );
  expect(loose).toEqual([]);
});

/** By git; where the tree is no checkout (an archive of it), the folders that are our own. */
function trackedFiles(): string[] {
  const command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listed = Bun.spawnSync(command, { cwd: root, stderr: "ignore" });
  const paths = listed.success
    ? listed.stdout.toString().split("\0")
    : [...new Bun.Glob("{*,{src,templates,test,seeds,.ci}/**}").scanSync({ cwd: root, dot: true })];
  // Fixtures are pages of others: a path in them is a path of theirs.
  const own = paths.filter((path) => path !== "" && !path.startsWith("test/fixtures/"));
  return own.filter((path) => existsSync(join(root, path)));
}
