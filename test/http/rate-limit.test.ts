import { describe, expect, test } from "bun:test";
import { clientKey, createClientAddress } from "../../src/http/client-address.ts";
import { publicFamilies } from "../../src/http/public.ts";
import { createRateLimit } from "../../src/http/rate-limit.ts";
import { publicDeps } from "../support/public-site.ts";
import { startApp } from "./ask.ts";
import { createFake } from "./fake.ts";

function hands() {
  let now = 0;
  return {
    clock: { now: () => now, sleep: async () => {} },
    turn: (ms: number) => {
      now += ms;
    },
  };
}

describe("an allowance", () => {
  test("is the burst, then the rate; a refusal costs nothing", () => {
    const { clock, turn } = hands();
    const limit = createRateLimit({ perS: 2, burst: 3, clock });
    const kinds = (times: number) => Array.from({ length: times }, () => limit.take("a").kind);
    expect(kinds(5)).toEqual(["allowed", "allowed", "allowed", "limited", "limited"]);
    expect(limit.take("a")).toEqual({ kind: "limited", retryAfterS: 1 });
    expect(limit.take("b").kind).toBe("allowed");
    turn(500);
    expect(kinds(2)).toEqual(["allowed", "limited"]);
    turn(1e9);
    expect(kinds(4)).toEqual(["allowed", "allowed", "allowed", "limited"]);
  });

  test("never outgrows its table; who was busy last is remembered", () => {
    const { clock } = hands();
    const limit = createRateLimit({ perS: 1, burst: 1, keysMax: 100, clock });
    limit.take("busy");
    for (let at = 0; at < 10_000; at += 1) {
      limit.take(`client ${at}`);
      if (at % 50 === 0) limit.take("busy");
    }
    expect(limit.size).toBe(100);
    expect(limit.take("busy").kind).toBe("limited");
  });

  test("a clock that goes back hurts nobody", () => {
    const { clock, turn } = hands();
    const limit = createRateLimit({ perS: 1, burst: 2, clock });
    limit.take("a");
    turn(-60_000);
    expect(limit.take("a").kind).toBe("allowed");
  });

  test("0 is no limit and keeps nothing", () => {
    const limit = createRateLimit({ perS: 0, burst: 1, ...hands() });
    for (let at = 0; at < 10; at += 1) expect(limit.take("a").kind).toBe("allowed");
    expect(limit.size).toBe(0);
  });
});

describe("the client", () => {
  const cases = [
    ["192.0.2.1", "", [], "192.0.2.1", "nobody is trusted"],
    ["192.0.2.1", "203.0.113.9", [], "192.0.2.1", "a header of a stranger is not believed"],
    ["10.0.0.1", "203.0.113.9", ["10.0.0.0/8"], "203.0.113.9", "the proxy vouches for it"],
    [
      "10.0.0.1",
      "198.51.100.1, 203.0.113.9",
      ["10.0.0.0/8"],
      "203.0.113.9",
      "what the client made up stands left",
    ],
    ["10.0.0.1", "203.0.113.9, 10.0.0.2", ["10.0.0.0/8"], "203.0.113.9", "two proxies of ours"],
    ["10.0.0.1", "", ["10.0.0.0/8"], "10.0.0.1", "the proxy itself asks"],
    ["10.0.0.1", "nonsense", ["10.0.0.0/8"], "10.0.0.1", "unreadable"],
    ["::ffff:10.0.0.1", "203.0.113.9", ["10.0.0.0/8"], "203.0.113.9", "IPv4 in IPv6"],
    ["fd00::1", "[2001:db8::1]:443", ["fd00::/8"], "2001:db8::1", "IPv6 with a port"],
    [
      "127.0.0.1",
      "203.0.113.9:5060",
      ["127.0.0.1"],
      "203.0.113.9",
      "single address, IPv4 with a port",
    ],
    [
      "10.0.0.1",
      Array(5_000).fill("10.0.0.2").join(","),
      ["10.0.0.0/8"],
      "10.0.0.2",
      "a long chain is cut",
    ],
  ] as const;
  test.each(cases)("%s, %s trusting %p is %s: %s", (peer, forwarded, trusted, expected) => {
    const headers = new Headers(forwarded === "" ? {} : { "x-forwarded-for": forwarded });
    expect(createClientAddress(trusted).of(peer, headers)).toBe(expected);
  });

  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ])("%s counts as %s", (address, key) => {
    expect(clientKey(address)).toBe(key);
  });
});

describe("the public pages", () => {
  const site = (perS: number) => {
    const fake = createFake({ settings: { rateLimitPerS: perS, trustedProxies: ["127.0.0.1"] } });
    return startApp(fake, publicFamilies(publicDeps()));
  };

  test("are limited by client with a readable 429; sessions, tokens, health are not", async () => {
    const server = site(1);
    const ask = (
      path: string,
      from: string,
      as: "anonymous" | "viewer" | "api token" = "anonymous",
    ) => server.ask(path, { as, headers: { "x-forwarded-for": from } });
    for (let at = 0; at < 1_000; at += 1) {
      expect((await ask("/bot", "203.0.113.1")).status).toBe(200);
    }
    const page = await ask("/bot", "203.0.113.1");
    expect(page.status).toBe(429);
    expect(page.headers.get("retry-after")).toBe("1");
    expect(await page.text()).toContain("Too many requests");
    const api = await ask("/api/search?q=tidal", "203.0.113.1");
    expect(api.status).toBe(429);
    expect(await api.json()).toMatchObject({ error: { code: "rate_limited" } });
    expect((await ask("/admin", "203.0.113.1")).status).toBe(429);
    for (const path of ["/healthz", "/status"]) {
      expect((await ask(path, "203.0.113.1")).status).toBe(200);
    }
    expect((await ask("/bot", "203.0.113.2")).status).toBe(200);
    expect((await ask("/bot", "203.0.113.1", "viewer")).status).toBe(200);
    expect((await ask("/api/search?q=tidal", "203.0.113.1", "api token")).status).toBe(200);
    server.fake.advance(1_000);
    expect((await ask("/bot", "203.0.113.1")).status).toBe(200);
  }, 30_000);
});
