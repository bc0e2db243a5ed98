import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  ENTRIES,
  HOMELESS,
  HOMES,
  isInputOutput,
  MAY_IMPORT,
  PURE,
  packageOf,
} from "./support/architecture/imports.ts";
import { functionsOf, isBarrel } from "./support/architecture/measure.ts";
import {
  folderOf,
  namedImports,
  readSource,
  resolveImport,
  root,
  type SourceFile,
  sources,
  valueImports,
  withoutComments,
} from "./support/architecture/source.ts";

const product = [...sources("src"), ...sources("templates")];
const modules = product.filter(({ path }) => !path.startsWith("templates/assets/"));
const tests = sources("test");
const all = [...product, ...tests];

/** Every file of `files` in which `find` finds something, all at once. */
function breaches(files: SourceFile[], find: (file: SourceFile) => string[]): string[] {
  return files.flatMap((file) => find(file).map((what) => `${file.path}: ${what}`));
}

/** Lines of code, comments apart, that match. */
function linesWith(pattern: RegExp): (file: SourceFile) => string[] {
  return ({ text }) =>
    withoutComments(text)
      .split("\n")
      .flatMap((line, i) => (pattern.test(line) ? [`${i + 1}: ${line.trim()}`] : []));
}

describe("imports", () => {
  test("run one way", () => {
    const wrong = breaches(modules, (file) => {
      const own = folderOf(file.path);
      const allowed = MAY_IMPORT[own] ?? [];
      if (allowed === "everything" || file.path === "src/main.ts") return [];
      const ground = PURE.includes(own) ? [] : ["ground"];
      const within = new Set([own, ...ground, ...allowed]);
      const targets = valueImports(file).map((name) => resolveImport(file, name));
      return targets
        .filter((target) => target !== null && /^(src|templates)\//.test(target))
        .filter((target) => !within.has(folderOf(target!)))
        .map((target) => `may not import ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test("each folder has a row in the table", () => {
    const folders = new Set(modules.map(({ path }) => folderOf(path)));
    expect([...folders].filter((folder) => !(folder in MAY_IMPORT))).toEqual([]);
  });

  test("each package stays at home, and each dependency has one", () => {
    const away = breaches(modules, (file) =>
      valueImports(file)
        .filter((name) => !name.startsWith("."))
        .filter((name) => !isAtHome(packageOf(name), file.path))
        .map((name) => `${name} is not at home here`),
    );
    const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const without = Object.keys(dependencies).filter(
      (name) => !(name in HOMES) && !HOMELESS.includes(name),
    );
    expect([...away, ...without.map((name) => `package.json: ${name} has no home`)]).toEqual([]);
  });

  test("only fetch/ fetches, and the client of the language model", () => {
    const own = /^(src\/fetch\/|src\/enrich\/model\.ts|templates\/assets\/)/;
    const others = product.filter(({ path }) => !own.test(path));
    // A method of that name is declared with a type after its parameters, or over several lines.
    const call = /^(?!\s*(async )?fetch\((.*\): |$)).*(?<![.\w#])fetch\(/;
    expect(breaches(others, linesWith(call))).toEqual([]);
  });

  test("pure folders know no I/O, no clock and no chance", () => {
    const pure = modules.filter(({ path }) => PURE.includes(folderOf(path)));
    const io = breaches(pure, (file) =>
      valueImports(file)
        .filter(isInputOutput)
        .map((name) => `imports ${name}`),
    );
    const chance = linesWith(/\bDate\.now\(|\bMath\.random\(|\bnew Date\(\)|\bperformance\.now\(/);
    expect([...io, ...breaches(pure, chance)]).toEqual([]);
  });

  test("every file is imported by another, and every entry is there", () => {
    const reached = new Set(
      modules.flatMap((file) =>
        namedImports(file)
          .map((name) => resolveImport(file, name))
          .filter((target) => target !== file.path),
      ),
    );
    const lonely = modules
      .map(({ path }) => path)
      .filter((path) => !reached.has(path) && !ENTRIES.includes(path));
    const missing = ENTRIES.filter((path) => !existsSync(join(root, path)));
    expect({ lonely, missing }).toEqual({ lonely: [], missing: [] });
  });

  test("settings are read in cli/ alone, and main.ts alone exits", () => {
    const outside = product.filter(({ path }) => !path.startsWith("src/cli/"));
    const env = breaches(outside, linesWith(/\b(Bun|process|import\.meta)\.env\b/));
    const others = product.filter(({ path }) => path !== "src/main.ts");
    expect([...env, ...breaches(others, linesWith(/\bprocess\.exit\(/))]).toEqual([]);
  });
});

describe("sizes", () => {
  test("files end within 250 lines", () => {
    const long = breaches(all, ({ lines }) =>
      lines.length > 251 ? [`${lines.length - 1} lines`] : [],
    );
    expect(long).toEqual([]);
  });

  test("functions end within 70 lines", () => {
    const long = breaches(all, ({ lines }) =>
      functionsOf(lines)
        .filter(({ length }) => length > 70)
        .map(({ line, length }) => `${line}: a function of ${length} lines`),
    );
    expect(long).toEqual([]);
  });

  test("lines end within 100 columns", () => {
    // The formatter breaks no string: the sentence that names a test may stand out.
    const isTitle = (line: string) => /^\s*(test|describe)[.\w(!)]*\(?"/.test(line);
    const wide = breaches(all, ({ lines }) =>
      lines.flatMap((line, i) =>
        [...line].length > 100 && !isTitle(line) ? [`${i + 1}: ${[...line].length} columns`] : [],
      ),
    );
    expect(wide).toEqual([]);
  });
});

describe("style", () => {
  test("no default exports, no barrels", () => {
    const given = ["src/db/drizzle.config.ts"];
    const own = all.filter(({ path }) => !given.includes(path));
    const barrels = breaches(product, ({ text }) =>
      isBarrel(withoutComments(text)) ? ["hands on the exports of others and nothing else"] : [],
    );
    expect([...breaches(own, linesWith(/^export default\b/)), ...barrels]).toEqual([]);
  });

  test("no names that say nothing", () => {
    const empty = /(^|[-_.])(utils?|common|manager|service|handler|helpers?|misc)([-_.]|$)/;
    const files = breaches(all, ({ path }) =>
      path
        .split("/")
        .filter((name) => empty.test(name))
        .map((name) => `the name ${name}`),
    );
    const classes = /\bclass \w*(Utils?|Manager|Service|Handler|Helpers?)\b/;
    expect([...files, ...breaches(product, linesWith(classes))]).toEqual([]);
  });

  test("no raw HTML and no code in attributes", () => {
    const raw = linesWith(/dangerouslySetInnerHTML|\bhx-on|"javascript:/);
    expect(breaches(product, raw)).toEqual([]);
  });

  test("each .tsx names its JSX runtime: the tsconfig that Bun heeds is the one of the cwd", () => {
    const pragma = "/** @jsxRuntime automatic @jsxImportSource preact */";
    const without = all.filter(({ path, lines }) => path.endsWith(".tsx") && lines[0] !== pragma);
    expect(without.map(({ path }) => path)).toEqual([]);
  });

  test("each folder of src has a README of 10 to 30 lines, diagrams apart", () => {
    const folders = readdirSync(join(root, "src"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `src/${entry.name}/README.md`);
    const wrong = folders.flatMap((path) => {
      if (!existsSync(join(root, path))) return [`${path} is missing`];
      const text = readSource(path).text.replace(/```[\s\S]*?```\n?/g, "");
      const length = text.trimEnd().split("\n").length;
      return length < 10 || length > 30 ? [`${path} has ${length} lines`] : [];
    });
    expect(wrong).toEqual([]);
  });
});

describe("tests", () => {
  test("wait for conditions, never for fixed times", () => {
    // A bench keeps a pace, support waits for conditions.
    const outside = tests.filter(({ path }) => !/^test\/(support|bench)\//.test(path));
    const sleep = /\bBun\.sleep(Sync)?\(|\bsetTimeout\((done|resolve), |timers\/promises"/;
    expect(breaches(outside, linesWith(sleep))).toEqual([]);
  });

  test("test something", () => {
    const idle = /\b(test|it|describe)\.(skip|todo|only)\b|expect\(true\)\.toBe\(true\)/;
    expect(breaches(tests, linesWith(idle))).toEqual([]);
  });
});

function isAtHome(name: string, path: string): boolean {
  // JSX is written where pages are answered; its runtime comes with it.
  if (name === "preact" && path.endsWith(".tsx") && path.startsWith("src/http/")) return true;
  const homes = HOMES[name];
  return homes === undefined || homes.some((home) => path.startsWith(home));
}
