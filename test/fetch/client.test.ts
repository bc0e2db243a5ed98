import { afterEach, describe, expect, test } from "bun:test";
import zlib from "node:zlib";
import type { FetchClient } from "../../src/fetch/client.ts";
import type { Outcome } from "../../src/fetch/outcome.ts";
import { until } from "../support/until.ts";
import { clientFor, knowing, nameOf, requestFor, Slots, textOf } from "./client-for.ts";
import { type Answer, html, httpAnswer, type Origin, startOrigin } from "./origin.ts";

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close();
});

async function originWith(answer: Answer, options: Parameters<typeof startOrigin>[1] = {}) {
  const origin = await startOrigin(answer, options);
  closing.push(origin);
  return origin;
}

function clientWith(options: Parameters<typeof clientFor>[0] = {}): FetchClient {
  const client = clientFor(options);
  closing.push(client);
  return client;
}

const page: Answer = (socket, { path }) => socket.write(httpAnswer("200 OK", {}, html(path)));
const at = (origin: Origin, path = "/") => `http://127.0.0.1:${origin.port}${path}`;

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
      "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,application/pdf,text/plain;q=0.8",
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

describe("connections", () => {
  test("are kept for the next request, whatever the answer was", async () => {
    const origin = await originWith((socket, { path }) => {
      if (path === "/404") socket.write(httpAnswer("404 None", {}, "x".repeat(1_000)));
      else page(socket, { path, head: "", connection: 0 });
    });
    const client = clientWith();
    for (const path of ["/1", "/404", "/2", "/404", "/3"]) {
      await client.fetch(requestFor(at(origin, path)));
    }
    expect(origin.asked.length).toBe(5);
    expect(origin.connections()).toBe(1);
  });

  test("are not shared by origins, addresses or after bytes that nobody asked for", async () => {
    const origin = await originWith(
      (socket, { path }) => {
        page(socket, { path, head: "", connection: 0 });
        if (path === "/more") socket.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
      },
      { address: "0.0.0.0" },
    );
    const client = clientWith();
    await client.fetch(requestFor(at(origin)));
    await client.fetch(requestFor(`http://127.0.0.2:${origin.port}/`));
    expect(origin.connections()).toBe(2);
    await client.fetch(requestFor(at(origin, "/more")));
    const outcome = await client.fetch(requestFor(at(origin, "/after")));
    expect(textOf(outcome)).toBe(html("/after"));
    expect(origin.connections()).toBe(3);
  });

  test("that went stale are replaced once, unseen", async () => {
    const origin = await originWith((socket, { path, connection }) => {
      if (connection === 1 && path === "/2") socket.destroy();
      else page(socket, { path, head: "", connection });
    });
    const client = clientWith();
    const slots = new Slots();
    await client.fetch(requestFor(at(origin, "/1"), { slot: slots.take }));
    const outcome = await client.fetch(requestFor(at(origin, "/2"), { slot: slots.take }));
    expect(textOf(outcome)).toBe(html("/2"));
    expect(origin.connections()).toBe(2);
    expect(slots).toMatchObject({ held: 0, addresses: ["127.0.0.1", "127.0.0.1"] });
  });

  test("that die fresh, or within an answer, are resets", async () => {
    const origin = await originWith((socket, { path, connection }) => {
      if (path === "/half") socket.end("HTTP/1.1 200 OK\r\nContent-Type: te");
      else if (path === "/dies") socket.destroy();
      else page(socket, { path, head: "", connection });
    });
    const client = clientWith();
    expect(nameOf(await client.fetch(requestFor(at(origin, "/dies"))))).toBe("interrupted reset");
    expect(origin.connections()).toBe(1);
    await client.fetch(requestFor(at(origin, "/ok")));
    expect(nameOf(await client.fetch(requestFor(at(origin, "/half"))))).toBe("interrupted reset");
    expect(origin.connections()).toBe(2);
  });

  test("are closed when idle, and bounded in number", async () => {
    const origin = await originWith(page, { address: "0.0.0.0" });
    const client = clientWith({ idleMs: 300, idleMax: 3 });
    const addresses = [1, 2, 3, 4, 5].map((n) => `http://127.0.0.${n}:${origin.port}/`);
    for (const url of addresses) await client.fetch(requestFor(url));
    await until(() => origin.open() === 3, { what: "the oldest to be closed" });
    await until(() => origin.open() === 0, { what: "the idle to be closed" });
  });

  test("go to the next address when the first refuses", async () => {
    const origin = await originWith(page, { address: "127.0.0.3" });
    const slots = new Slots();
    const resolver = knowing({ "a.example": ["127.0.0.2", "127.0.0.3", "127.0.0.4"] });
    const client = clientWith({ resolver });
    const url = `http://a.example:${origin.port}/`;
    const outcome = await client.fetch(requestFor(url, { slot: slots.take }));
    expect(outcome).toMatchObject({ kind: "fetched", address: "127.0.0.3" });
    expect(slots).toMatchObject({ held: 0, sent: 1, addresses: ["127.0.0.2", "127.0.0.3"] });
  });

  test("that cannot be made count on the host", async () => {
    const slots = new Slots();
    const origin = await startOrigin(page);
    await origin.close();
    const outcome = await clientWith().fetch(requestFor(at(origin), { slot: slots.take }));
    expect(nameOf(outcome)).toBe("unreachable connect");
    expect(slots).toMatchObject({ held: 0, sent: 0 });
  });
});

describe("limits", () => {
  const never: Answer = () => {};
  const drip =
    (head: string): Answer =>
    (socket) => {
      socket.write(head);
      const timer = setInterval(() => {
        if (socket.destroyed) clearInterval(timer);
        else socket.write("a");
      }, 20);
    };
  const table: [why: string, answer: Answer, name: string][] = [
    ["an answer that never begins", never, "interrupted timeout"],
    ["a head without end", drip("HTTP/1.1 200 OK\r\nX: "), "interrupted timeout"],
    [
      "a body that takes longer than allowed",
      drip("HTTP/1.1 200 OK\r\n\r\n"),
      "interrupted timeout",
    ],
  ];
  test.each(table)("%s", async (_, answer, name) => {
    const origin = await originWith(answer);
    const slots = new Slots();
    const client = clientWith({ headTimeoutMs: 400 });
    const request = requestFor(at(origin), { slot: slots.take, timeoutMs: 800 });
    const startedAt = Date.now();
    expect(nameOf(await client.fetch(request))).toBe(name);
    expect(Date.now() - startedAt).toBeLessThan(3_000);
    expect(slots.held).toBe(0);
    await until(() => origin.open() === 0, { what: "the end of the connection" });
  });

  test("a body slower than the minimum rate", async () => {
    const origin = await originWith(drip("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"));
    const client = clientWith({ minRateBytesPerS: 1_000 });
    const outcome = await client.fetch(requestFor(at(origin), { timeoutMs: 30_000 }));
    expect(nameOf(outcome)).toBe("interrupted slow");
  });

  test("an error page that drips is not waited for", async () => {
    const head = "HTTP/1.1 404 None\r\nContent-Length: 1000\r\n\r\n";
    const origin = await originWith(drip(head));
    const startedAt = Date.now();
    expect(await clientWith().fetch(requestFor(at(origin)))).toMatchObject({ kind: "gone" });
    expect(Date.now() - startedAt).toBeLessThan(4_000);
    await until(() => origin.open() === 0, { what: "the end of the connection" });
  });

  test("a large error page ends its connection", async () => {
    const body = "x".repeat(200_000);
    const origin = await originWith((socket) => socket.write(httpAnswer("500 Oops", {}, body)));
    expect((await clientWith().fetch(requestFor(at(origin)))).kind).toBe("unavailable");
    await until(() => origin.open() === 0, { what: "the end of the connection" });
  });
});

describe("abort", () => {
  test("ends what is in flight, at once, at every stage", async () => {
    const origin = await originWith((socket, { path }) => {
      if (path === "/body") socket.write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nabc");
    });
    const client = clientWith();
    for (const path of ["/silent", "/body"]) {
      const abort = new AbortController();
      const slots = new Slots();
      const request = requestFor(at(origin, path), { slot: slots.take, signal: abort.signal });
      const fetching = client.fetch(request);
      await until(() => origin.asked.some((asked) => asked.path === path));
      const startedAt = performance.now();
      abort.abort();
      expect((await fetching).kind).toBe("aborted");
      expect(performance.now() - startedAt).toBeLessThan(200);
      expect(slots.held).toBe(0);
    }
    await until(() => origin.open() === 0, { what: "the end of the connections" });
  });

  test("before anything began asks for no slot", async () => {
    const slots = new Slots();
    const signal = AbortSignal.abort();
    const request = requestFor("http://127.0.0.1:9999/", { slot: slots.take, signal });
    expect((await clientWith().fetch(request)).kind).toBe("aborted");
    expect(slots.addresses).toEqual([]);
  });

  test("while waiting for a slot", async () => {
    const abort = new AbortController();
    const request = requestFor("http://127.0.0.1:9999/", {
      signal: abort.signal,
      slot: (_, signal) =>
        new Promise((done) => signal?.addEventListener("abort", () => done(null))),
    });
    const fetching = clientWith().fetch(request);
    abort.abort();
    expect((await fetching).kind).toBe("aborted");
  });

  test("close ends everything, and later requests too", async () => {
    const origin = await originWith(() => {});
    const client = clientFor();
    const fetching = client.fetch(requestFor(at(origin)));
    await until(() => origin.asked.length === 1);
    await client.close();
    expect((await fetching).kind).toBe("aborted");
    expect((await client.fetch(requestFor(at(origin)))).kind).toBe("aborted");
    await until(() => origin.open() === 0, { what: "the end of the connections" });
  });
});

describe("slots", () => {
  test("none to be had: nothing is sent", async () => {
    const origin = await originWith(page);
    const outcome = await clientWith().fetch(requestFor(at(origin), { slot: async () => null }));
    expect(outcome).toEqual({ kind: "no slot" });
    expect(origin.connections()).toBe(0);
  });

  test("are held to the end of the answer", async () => {
    const slots = new Slots();
    let heldWithin = 0;
    const origin = await originWith((socket) => {
      socket.write("HTTP/1.1 404 None\r\nContent-Length: 3\r\n\r\nab");
      setTimeout(() => {
        heldWithin = slots.held;
        socket.write("c");
      }, 50);
    });
    await clientWith().fetch(requestFor(at(origin), { slot: slots.take }));
    expect({ heldWithin, held: slots.held }).toEqual({ heldWithin: 1, held: 0 });
  });
});

describe("fetchFollowing", () => {
  const hop: Answer = (socket, { path }) => {
    const n = Number(path.slice(1));
    if (n === 0) socket.write(httpAnswer("200 OK", {}, html("there")));
    else socket.write(httpAnswer("302 Found", { Location: `/${n - 1}` }));
  };
  const go = { hopsMax: 5, onHop: async () => "go" as const };

  test("follows five hops, each with a slot, and no sixth", async () => {
    const origin = await originWith(hop);
    const client = clientWith();
    const slots = new Slots();
    const five = await client.fetchFollowing(
      requestFor(at(origin, "/5"), { slot: slots.take }),
      go,
    );
    expect(five).toMatchObject({ kind: "fetched", url: at(origin, "/0") });
    expect(slots).toMatchObject({ held: 0, sent: 6 });
    const six = await client.fetchFollowing(requestFor(at(origin, "/6")), go);
    expect(six).toMatchObject({ kind: "redirected", url: at(origin, "/1") });
    expect(origin.asked.map((asked) => asked.path)).not.toContain("/-1");
  });

  test("asks before each hop", async () => {
    const origin = await originWith(hop);
    const seen: string[] = [];
    const onHop = async (url: string) => {
      seen.push(url);
      return seen.length < 2 ? ("go" as const) : ("stop" as const);
    };
    const following = { hopsMax: 5, onHop };
    const outcome = await clientWith().fetchFollowing(requestFor(at(origin, "/5")), following);
    expect(outcome).toMatchObject({ kind: "redirected", url: at(origin, "/4") });
    expect(seen).toEqual([at(origin, "/4"), at(origin, "/3")]);
    expect(origin.asked.length).toBe(2);
  });

  test("guards each hop", async () => {
    const origin = await originWith((socket, { path }) =>
      socket.write(httpAnswer("302 Found", { Location: decodeURIComponent(path.slice(1)) })),
    );
    const client = clientWith();
    const to = (url: string) => requestFor(at(origin, `/${encodeURIComponent(url)}`));
    const table = [
      ["http://169.254.169.254/", "refused address"],
      ["file:///etc/passwd", "refused scheme"],
      ["http://user@127.0.0.1/", "refused credentials"],
      ["http://127.0.0.1:25/", "refused port"],
    ] as const;
    for (const [url, name] of table) {
      expect(nameOf(await client.fetchFollowing(to(url), go))).toBe(name);
    }
  });

  test("a loop ends at the limit", async () => {
    const origin = await originWith((socket, { path }) =>
      socket.write(httpAnswer("302 Found", { Location: path })),
    );
    const outcome = await clientWith().fetchFollowing(requestFor(at(origin, "/me")), go);
    expect(outcome.kind).toBe("redirected");
    expect(origin.asked.length).toBe(6);
  });
});
