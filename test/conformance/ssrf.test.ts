import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock } from "../../src/clock.ts";
import { isAllowedAddress } from "../../src/fetch/address.ts";
import { checkUrl } from "../../src/fetch/guard.ts";
import type { Outcome } from "../../src/fetch/outcome.ts";
import { createResolver, type Resolver } from "../../src/fetch/resolve.ts";
import { cidrs, clientFor, nameOf, requestFor, Slots } from "../fetch/client-for.ts";
import { httpAnswer, type Origin, startOrigin } from "../fetch/origin.ts";
import { suite } from "../support/suites.ts";

interface Suite {
  ip_classification: { ip: string; block: boolean | null; why: string }[];
  must_not_connect_urls: { url: string; kind: string }[];
  whatwg_fetch_bad_ports: number[];
  dns_scenarios: { id: string; answers: (string[] | null)[]; expect: string }[];
  redirect_scenarios: {
    id: string;
    status?: number;
    location?: string | null;
    location_bytes?: string;
    html?: string;
    expect: string;
  }[];
}

const path = suite("ssrf/ssrf-cases.json");
const cases: Suite | null = path === null ? null : await Bun.file(path).json();
const all = <T>(pick: (cases: Suite) => T[]): T[] => (cases === null ? [] : pick(cases));

describe.skipIf(cases === null)("SSRF", () => {
  test("every address is classified", () => {
    const wrong = all((suite) => suite.ip_classification).filter(
      ({ ip, block }) => block !== null && isAllowedAddress(ip, []) === block,
    );
    console.info(`ssrf: ${cases?.ip_classification.length} addresses, ${wrong.length} wrong`);
    expect(wrong).toEqual([]);
  });

  test("every bad port is refused", () => {
    for (const port of all((suite) => suite.whatwg_fetch_bad_ports)) {
      const checked = checkUrl(`http://a.example:${port}/`, []);
      expect(checked).toMatchObject({ kind: "refused", reason: "port" });
    }
  });

  test("no URL leads to a connection", async () => {
    // as in a composed set-up: the services have names, and private addresses
    const services = new Map(
      ["redis", "postgres", "typesense"].map((name) => [name, ["172.18.0.2"]]),
    );
    const hosts = new Map([...services, ["ip6-localhost", ["::1"]]]);
    const resolver = createResolver({ servers: ["127.0.0.1:9"], clock: systemClock, hosts });
    const client = clientFor({ resolver, allowCidrs: [] });
    for (const { url, kind } of all((suite) => suite.must_not_connect_urls)) {
      const slots = new Slots();
      const outcome = await client.fetch(requestFor(url, { slot: slots.take }));
      expect({ url, kind, outcome: outcome.kind, slots: slots.addresses }).toEqual({
        url,
        kind,
        outcome: "refused",
        slots: [],
      });
    }
    await client.close();
  });
});

describe.skipIf(cases === null)("SSRF by names", () => {
  /**
   * Fetches as often as there are answers; slots are refused, so that nothing leaves the machine.
   */
  async function ask(answers: (string[] | null)[]): Promise<{ name: string; dialled: string[] }[]> {
    let asked = 0;
    const resolver: Resolver = {
      resolve: async () => {
        const answer = answers[Math.min(asked, answers.length - 1)];
        asked += 1;
        if (!answer) return { kind: "failed", detail: "ESERVFAIL" };
        if (answer.length === 0) return { kind: "failed", detail: "ENOTFOUND" };
        return { kind: "addresses", addresses: answer };
      },
    };
    const client = clientFor({ resolver, allowCidrs: [] });
    const ends: { name: string; dialled: string[] }[] = [];
    for (const _ of answers) {
      const dialled: string[] = [];
      const slot = async (address: string) => {
        dialled.push(address);
        return null;
      };
      const outcome = await client.fetch(requestFor("http://name.example/", { slot }));
      ends.push({ name: nameOf(outcome), dialled });
    }
    expect(asked).toBe(answers.length);
    return ends;
  }

  const PUBLIC = { name: "no slot", dialled: ["93.184.215.14"] };
  const BLOCKED = { name: "refused address", dialled: [] };
  const FAILED = { name: "unreachable dns", dialled: [] };
  const expected: Record<string, { name: string; dialled: string[] }[]> = {
    "a-private": [BLOCKED],
    "mixed-public-private": [PUBLIC],
    "aaaa-mapped": [BLOCKED],
    "rebind-2nd-lookup": [PUBLIC, BLOCKED],
    "cname-to-internal": [BLOCKED],
    nxdomain: [FAILED],
    "servfail-then-ok": [FAILED, PUBLIC],
    "huge-answer": [PUBLIC],
    "robots-on-other-ip": [PUBLIC, BLOCKED],
  };
  test.each(all((suite) => suite.dns_scenarios))("$id: $expect", async ({ id, answers }) => {
    expect(await ask(answers)).toEqual(expected[id] as never);
  });
});

describe.skipIf(cases === null)("SSRF by redirects", () => {
  let origin: Origin;
  let inside: Origin;
  let answer: Buffer;
  beforeAll(async () => {
    origin = await startOrigin(
      (socket, { path }) => {
        if (path === "/start") socket.write(answer);
        else socket.write(chained(path));
      },
      { address: "127.0.1.1" },
    );
    inside = await startOrigin((socket) => socket.write(httpAnswer("200 OK", {}, "secret")));
  });
  afterAll(async () => {
    await origin.close();
    await inside.close();
  });

  /** `/x6` leads to `/x5` and so on; anything else is a page. */
  function chained(path: string): Buffer {
    const n = /^\/x([1-9])$/.exec(path)?.[1];
    if (n === undefined) return httpAnswer("200 OK", {}, "ok");
    return httpAnswer("301 Moved", { Location: `x${Number(n) - 1}` });
  }

  async function ask(
    start: Buffer,
  ): Promise<{ outcome: Outcome & { url: string }; heads: string[] }> {
    answer = start;
    origin.asked.length = 0;
    const client = clientFor({ allowCidrs: cidrs("127.0.1.0/24") });
    const request = requestFor(`http://127.0.1.1:${origin.port}/start`, { accept: "any" });
    const following = { hopsMax: 5, onHop: async () => "go" as const };
    const outcome = await client.fetchFollowing(request, following);
    await client.close();
    return { outcome, heads: origin.asked.map(({ head }) => head) };
  }

  const redirects = all((suite) => suite.redirect_scenarios).filter(
    ({ expect }) => expect === "block" || expect.startsWith("block;"),
  );
  test.each(redirects)("$id is refused", async ({ status, location }) => {
    // what has no location is a call of another kind: it goes through the same guard
    const target = location ?? `http://127.0.0.1:${inside.port}/hook`;
    const { outcome, heads } = await ask(
      httpAnswer(`${status ?? 302} Found`, { Location: target }),
    );
    expect(outcome.kind).toBe("refused");
    expect(heads.length).toBe(1);
    expect(inside.connections()).toBe(0);
  });

  const passive = all((suite) => suite.redirect_scenarios).filter(({ id }) =>
    ["meta-refresh", "canonical-link", "feed-enclosure-private"].includes(id),
  );
  test.each(passive)("$id makes no request", async ({ html }) => {
    const enclosure = `<rss><enclosure url="http://127.0.0.1:${inside.port}/"/></rss>`;
    const { outcome, heads } = await ask(httpAnswer("200 OK", {}, html ?? enclosure));
    expect(outcome.kind).toBe("fetched");
    expect(heads.length).toBe(1);
    expect(inside.connections()).toBe(0);
  });

  const location = (value: string, status = "302 Found") => httpAnswer(status, { Location: value });
  const others: [id: string, start: () => Buffer, name: string, paths: string[]][] = [
    ["300-multiple-choices", () => location("http://127.0.0.1/", "300 Choices"), "rejected", []],
    ["relative", () => location("/ok"), "fetched", ["/ok"]],
    [
      "chain-6",
      () => location("x6", "301 Moved"),
      "redirected",
      ["/x6", "/x5", "/x4", "/x3", "/x2"],
    ],
    ["no-location", () => httpAnswer("302 Found"), "redirected", []],
    [
      "latin1-location",
      () => Buffer.from(location("/caf?").toString().replace("?", "\xe9"), "latin1"),
      "fetched",
      ["/caf%E9"],
    ],
    [
      "location-crlf",
      () => location(`http://127.0.1.1:${origin.port}/%0d%0aSet-Cookie:x=y`),
      "fetched",
      ["/%0d%0aSet-Cookie:x=y"],
    ],
    [
      "cross-origin-auth",
      () => httpAnswer("302 Found", { Location: "/other", "Set-Cookie": "a=b" }),
      "fetched",
      ["/other"],
    ],
  ];
  test.each(others)("%s", async (_, start, name, paths) => {
    const { outcome, heads } = await ask(start());
    expect(nameOf(outcome)).toBe(name);
    expect(heads.slice(1).map((head) => head.split(" ")[1] ?? "")).toEqual(paths);
    for (const head of heads) expect(head).not.toMatch(/^(?:cookie|set-cookie|authorization):/im);
  });

  test("each scenario of the suite is covered", () => {
    const covered = [...redirects, ...passive].map(({ id }) => id).concat(others.map(([id]) => id));
    const listed = all((suite) => suite.redirect_scenarios).map(({ id }) => id);
    expect(covered.toSorted()).toEqual(listed.toSorted());
  });
});
