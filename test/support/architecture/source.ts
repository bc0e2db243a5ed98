import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

export const root = join(import.meta.dir, "..", "..", "..");

export interface SourceFile {
  /** From the root of the repository, with `/`. */
  path: string;
  text: string;
  lines: string[];
}

/** Files under a folder that match, fixtures apart. */
export function sources(folder: string, pattern = "**/*.{ts,tsx,js}"): SourceFile[] {
  const paths = [...new Bun.Glob(`${folder}/${pattern}`).scanSync({ cwd: root })].toSorted();
  return paths.filter((path) => !path.startsWith("test/fixtures/")).map(readSource);
}

export function readSource(path: string): SourceFile {
  const text = readFileSync(join(root, path), "utf8");
  return { path, text, lines: text.split("\n") };
}

/** What a file imports at run time: `import type` is erased, and the JSX runtime is not its own. */
export function valueImports({ path, text }: SourceFile): string[] {
  const loader = path.endsWith(".tsx") ? "tsx" : path.endsWith(".js") ? "js" : "ts";
  const scanned = new Bun.Transpiler({ loader }).scanImports(text.replace(/^#!.*/, ""));
  return scanned.map((found) => found.path).filter((name) => !/^p?react(\/jsx-.*)?$/.test(name));
}

/** All that a file names in an import, types too. */
export function namedImports({ text }: SourceFile): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, name]) => name!);
}

/** Repository path of a relative import, null for a package. */
export function resolveImport({ path }: SourceFile, name: string): string | null {
  return name.startsWith(".") ? normalize(join(dirname(path), name)) : null;
}

/** `src/url/host.ts` is in `url`, `templates/x/y.tsx` in `templates`, `src/log.ts` in `ground`. */
export function folderOf(path: string): string {
  const [top = "", second = "", third] = path.split("/");
  if (top !== "src") return top;
  return third === undefined ? "ground" : second;
}

/** The code without comments, line by line as it was: words in prose are no breach. */
export function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ""))
    .replace(/(^|\s)\/\/[^\n]*/g, "$1");
}
