import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock } from "../../src/clock.ts";
import { createResolver, parseHosts, type Resolver } from "../../src/fetch/resolve.ts";
import { tool } from "../support/suites.ts";
import { until } from "../support/until.ts";
import { cidrs, clientFor, requestFor, Slots } from "./client-for.ts";
import { html, httpAnswer, startOrigin } from "./origin.ts";

const script = tool("dns-double.ts");

interface Double {
  port: number;
  queries: { name: string; type: string; answer: string }[];
  close(): Promise<void>;
}

const STEPS = "then";

/** A name whose answers change from one question to the next. */
const stepwise = (...steps: unknown[]) => Object.fromEntries([[STEPS, steps]]);

describe.skipIf(script === null)("names asked of DNS_SERVERS", () => {
  let dns: Double;
  let resolver: Resolver;
  const asked = (name: string) => dns.queries.filter((query) => query.name === name).length;

  beforeAll(async () => {
    dns = await (await import(script!)).start({
      ttl: 1,
      names: {
        "a.test": "127.0.1.1",
        "long.test": { is: "127.0.1.2", ttl: 60 },
        "two.test": { is: "127.0.1.3", ttl: 2 },
        "both.test": ["127.0.1.1", "::1"],
        "six.test": "::1",
        "alias.test": "a.test",
        "servfail.test": "SERVFAIL",
        "garbage.test": "GARBAGE",
        "flaky.test": stepwise({ is: "SERVFAIL", times: 2 }, "127.0.1.1"),
        "late.test": stepwise({ is: "NXDOMAIN", for_s: 1 }, "127.0.1.1"),
        "later.test": stepwise({ is: "NXDOMAIN", for_s: 1, ttl: 86_400 }, "127.0.1.1"),
        "bare.test": stepwise({ is: "NODATA", for_s: 1 }, "127.0.1.1"),
        "rebind.test": stepwise({ is: "127.0.1.1", ttl: 0 }, { is: "127.0.2.1", ttl: 0 }),
        "private.test": "10.0.0.1",
        "mapped.test": "::ffff:127.0.1.1",
        "drop.test": "DROP",
        localhost: "127.0.9.9",
        "h#.test": "127.0.x.y",
      },
    });
    resolver = createResolver({ servers: [`127.0.0.1:${dns.port}`], clock: systemClock });
  });
  afterAll(() => dns.close());

  const table: [name: string, addresses: string[]][] = [
    ["a.test", ["127.0.1.1"]],
    ["alias.test", ["127.0.1.1"]],
    ["both.test", ["127.0.1.1"]],
    ["six.test", ["::1"]],
    ["localhost", ["127.0.0.1", "::1"]],
    ["any.localhost", ["127.0.0.1", "::1"]],
  ];
  test.each(table)("%s is %p", async (name, addresses) => {
    const hosts = new Map<string, string[]>();
    const servers = [`127.0.0.1:${dns.port}`];
    const plain = createResolver({ servers, clock: systemClock, hosts });
    expect(await plain.resolve(name)).toEqual({ kind: "addresses", addresses });
  });

  test.each(["unknown.test", "servfail.test", "garbage.test"])("%s fails", async (name) => {
    expect((await resolver.resolve(name)).kind).toBe("failed");
  });

  test("a failure of the server is asked again", async () => {
    const answer = await until(
      async () => {
        const resolution = await resolver.resolve("flaky.test");
        return resolution.kind === "addresses" ? resolution.addresses : null;
      },
      { timeoutMs: 3_000 },
    );
    expect(answer).toEqual(["127.0.1.1"]);
  });

  test("an answer is kept for its TTL", async () => {
    for (let i = 0; i < 5; i += 1) await resolver.resolve("long.test");
    expect(asked("long.test")).toBe(1);
  });

  test("and no longer", async () => {
    const startedAt = Date.now();
    await resolver.resolve("two.test");
    await until(async () => (await resolver.resolve("two.test")) && asked("two.test") > 1, {
      timeoutMs: 4_000,
    });
    // whole seconds: an answer may be dropped within the last one
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(900);
    expect(Date.now() - startedAt).toBeLessThan(3_500);
  });

  test("a negative answer is kept, and expires", async () => {
    expect((await resolver.resolve("late.test")).kind).toBe("failed");
    const before = asked("late.test");
    await resolver.resolve("late.test");
    expect(asked("late.test")).toBe(before);
    await until(async () => (await resolver.resolve("late.test")).kind === "addresses", {
      timeoutMs: 5_000,
    });
  });

  test.each(["later.test", "bare.test"])(
    "%s: no negative answer is kept for long",
    async (name) => {
      const servers = [`127.0.0.1:${dns.port}`];
      const impatient = createResolver({ servers, clock: systemClock, negativeMaxMs: 1_000 });
      expect((await impatient.resolve(name)).kind).toBe("failed");
      await until(async () => (await impatient.resolve(name)).kind === "addresses", {
        timeoutMs: 5_000,
      });
    },
  );

  test("one question for many who ask at once", async () => {
    const before = dns.queries.length;
    await Promise.all(Array.from({ length: 50 }, () => resolver.resolve("h7.test")));
    expect(dns.queries.length - before).toBe(1);
  });

  test("a burst of names is answered whole", async () => {
    const names = Array.from({ length: 500 }, (_, i) => `h${1_000 + i}.test`);
    const answers = await Promise.all(names.map((name) => resolver.resolve(name)));
    expect(answers.filter(({ kind }) => kind === "addresses").length).toBe(500);
  });

  test("rebinding: what was checked is what is dialled", async () => {
    const inside = await startOrigin((s) => s.end(httpAnswer("200 OK", {}, html("secret"))), {
      address: "127.0.2.1",
    });
    const outside = await startOrigin(
      (s) => s.write(httpAnswer("200 OK", { Connection: "close" }, html("open"))),
      { address: "127.0.1.1", port: inside.port },
    );
    const slots = new Slots();
    const client = clientFor({ resolver, allowCidrs: cidrs("127.0.1.0/24") });
    const request = requestFor(`http://rebind.test:${inside.port}/`, { slot: slots.take });
    expect((await client.fetch(request)).kind).toBe("fetched");
    expect(await client.fetch(request)).toMatchObject({ kind: "refused", reason: "address" });
    expect(slots.addresses).toEqual(["127.0.1.1"]);
    expect(inside.connections()).toBe(0);
    expect(outside.connections()).toBe(1);
    await Promise.all([client.close(), inside.close(), outside.close()]);
  });

  test.each([
    ["private.test", { kind: "refused", reason: "address" }],
    ["mapped.test", { kind: "refused", reason: "address" }],
    ["unknown.test", { kind: "unreachable", cause: "dns" }],
    ["servfail.test", { kind: "unreachable", cause: "dns" }],
  ])("%s takes no slot", async (name, outcome) => {
    const slots = new Slots();
    const client = clientFor({ resolver, allowCidrs: cidrs("127.0.1.0/24") });
    expect(await client.fetch(requestFor(`http://${name}/`, { slot: slots.take }))).toMatchObject(
      outcome,
    );
    expect(slots.addresses).toEqual([]);
    await client.close();
  });

  test("a server that says nothing holds nobody longer than the request lasts", async () => {
    const client = clientFor({ resolver });
    const startedAt = Date.now();
    const outcome = await client.fetch(requestFor("http://drop.test/", { timeoutMs: 300 }));
    expect(outcome).toEqual({ kind: "unreachable", cause: "dns", detail: "time-out" });
    const abort = new AbortController();
    const waiting = client.fetch(requestFor("http://drop.test/", { signal: abort.signal }));
    abort.abort();
    expect((await waiting).kind).toBe("aborted");
    expect(Date.now() - startedAt).toBeLessThan(2_000);
    await client.close();
  });
});

test("parseHosts reads lines of an address and names", () => {
  const hosts = parseHosts(
    "# c\n127.0.0.1 localhost  Loop # x\n::1 localhost\n\nnonsense a b\n10.0.0.1\tintra.example\n",
  );
  expect([...hosts]).toEqual([
    ["localhost", ["127.0.0.1", "::1"]],
    ["loop", ["127.0.0.1"]],
    ["intra.example", ["10.0.0.1"]],
  ]);
});
