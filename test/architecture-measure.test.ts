import { describe, expect, test } from "bun:test";
import { isInputOutput, packageOf } from "./support/architecture/imports.ts";
import { functionsOf, isBarrel } from "./support/architecture/measure.ts";
import { folderOf, valueImports, withoutComments } from "./support/architecture/source.ts";

/** The checks of architecture.test.ts must be able to fail: what they measure, on small samples. */
const lengths = (code: string): number[] =>
  functionsOf(code.split("\n")).map(({ length }) => length);

describe("functions are measured", () => {
  const rows: [name: string, code: string, expected: number[]][] = [
    ["a function", "export function a(): void {\n  b();\n}", [3]],
    ["an async one", "async function a(b: string) {\n  b();\n}", [3]],
    ["an arrow", "const a = (b: string) => {\n  b();\n  b();\n};", [4]],
    ["an arrow with a return type", "const a = (): Promise<void> => {\n  b();\n};", [3]],
    ["an argument", "b(1, () => {\n  c();\n});", [3]],
    ["a method", "class A {\n  b(): void {\n    c();\n  }\n}", [3]],
    ["a getter", "class A {\n  get b() {\n    return 1;\n  }\n}", [3]],
    ["one in another", "function a() {\n  const b = () => {\n    c();\n  };\n}", [5, 3]],
    ["a head of several lines", "function a(\n  b: string,\n): Promise<void> {\n  c();\n}", [5]],
    ["a type of several lines", "function a(): Promise<{\n  b: 1;\n}> {\n  c();\n}", [5]],
    ["an inner block does not end it", "function a() {\n  if (b) {\n    c();\n  }\n}", [5]],
    ["blocks are none", "if (a) {\n  b();\n} else if (c) {\n  d();\n}", []],
    ["nor are long conditions", "if (\n  a &&\n  b\n) {\n  c();\n}", []],
    ["nor are loops", "for (const a of b()) {\n  c();\n}\nwhile (a()) {\n  b();\n}", []],
    ["nor is a catch", "try {\n  a();\n} catch (error) {\n  b();\n}", []],
    ["nor are describe blocks", 'describe("a", () => {\n  b();\n});', []],
    ["nor are types", "interface A {\n  b: string;\n}\nconst a = {\n  b,\n};", []],
  ];
  test.each(rows)("%s", (_, code, expected) => expect(lengths(code)).toEqual(expected));
});

describe("a barrel", () => {
  const rows: [code: string, expected: boolean][] = [
    ['export { a } from "./a.ts";\nexport * from "./b.ts";', true],
    ['export type { A, B } from "./a.ts";', true],
    ['export * as c from "./c.ts";', true],
    ['export { a } from "./a.ts";\nexport const b = 1;', false],
    ["export const b = 1;", false],
    ["", false],
  ];
  test.each(rows)("%j: %p", (code, expected) => expect(isBarrel(code)).toBe(expected));
});

describe("imports", () => {
  const imports = (path: string, text: string) => valueImports({ path, text, lines: [] });

  test("of types alone are none", () => {
    const text = 'import type { A } from "./a.ts";\nimport { type B } from "./b.ts";';
    expect(imports("src/x/y.ts", text)).toEqual([]);
  });

  test("are seen in every form", () => {
    const text = [
      'import { a } from "./a.ts"; a();',
      'export { b } from "./b.ts";',
      'import "./c.ts";',
      'await import("./d.ts");',
    ].join("\n");
    expect(imports("src/x/y.ts", text).toSorted()).toEqual([
      ...["./a.ts", "./b.ts", "./c.ts", "./d.ts"],
    ]);
  });

  test("by JSX are not the file's own; a generic arrow is no JSX", () => {
    expect(imports("templates/x.tsx", "export const A = () => <b>a</b>;")).toEqual([]);
    expect(imports("src/x/y.ts", "export const a = <T>(b: T): T => b;")).toEqual([]);
  });

  test("are of a package", () => {
    expect(packageOf("@orama/stemmers/french")).toBe("@orama/stemmers");
    expect(packageOf("drizzle-orm/pg-core")).toBe("drizzle-orm");
    expect(packageOf("node:dns/promises")).toBe("node:dns");
  });

  test("that reach outside are known", () => {
    for (const name of ["node:fs", "fs/promises", "node:dns", "bun:sqlite", "bun", "net"]) {
      expect([name, isInputOutput(name)]).toEqual([name, true]);
    }
    for (const name of ["node:crypto", "node:zlib", "tldts", "netmask", "node:path"]) {
      expect([name, isInputOutput(name)]).toEqual([name, false]);
    }
  });
});

test("folders of paths", () => {
  expect(folderOf("src/url/host.ts")).toBe("url");
  expect(folderOf("src/search/sqlite/open.ts")).toBe("search");
  expect(folderOf("src/log.ts")).toBe("ground");
  expect(folderOf("templates/words/en.ts")).toBe("templates");
});

test("comments are no code, and lines keep their numbers", () => {
  const code = 'a(); // Date.now()\n/* Date.now()\n */\nb("http://c");';
  expect(withoutComments(code).split("\n")).toEqual(["a(); ", "", "", 'b("http://c");']);
});
