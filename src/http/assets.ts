import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { Elysia } from "elysia";
import { OPEN } from "./auth.ts";
import { notFound } from "./refusal.ts";

/** Files that pages refer to, under names that change with their content. */
export interface Assets {
  /** `app.css` -> `/assets/app.1a2b3c4d5e.css`. Throws for a name nobody serves: a bug. */
  path(name: string): string;
  /** By hashed file name. */
  read(file: string): Asset | null;
}

export interface Asset {
  type: string;
  body: Buffer;
  /** Compressed once, at the first request that accepts it. */
  encoded(encoding: "br" | "gzip"): Buffer;
}

const OWN_FOLDER = join(import.meta.dir, "..", "..", "templates", "assets");

/**
 * From npm; htmx throws when imported on a server, so its file is read. Its extension is in the
 * same one: htmx looks at the page in the next moment, and would not see one that comes later.
 */
const FROM_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "htmx.js": ["htmx.org/dist/htmx.min.js", "htmx.org/dist/ext/hx-sse.min.js"],
};

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Reads every asset into memory (about 100 kB); synchronous, at start. */
export function loadAssets(): Assets {
  const paths = new Map<string, string>();
  const files = new Map<string, Asset>();
  const add = (name: string, from: readonly string[]) => {
    const type = TYPES[extname(name)];
    if (type === undefined) return;
    const body = Buffer.from(from.map((path) => readFileSync(path, "utf8")).join("\n"));
    const hash = createHash("sha256").update(body).digest("hex").slice(0, 10);
    const file = `${name.slice(0, -extname(name).length)}.${hash}${extname(name)}`;
    paths.set(name, `/assets/${file}`);
    files.set(file, { type, body, encoded: onceEach((encoding) => compress(body, encoding)) });
  };
  for (const name of readdirSync(OWN_FOLDER)) add(name, [join(OWN_FOLDER, name)]);
  for (const [name, paths] of Object.entries(FROM_PACKAGES)) add(name, paths.map(packageFile));
  return {
    path(name) {
      const path = paths.get(name);
      if (path === undefined) throw new Error(`no asset is called ${name}`);
      return path;
    },
    read: (file) => files.get(file) ?? null,
  };
}

export const assetRoutes = (assets: Assets) =>
  new Elysia({ name: "assets" }).get(
    "/assets/:file",
    ({ params, request }) => {
      const asset = assets.read(params.file);
      if (asset === null) throw notFound();
      const accepted = request.headers.get("accept-encoding") ?? "";
      const encoding = (["br", "gzip"] as const).find((each) => accepted.includes(each));
      const body = encoding === undefined ? asset.body : asset.encoded(encoding);
      return new Response(new Uint8Array(body), {
        headers: {
          "content-type": asset.type,
          "cache-control": "public, max-age=31536000, immutable",
          vary: "Accept-Encoding",
          ...(encoding === undefined ? {} : { "content-encoding": encoding }),
        },
      });
    },
    OPEN,
  );

function packageFile(path: string): string {
  const [name = "", ...rest] = path.split("/");
  return join(dirname(Bun.resolveSync(`${name}/package.json`, import.meta.dir)), ...rest);
}

function compress(body: Buffer, encoding: "br" | "gzip"): Buffer {
  if (encoding === "gzip") return gzipSync(body, { level: 9 });
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
}

function onceEach<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}
