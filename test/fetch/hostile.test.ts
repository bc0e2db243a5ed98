import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { FetchClient } from "../../src/fetch/client.ts";
import type { Outcome } from "../../src/fetch/outcome.ts";
import { tool } from "../support/suites.ts";
import { clientFor, nameOf, requestFor, Slots } from "./client-for.ts";

const script = tool("hostile-server.mjs");
const MIB = 1024 * 1024;
const BYTES_MAX = 5_000_000;

interface Case {
  address: string;
  path: string;
  what: string;
  /** Final states of the URL: `state` or `state:reason`. */
  allowed: string[];
}

/** States in which an outcome may leave the URL; a PDF is still to be judged by its parser. */
function statesOf(outcome: Outcome): string[] {
  switch (outcome.kind) {
    case "fetched":
      return outcome.contentType === "application/pdf" ? ["pending", "failed"] : ["pending"];
    case "redirected":
      return outcome.location === null ? ["failed"] : ["done:redirected"];
    case "throttled":
    case "gone":
    case "unchanged":
      return ["pending"];
    case "unavailable":
    case "interrupted":
      return ["pending", "failed"];
    case "too large":
    case "malformed":
    case "rejected":
    case "refused":
    case "unsupported":
      return ["failed"];
    case "unreachable":
    case "no slot":
    case "aborted":
      return ["our own mistake"];
    default:
      return outcome satisfies never;
  }
}

describe.skipIf(script === null)("a hostile server", () => {
  let server: Bun.Subprocess<"ignore", "pipe", "inherit">;
  let client: FetchClient;
  let port = 0;
  let cases: Case[] = [];

  beforeAll(async () => {
    server = Bun.spawn([process.execPath, script!, "0"], { stdin: "ignore", stdout: "pipe" });
    const { value } = await server.stdout.getReader().read();
    port = Number(/PORT=(\d+)/.exec(new TextDecoder().decode(value))?.[1]);
    client = clientFor({ headTimeoutMs: 20_000 });
    const url = `http://127.0.0.1:${port}/__cases`;
    const list = await client.fetch(requestFor(url, { accept: "any" }));
    if (list.kind !== "fetched") throw new Error(list.kind);
    cases = JSON.parse(new TextDecoder().decode(list.body));
  }, 60_000);
  afterAll(async () => {
    await client.close();
    server.kill();
  });

  const ask = (one: Case, slots: Slots, timeoutMs = 20_000) =>
    client.fetch(
      requestFor(`http://${one.address}:${port}${one.path}`, {
        slot: slots.take,
        timeoutMs,
        bytesMax: BYTES_MAX,
      }),
    );

  // the bombs are made here, so that below nobody waits for them
  const named: [path: string, name: string][] = [
    ["/gzip-bomb", "too large"],
    ["/gzip-bomb-single", "too large"],
    ["/br-bomb", "too large"],
    ["/endless-chunked", "too large"],
    ["/endless-close", "too large"],
    ["/cl-terabyte", "too large"],
    ["/header-10mb", "too large"],
    ["/header-endless", "too large"],
    ["/gzip-nested", "malformed"],
    ["/gzip-truncated", "interrupted truncated"],
    ["/gzip-bad-crc", "malformed"],
    ["/gzip-unlabelled", "unsupported"],
    ["/ct-binary-as-html", "unsupported"],
    ["/deflate-raw", "fetched"],
    ["/cl-too-long", "interrupted truncated"],
    ["/chunk-no-end", "interrupted truncated"],
    ["/half-close", "interrupted truncated"],
    ["/rst-mid-body", "interrupted reset"],
    ["/close-at-once", "interrupted reset"],
    ["/dup-cl-differ", "malformed"],
    ["/te-and-cl", "malformed"],
    ["/cl-negative", "malformed"],
    ["/cl-overflow", "malformed"],
    ["/chunk-bad-size", "malformed"],
    ["/chunk-overflow", "malformed"],
    ["/flood-103", "malformed"],
    ["/status-101", "malformed"],
    ["/http09", "malformed"],
  ];
  test.each(named)(
    "%s is %s",
    async (path, name) => {
      const one = cases.find((each) => each.path === path);
      expect(nameOf(await ask(one!, new Slots()))).toBe(name);
    },
    60_000,
  );

  test("each path ends as it may, all at once, in bounded memory", async () => {
    expect(cases.length).toBeGreaterThan(90);
    const slots = new Slots();
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 20);
    const wrong: string[] = [];
    const ends = await Promise.all(
      cases.map(async (one) => ({ one, outcome: await ask(one, slots, 6_000) })),
    );
    clearInterval(watch);
    for (const { one, outcome } of ends) {
      const states = statesOf(outcome);
      if (states.some((state) => one.allowed.includes(state))) continue;
      wrong.push(`${one.path}: ${nameOf(outcome)}, allowed ${one.allowed}`);
    }
    expect(wrong).toEqual([]);
    expect(slots.held).toBe(0);
    expect(peak - before).toBeLessThan(300 * MIB);
  }, 60_000);

  test("a redirect to itself, to metadata or to a file leads nowhere", async () => {
    const table: [path: string, name: string][] = [
      ["/redir-self", "redirected"],
      ["/redir-a", "redirected"],
      ["/redir-inf", "redirected"],
      ["/redir-metadata", "refused address"],
      ["/redir-file", "refused scheme"],
      ["/redir-data", "refused scheme"],
      ["/redir-none", "redirected"],
      ["/redir-empty", "redirected"],
    ];
    for (const [path, name] of table) {
      const request = requestFor(`http://127.0.0.1:${port}${path}`);
      const following = { hopsMax: 5, onHop: async () => "go" as const };
      expect(`${path} ${nameOf(await client.fetchFollowing(request, following))}`).toBe(
        `${path} ${name}`,
      );
    }
  });
});
