import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { silentLog } from "../../src/log.ts";
import { openIndex } from "../../src/search/open.ts";
import type { SearchIndex } from "../../src/search/port.ts";
import { search } from "../../src/search/search.ts";
import { suggest } from "../../src/search/suggest.ts";
import { documentOf } from "../search/documents.ts";
import { ATTACKS, GROWING } from "../search/hostile.ts";
import { publicSite, servePublicSite } from "../support/public-site.ts";
import { gazetteerOf } from "../support/regions.ts";

/*
 * The real index behind the real server: whatever is asked gets 200 or 4xx, in time, and no part
 * says that it did not understand. /suggest hides failures, so they are noted here.
 */

const dataDir = mkdtempSync(join(tmpdir(), "trawl-bytes-"));
const gazetteer = gazetteerOf();
const failures: unknown[] = [];
const PATHS = ["/search", "/search.rss", "/api/search", "/suggest"];
const IN_TIME_MS = 2_000;
let index: SearchIndex;
let site: ReturnType<typeof publicSite>;
let serving: ReturnType<typeof servePublicSite>;

beforeAll(async () => {
  index = await openIndex({ dataDir, log: silentLog });
  const words = ["amber", "birch", "l'eau", "東京都", "a", "site", "fr"];
  const puts = Array.from({ length: 60 }, (_, at) =>
    index.put(
      documentOf({ id: at + 1, title: words[at % 7]!, text: words.slice(at % 4).join(" ") }),
    ),
  );
  await Promise.all(puts);
  const noted = <T>(asked: Promise<T>) =>
    asked.catch((error: unknown) => {
      failures.push(error);
      throw error;
    });
  const deps = {
    search: (request: Parameters<typeof search>[1]) => noted(search(index, request, { gazetteer })),
    suggest: (prefix: string) => noted(suggest(index, prefix)),
  };
  site = publicSite(deps);
  serving = servePublicSite(deps);
});
afterAll(async () => {
  await serving.stop();
  await index.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const percent = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

async function check(query: string): Promise<void> {
  for (const path of PATHS) {
    const began = performance.now();
    const answer = await site.ask(`${path}?${query}`);
    const body = await answer.text();
    expect([200, 400], `${path}?${query}`).toContain(answer.status);
    expect(performance.now() - began).toBeLessThan(IN_TIME_MS);
    expect(body.length).toBeGreaterThan(0);
    if (path === "/api/search") expect(JSON.parse(body)).toBeObject();
    expect(body).not.toMatch(/fts5: |SQLiteError|no such column|unterminated string/);
  }
  expect(failures).toEqual([]);
}

/** A lone surrogate as a browser of old would send it, in three bytes. */
const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(
    Array.from(text).flatMap((char) => {
      const code = char.codePointAt(0)!;
      const isHalf = code >= 0xd800 && code <= 0xdfff;
      if (!isHalf) return [...Buffer.from(char)];
      return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
    }),
  );

test("each attack, alone, behind a word, and as every parameter", async () => {
  const others = ["lang", "host", "category", "region", "year", "from", "to", "page", "per_page"];
  for (const [at, attack] of ATTACKS.entries()) {
    const said = percent(bytesOf(attack.slice(0, 300)));
    await check(`q=${said}`);
    await check(`q=amber+${said}&sort=date&explain=1`);
    await check(`q=amber&${others[at % others.length]}=${said}`);
  }
}, 120_000);

const names = ["q", "page", "per_page", "lang", "host", "category", "year", "from", "to"];
const name = fc.constantFrom(...names, "sort", "region", "collapse", "explain", "q[]", "__proto__");
const value = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 40 }).map(bytesOf),
  fc.constantFrom(...ATTACKS, "0", "1", "-1", "1e9", "", "2020-01-01", "none").map(bytesOf),
  fc.array(fc.constantFrom(...ATTACKS), { maxLength: 6 }).map((all) => bytesOf(all.join(" "))),
);

test("any bytes as any parameters, once, again, as arrays and empty", async () => {
  const query = fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(value, query, async (words, all) => {
      const rest = all.map(([own, bytes]) => `${own}=${percent(bytes)}`);
      await check([`q=${percent(words)}`, ...rest].join("&"));
      await check([...rest, "q", "=", "&&"].join("&"));
    }),
    { numRuns: 150 },
  );
}, 120_000);

test("texts that grow, up to the longest query and past it", async () => {
  for (const grown of Object.values(GROWING)) {
    for (const length of [64, 1_000, 8_000]) await check(`q=${percent(bytesOf(grown(length)))}`);
  }
}, 120_000);

/** What comes back for these bytes; empty: the connection was closed. */
function send(bytes: Buffer): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const parts: Buffer[] = [];
  const socket = connect(serving.port, "127.0.0.1", () => socket.write(bytes));
  socket.setTimeout(5_000, () => socket.destroy(new Error("no answer")));
  socket.on("data", (part) => parts.push(Buffer.from(part)));
  socket.on("error", (error: NodeJS.ErrnoException) =>
    error.code === "ECONNRESET" || error.code === "EPIPE" ? resolve("") : reject(error),
  );
  socket.on("close", () => resolve(Buffer.concat(parts).toString("latin1")));
  return promise;
}

const asking = (target: string, method = "GET"): Buffer =>
  Buffer.from(
    `${method} ${target} HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n`,
    "latin1",
  );
const statusOf = (answer: string): number => Number(answer.split(" ")[1] ?? 0);

const CONTROL = /\p{Cc}/u;

test("odd bytes in the request line itself", async () => {
  const targets = [
    "\xff\xfe",
    "\x01\x7f",
    "%",
    "%f",
    "%%%",
    "\xed\xa0\x80",
    '"',
    "\\",
    "{}|^`",
    "#a",
  ];
  for (const odd of targets) {
    for (const path of PATHS) {
      for (const target of [`${path}?q=${odd}`, `${path}?${odd}=a`, `${path}?q=a&page=${odd}`]) {
        const answer = await send(asking(target));
        const status = statusOf(answer);
        // A control character ends the line for Bun itself: closed, or no version of HTTP.
        const isNoLine = CONTROL.test(target) && (answer === "" || status === 505);
        expect(isNoLine || status === 200 || (status >= 400 && status < 500), target).toBe(true);
      }
    }
  }
  expect(failures).toEqual([]);
  expect(statusOf(await send(asking("/search?q=amber")))).toBe(200);
}, 60_000);

test("a query of 70,000 characters: 4xx, and words that say so", async () => {
  for (const path of PATHS.slice(0, 3)) {
    const answer = await site.ask(`${path}?q=${"a".repeat(70_000)}`);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("1,000");
  }
  for (const path of PATHS) {
    const status = statusOf(await send(asking(`${path}?q=${"a".repeat(70_000)}`)));
    expect(path === "/suggest" ? [200, 414, 431] : [400, 414, 431]).toContain(status);
  }
});

test("other methods are refused", async () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    for (const path of PATHS) {
      const { status } = await site.ask(`${path}?q=amber`, { method });
      expect(status >= 400 && status < 500, `${method} ${path}: ${status}`).toBe(true);
    }
  }
});
