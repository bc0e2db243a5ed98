import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { publicFamilies } from "../../src/http/public.ts";
import { serve } from "../../src/http/serve.ts";
import { publicDeps } from "../support/public-site.ts";
import { startApp } from "./ask.ts";
import { createFake } from "./fake.ts";

function start(rateLimitPerS = 0) {
  const logged: string[] = [];
  const fake = createFake({ settings: { rateLimitPerS } });
  const note = (event: string) => void logged.push(event);
  fake.deps.log = { ...fake.deps.log, error: note, warn: note };
  const serving = serve(startApp(fake, publicFamilies(publicDeps())), {
    host: "127.0.0.1",
    port: 0,
  });
  if (serving.kind !== "listening") throw new Error(serving.detail);
  return { ...serving, logged };
}

const site = start();
const narrow = start(1);

afterAll(async () => {
  await site.stop();
  await narrow.stop();
});

/** What comes back for bytes that no client library would send. */
function send(head: string, port = site.port): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const parts: Buffer[] = [];
  const socket = connect(port, "127.0.0.1", () => socket.write(Buffer.from(head, "latin1")));
  socket.on("data", (part) => parts.push(Buffer.from(part)));
  socket.on("error", reject);
  socket.on("close", () => resolve(Buffer.concat(parts).toString()));
  return promise;
}

const asked = (path: string, host: string, port?: number) =>
  send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, port);
const statusOf = (answer: string) => Number(answer.split(" ")[1]);

describe("a Host that cannot be used", () => {
  const hosts = ["", "[::", "a b", "%zz", "<script>", "127.0.0.1:99999", "\xff\xfe", "a:b:c"];
  test.each(hosts)("%j: 400, whatever is asked for, and nothing in the log", async (host) => {
    for (const path of ["/", "/login", "/cached/1", "/admin/hosts/1", "/opensearch.xml", "/nope"]) {
      const answer = await asked(path, host);
      expect(statusOf(answer), path).toBe(400);
      expect(answer, path).toContain("The request does not say which server it is meant for.");
    }
    const status = await asked("/status", host);
    expect(statusOf(status)).toBe(400);
    expect(status).toContain('{"error":{"code":"bad_host"');
    expect(site.logged).toEqual([]);
  });

  test("takes of the client's allowance like any other request", async () => {
    const statuses = new Set<number>();
    for (let at = 0; at < 1_100 && !statuses.has(429); at += 100) {
      const some = Array.from({ length: 100 }, () => asked("/", "a b", narrow.port));
      for (const answer of await Promise.all(some)) statuses.add(statusOf(answer));
    }
    expect([...statuses].sort()).toEqual([400, 429]);
  }, 60_000);
});

test("HTTP/1.0 need not name a host", async () => {
  const statuses = async (paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => statusOf(await send(`GET ${path} HTTP/1.0\r\n\r\n`))));
  const paths = [
    "/",
    "/login",
    "/search?q=tidal",
    "/cached/1",
    "/opensearch.xml",
    "/admin/hosts/1",
  ];
  expect(await statuses(paths)).toEqual([200, 200, 200, 200, 200, 303]);
  expect(await send("GET /opensearch.xml HTTP/1.0\r\n\r\n")).toContain(`${site.url}/search?q=`);
});

test("a host of one letter is a host", async () => {
  for (const [path, status] of [
    ["/cached/1", 200],
    ["/nope", 404],
    ["/api/nope", 404],
  ] as const) {
    expect(statusOf(await asked(path, "a")), path).toBe(status);
  }
  expect(await asked("/api/nope", "a")).toContain('{"error":{"code":"not_found"');
});
