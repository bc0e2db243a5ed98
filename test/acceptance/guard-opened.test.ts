import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { httpAnswer, type Origin, startOrigin } from "../fetch/origin.ts";
import { explained, INSIDE, OUTSIDE, setTraps, untilOver } from "../support/inside.ts";
import { type Names, startNames } from "../support/names.ts";
import { freePort } from "../support/ports.ts";
import { Program } from "../support/program.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(90_000);

const port = await freePort();
const at = (host: string, path = "/") => `http://${host}:${port}${path}`;

/** A name that leads outside first, and inside ever after. */
function rebinding(inside: string, first: { times: number } | { for_s: number }): object {
  const steps = [
    { is: OUTSIDE, ttl: 0, ...first },
    { is: inside, ttl: 0 },
  ];
  return Object.fromEntries([["then", steps] as const]);
}

const REDIRECTS: [path: string, target: string][] = [
  ["/to-loopback", at(INSIDE, "/secret")],
  ["/to-private", "http://10.0.0.1/secret"],
  ["/to-mapped", at("[::ffff:127.0.0.1]", "/secret")],
  ["/to-six", at("[::1]", "/secret")],
  ["/to-hex", at("0x7f.0.0.1", "/hex")],
  ["/to-metadata", "http://169.254.169.254/latest/meta-data/"],
  ["/to-a-name", at("loopback.test", "/secret")],
];
const LINKED = [at(INSIDE, "/linked"), "http://10.0.0.1/linked", at("private.test", "/linked")];
const ROBOTS_INSIDE = "127.0.1.2";

const names = await startNames({
  ttl: 0,
  names: {
    "outside.test": OUTSIDE,
    "loopback.test": INSIDE,
    "private.test": "10.0.0.1",
    "rebinds-at-once.test": rebinding(INSIDE, { times: 1 }),
    "rebinds-private.test": rebinding("10.0.0.1", { times: 1 }),
    "rebinds-later.test": rebinding(INSIDE, { for_s: 5 }),
  },
});

describe.skipIf(!names)("with one range opened, the rest stays closed", () => {
  const dns = names as Names;
  const program = new Program({
    env: {
      CRAWL_DELAY_MS: "0",
      CRAWL_SCOPE: "any",
      FETCH_ALLOW_CIDRS: "127.0.1.0/24",
      DNS_SERVERS: `127.0.0.1:${dns.port}`,
    },
  });
  let traps: Awaited<ReturnType<typeof setTraps>>;
  let outside: Origin;
  let robotsInside: Origin;
  const seed = async (...urls: string[]) => {
    expect((await program.run("seed", ...urls)).code).toBe(0);
  };
  const wasAsked = (path: string) => outside.asked.some((asked) => asked.path === path);

  beforeAll(async () => {
    traps = await setTraps(port);
    outside = await startOrigin(
      (socket, { path }) => {
        const location = REDIRECTS.find(([from]) => from === path)?.[1];
        const links = LINKED.map((href) => `<a href="${href}">inside</a>`).join(" ");
        if (location) socket.write(httpAnswer("302 Found", { location }));
        else if (path === "/robots.txt") socket.write(httpAnswer("404 Not Found"));
        else socket.write(httpAnswer("200 OK", {}, path === "/links" ? links : `page ${path}`));
      },
      { address: OUTSIDE, port },
    );
    robotsInside = await startOrigin(
      (socket) => {
        socket.write(httpAnswer("302 Found", { location: at(INSIDE, "/robots.txt") }));
      },
      { address: ROBOTS_INSIDE, port },
    );
    await program.start();
  });
  afterAll(async () => {
    await program.stop();
    for (const server of [traps, outside, robotsInside]) await server.close();
    await dns.close();
  });

  test("what lies in it is asked for", async () => {
    await seed(at("outside.test", "/fine"));
    await until(() => wasAsked("/fine"), { timeoutMs: 30_000 });
  });

  test.each(["rebinds-at-once.test", "rebinds-private.test"])(
    "%s: its first answer lies in the range, the next does not",
    async (name) => {
      await seed(at(name, `/${name}`));
      const { state, reason } = await untilOver(program, at(name, `/${name}`));
      expect({ state, reason }).toEqual({ state: "failed", reason: "refused: address" });
      expect(wasAsked(`/${name}`)).toBe(false);
    },
  );

  test("a name that was crawled, and leads inside a while later", async () => {
    await seed(at("rebinds-later.test", "/before"));
    await until(() => wasAsked("/before"), { timeoutMs: 30_000 });
    const began = dns.queries.find(({ name }) => name === "rebinds-later.test")!.t;
    await until(() => Date.now() > began + 5_000);
    await seed(at("rebinds-later.test", "/after"));
    const { state, reason } = await untilOver(program, at("rebinds-later.test", "/after"));
    expect({ state, reason }).toEqual({ state: "failed", reason: "refused: address" });
    expect(wasAsked("/after")).toBe(false);
  });

  describe("redirects inside", () => {
    beforeAll(() => seed(...REDIRECTS.map(([path]) => at("outside.test", path))));

    test.each(REDIRECTS)("%s: to %s", async (path, target) => {
      expect((await untilOver(program, at("outside.test", path))).reason).toBe("redirected");
      const { state, reason, history } = await untilOver(program, target);
      expect({ state, reason }).toEqual({ state: "failed", reason: "refused: address" });
      expect(history).toMatchObject([{ outcome: "refused", address: null }]);
    });
  });

  test("links inside are refused one by one", async () => {
    await seed(at("outside.test", "/links"));
    for (const target of LINKED) {
      expect((await untilOver(program, target)).reason).toBe("refused: address");
    }
  });

  test("a robots.txt that leads inside is none that can be had: no page is asked for", async () => {
    const url = at(ROBOTS_INSIDE, "/page");
    await seed(url);
    const verdict = async () => (await explained(program, url))?.robots.reason ?? "";
    await until(async () => /refused place \(address\)/.test(await verdict()), {
      timeoutMs: 30_000,
    });
    expect(new Set(robotsInside.asked.map(({ path }) => path))).toEqual(new Set(["/robots.txt"]));
  });

  test("no connection was made to what was not opened", () => {
    expect(traps.connections()).toBe(0);
  });
});
