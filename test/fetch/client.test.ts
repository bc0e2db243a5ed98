import { afterEach, describe, expect, test } from "bun:test";
import zlib from "node:zlib";
import type { Outcome } from "../../src/fetch/outcome.ts";
import { until } from "../support/until.ts";
import { knowing, requestFor, Slots, textOf } from "./client-for.ts";
import { html, httpAnswer } from "./origin.ts";
import { at, clientWith, closeScene, originWith, page } from "./scene.ts";

afterEach(closeScene);

describe("a page", () => {
  test("comes with all that the crawl reads", async () => {
    const origin = await originWith((socket) =>
      socket.write(
        httpAnswer(
          "200 OK",
          {
            "Content-Type": "text/html; charset=ISO-8859-1",
            "Content-Encoding": "gzip",
            ETag: '"1"',
            "X-Robots-Tag": "noarchive",
          },
          zlib.gzipSync(html("hello")),
        ),
      ),
    );
    const outcome = await clientWith().fetch(requestFor(at(origin)));
    expect(textOf(outcome)).toBe(html("hello"));
    expect(outcome).toMatchObject({
      kind: "fetched",
      status: 200,
      contentType: "text/html",
      charset: "iso-8859-1",
      address: "127.0.0.1",
      headers: { etag: '"1"', robotsTag: ["noarchive"] },
    });
    if (outcome.kind !== "fetched") return;
    expect(outcome.wireBytes).toBeGreaterThan(zlib.gzipSync(html("hello")).length);
    expect(outcome.timing.endedAt).toBeGreaterThanOrEqual(outcome.timing.startedAt);
    expect(outcome.body.byteLength).toBe(outcome.body.buffer.byteLength);
  });

  test("is asked for honestly, and under its own name", async () => {
    const origin = await originWith(page);
    const client = clientWith({ resolver: knowing({ "a.example": ["127.0.0.1"] }) });
    await client.fetch(requestFor(`http://A.example:${origin.port}/caf\u00e9?q=a b#c`));
    expect(origin.asked[0]?.head.split("\r\n")).toEqual([
      "GET /caf%C3%A9?q=a%20b HTTP/1.1",
      `Host: a.example:${origin.port}`,
      "User-Agent: Trawl/0 (test)",
      expect.stringMatching(/^Accept: text\/html,application\/xhtml\+xml,/),
      "Accept-Encoding: gzip, br, deflate, zstd",
    ]);
  });

  test("is asked for with the validators of the last visit", async () => {
    const origin = await originWith((socket, { head }) =>
      socket.write(
        head.includes('If-None-Match: W/"caf\u00e9"')
          ? httpAnswer("304 Not Modified", { ETag: '"2"' })
          : httpAnswer("200 OK", {}, html("x")),
      ),
    );
    const client = clientWith();
    const validators = { etag: 'W/"caf\u00e9"', lastModified: "Mon, 30 Nov 2026 10:00:00 GMT" };
    const outcome = await client.fetch(requestFor(at(origin), { validators }));
    expect(outcome).toMatchObject({ kind: "unchanged", headers: { etag: '"2"' } });
    expect(origin.asked[0]?.head).toContain("If-Modified-Since: Mon, 30 Nov 2026 10:00:00 GMT");
    const evil = { etag: '"a"\r\nEvil: 1', lastModified: "\u0000" };
    await client.fetch(requestFor(at(origin), { validators: evil }));
    expect(origin.asked[1]?.head).not.toContain("Evil");
  });
});

describe("each status is an outcome", () => {
  const table: [status: string, headers: Record<string, string>, outcome: Partial<Outcome>][] = [
    ["200 OK", {}, { kind: "fetched" }],
    ["203 Other", {}, { kind: "fetched" }],
    ["206 Partial Content", {}, { kind: "rejected", status: 206 }],
    ["300 Choices", { Location: "/x" }, { kind: "rejected", status: 300 }],
    ["301 Moved", { Location: "/x" }, { kind: "redirected", status: 301 }],
    ["308 Moved", { Location: "http://b.example/" }, { location: "http://b.example/" }],
    ["302 Found", {}, { kind: "redirected", location: null }],
    ["304 Not Modified", {}, { kind: "unavailable", status: 304 }],
    ["400 Bad", {}, { kind: "rejected", status: 400 }],
    ["403 No", {}, { kind: "rejected", status: 403 }],
    ["404 None", {}, { kind: "gone", status: 404 }],
    ["408 Late", {}, { kind: "unavailable", status: 408 }],
    ["410 Gone", {}, { kind: "gone", status: 410 }],
    ["425 Early", {}, { kind: "unavailable", status: 425 }],
    ["429 Slow", {}, { kind: "throttled", status: 429, retryAfterMs: null }],
    ["429 Slow", { "Retry-After": "3" }, { kind: "throttled", retryAfterMs: 3_000 }],
    ["429 Slow", { "Retry-After": "soon" }, { kind: "throttled", retryAfterMs: null }],
    ["500 Oops", {}, { kind: "unavailable", status: 500 }],
    ["501 No", {}, { kind: "rejected", status: 501 }],
    ["503 Down", {}, { kind: "unavailable", status: 503 }],
    ["503 Down", { "Retry-After": "60" }, { kind: "throttled", retryAfterMs: 60_000 }],
    ["522 Edge", {}, { kind: "unavailable", status: 522 }],
    ["530 Edge", {}, { kind: "rejected", status: 530 }],
    ["999 No", {}, { kind: "rejected", status: 999 }],
  ];
  test.each(table)("%s %p", async (status, headers, outcome) => {
    const origin = await originWith((socket) => socket.write(httpAnswer(status, headers, "x")));
    const slots = new Slots();
    const got = await clientWith().fetch(requestFor(at(origin), { slot: slots.take }));
    expect(got).toMatchObject(outcome);
    expect(slots).toMatchObject({ held: 0, sent: 1 });
  });
});

describe("types", () => {
  test.each(["image/png", "application/json", "video/mp4"])(
    "%s is not downloaded",
    async (type) => {
      let written = 0;
      const origin = await originWith((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: 4000000\r\n\r\n`);
        const timer = setInterval(() => {
          if (socket.destroyed) clearInterval(timer);
          else socket.write(Buffer.alloc(1_000), () => (written += 1_000));
        }, 5);
      });
      const outcome = await clientWith().fetch(requestFor(at(origin)));
      expect(outcome).toEqual({ kind: "unsupported", contentType: type });
      await until(() => origin.open() === 0, { what: "the end of the connection" });
      expect(written).toBeLessThan(100_000);
    },
  );

  test("are not looked at where any will do", async () => {
    const body = Buffer.from("\x89PNG\r\n\0\0\0", "latin1");
    const type = { "Content-Type": "image/png" };
    const origin = await originWith((socket) => socket.write(httpAnswer("200 OK", type, body)));
    const client = clientWith();
    for (const accept of ["any", "robots"] as const) {
      const outcome = await client.fetch(requestFor(at(origin), { accept }));
      expect(outcome).toMatchObject({ kind: "fetched", contentType: "image/png" });
    }
  });

  test("robots.txt is cut at its cap, packed or not, however long it says to be", async () => {
    const text = Buffer.alloc(2_000_000, "Disallow: /x\n");
    const origin = await originWith((socket, { path }) => {
      const packed = path === "/packed" ? { "Content-Encoding": "gzip" } : {};
      const body = path === "/packed" ? zlib.gzipSync(text) : text;
      socket.write(httpAnswer("200 OK", { "Content-Type": "text/plain", ...packed }, body));
    });
    const client = clientWith();
    for (const path of ["/plain", "/packed"]) {
      const request = requestFor(at(origin, path), { accept: "robots", bytesMax: 512_000 });
      expect(textOf(await client.fetch(request)).length).toBe(512_000);
    }
  });
});
