import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tool } from "../support/suites.ts";
import { until } from "../support/until.ts";
import { clientFor, knowing, nameOf, requestFor, Slots, textOf } from "./client-for.ts";
import { html, httpAnswer, startOrigin } from "./origin.ts";

const script = tool("tls-cases.mjs");

interface TlsCases {
  cases: Record<string, { port: number; expect: string }>;
  ca: string;
  close(): void;
}

describe.skipIf(script === null)("TLS", () => {
  let servers: TlsCases;
  beforeAll(async () => {
    servers = await (await import(script!)).start();
  }, 60_000);
  afterAll(() => servers.close());

  const ask = async (name: string, host = "localhost", ca: string | null = servers.ca) => {
    const resolver = knowing({ localhost: ["127.0.0.1"], "other.example": ["127.0.0.1"] });
    const client = clientFor({ connectTimeoutMs: 1_000, resolver, ...(ca === null ? {} : { ca }) });
    const port = servers.cases[name]?.port;
    const slots = new Slots();
    const outcome = await client.fetch(
      requestFor(`https://${host}:${port}/`, { slot: slots.take }),
    );
    expect(slots.held).toBe(0);
    await client.close();
    return { outcome, sent: slots.sent };
  };

  test("a good certificate is accepted, of an authority that is known", async () => {
    const { outcome } = await ask("good");
    expect(outcome).toMatchObject({ kind: "fetched", contentType: "text/html" });
  });

  test("and refused, of one that is not", async () => {
    const { outcome, sent } = await ask("good", "localhost", null);
    expect(nameOf(outcome)).toBe("unreachable tls");
    expect(sent).toBe(0);
  });

  const refused = [
    "self-signed",
    "expired",
    "not-yet-valid",
    "wrong-host",
    "plain-http-on-tls-port",
    "handshake-stall",
    "close-after-hello",
    "garbage-after-hello",
    "tls1.0-only",
  ];
  test.each(refused)("%s: the host is unreachable, nothing is sent", async (name) => {
    if (servers.cases[name] === undefined) return console.warn(`skipped: no case ${name} here`);
    const { outcome, sent } = await ask(name);
    expect(nameOf(outcome)).toBe("unreachable tls");
    expect(sent).toBe(0);
  });

  test("the name of the URL decides, not the address", async () => {
    expect((await ask("wrong-host", "other.example")).outcome.kind).toBe("fetched");
    expect(nameOf((await ask("good", "other.example")).outcome)).toBe("unreachable tls");
    expect(nameOf((await ask("good", "127.0.0.1")).outcome)).toBe("unreachable tls");
  });

  test("a body that ends without farewell is truncated", async () => {
    const { outcome } = await ask("truncated-no-close-notify");
    expect(nameOf(outcome)).toBe("interrupted truncated");
  });

  test("an abort ends a handshake at once", async () => {
    const client = clientFor({ ca: servers.ca });
    const abort = new AbortController();
    const slots = new Slots();
    const url = `https://localhost:${servers.cases["handshake-stall"]?.port}/`;
    const fetching = client.fetch(requestFor(url, { slot: slots.take, signal: abort.signal }));
    await until(() => slots.held === 1);
    const startedAt = performance.now();
    abort.abort();
    expect((await fetching).kind).toBe("aborted");
    expect(performance.now() - startedAt).toBeLessThan(200);
    expect(slots.held).toBe(0);
    await client.close();
  });

  test("plain HTTP asked of a TLS port is malformed or reset, not a hang", async () => {
    const client = clientFor();
    const outcome = await client.fetch(requestFor(`http://localhost:${servers.cases.good?.port}/`));
    expect(["malformed", "interrupted reset"]).toContain(nameOf(outcome));
    await client.close();
  });
});

/** A key and a certificate of its own authority, for two names and an address. */
function makeCertificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), "trawl-tls-"));
  const names = "subjectAltName=DNS:a.example,DNS:b.example,IP:127.0.0.1";
  const args = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=a"];
  args.push("-keyout", "key.pem", "-out", "cert.pem", "-addext", names);
  execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  const key = readFileSync(join(folder, "key.pem"));
  const cert = readFileSync(join(folder, "cert.pem"));
  rmSync(folder, { recursive: true });
  return { key, cert };
}

describe.skipIf(Bun.which("openssl") === null)("TLS connections", () => {
  const startSecure = async () => {
    const tls = makeCertificate();
    const origin = await startOrigin(
      (socket, { path }) => {
        if (path === "/farewell") {
          socket.end(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${html("whole")}`);
        } else {
          socket.write(httpAnswer("200 OK", {}, html("x".repeat(300_000))));
        }
      },
      { tls },
    );
    const resolver = knowing({ "a.example": ["127.0.0.1"], "b.example": ["127.0.0.1"] });
    const client = clientFor({ resolver, ca: tls.cert.toString() });
    return { origin, client, close: () => Promise.all([origin.close(), client.close()]) };
  };

  test("are kept, for one name each", async () => {
    const { origin, client, close } = await startSecure();
    const hosts = ["a.example", "a.example", "b.example", "a.example", "b.example"];
    for (const host of hosts) {
      const outcome = await client.fetch(requestFor(`https://${host}:${origin.port}/`));
      expect(textOf(outcome).length).toBe(html("x".repeat(300_000)).length);
    }
    expect(origin.connections()).toBe(2);
    await close();
  }, 60_000);

  test("an address needs a certificate of its own", async () => {
    const { origin, client, close } = await startSecure();
    const outcome = await client.fetch(requestFor(`https://127.0.0.1:${origin.port}/`));
    expect(outcome.kind).toBe("fetched");
    const other = await client.fetch(requestFor(`https://127.0.0.2:${origin.port}/`));
    expect(other.kind).toBe("unreachable");
    await close();
  }, 60_000);

  test("a body without length is whole when the other side says farewell", async () => {
    const { origin, client, close } = await startSecure();
    const outcome = await client.fetch(requestFor(`https://a.example:${origin.port}/farewell`));
    expect(textOf(outcome)).toBe(html("whole"));
    await close();
  }, 60_000);
});
