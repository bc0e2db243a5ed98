import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { httpAnswer, type Origin, startOrigin } from "../fetch/origin.ts";
import { type Names, startNames } from "../support/names.ts";
import { freePort } from "../support/ports.ts";
import { Program } from "../support/program.ts";
import { jsonOf } from "../support/shell.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(90_000);

/** Stands for a public address where loopback is all there is. */
const OUTSIDE = "127.0.1.1";
const INSIDE = "127.0.0.1";

const port = await freePort();
const at = (host: string, path = "/") => `http://${host}:${port}${path}`;
const rebinding = (inside: string, step: object) => ({
  then: [
    { is: OUTSIDE, ttl: 0, ...step },
    { is: inside, ttl: 0 },
  ],
});

const names = await startNames({
  ttl: 0,
  names: {
    "private.test": "10.0.0.1",
    "loopback.test": INSIDE,
    "metadata.test": "169.254.169.254",
    "six.test": "::1",
    "mapped.test": "::ffff:127.0.0.1",
    "several.test": [INSIDE, "10.0.0.1", "192.168.0.1"],
    "alias.test": "loopback.test",
    "outside.test": OUTSIDE,
    "rebinds-at-once.test": rebinding(INSIDE, { times: 1 }),
    "rebinds-private.test": rebinding("10.0.0.1", { times: 1 }),
    "rebinds-later.test": rebinding(INSIDE, { for_s: 5 }),
  },
});

interface Explained {
  state: string;
  reason: string | null;
  visits: number;
  history: { outcome: string; address: string | null }[];
}

async function explained(program: Program, url: string): Promise<Explained> {
  const ran = await program.run("explain", url, "--json");
  if (ran.code !== 0) throw new Error(`${url}: ${ran.err}`);
  return jsonOf(ran);
}

/** Waits until the URL was looked at, and is not to be visited again. */
async function untilOver(program: Program, url: string): Promise<Explained> {
  return await until(
    async () => {
      const known = await explained(program, url);
      return ["failed", "done"].includes(known.state) ? known : null;
    },
    { timeoutMs: 40_000, everyMs: 100, what: `the end of ${url}` },
  );
}

describe.skipIf(!names)("what is not public is never connected to", () => {
  const dns = names as Names;
  /** Answers anybody, on every address that must not be asked. */
  const traps: Origin[] = [];
  beforeAll(async () => {
    for (const address of [INSIDE, "::1"]) {
      const trap = startOrigin((socket) => socket.end(httpAnswer("200 OK", {}, "secret")), {
        address,
        port,
      });
      traps.push(await trap);
    }
  });
  afterAll(async () => {
    for (const trap of traps) await trap.close();
    await dns.close();
  });
  const connections = () => traps.map((trap) => trap.connections());

  describe("with nothing opened", () => {
    const program = new Program({
      env: { CRAWL_DELAY_MS: "0", CRAWL_SCOPE: "any", DNS_SERVERS: `127.0.0.1:${dns.port}` },
    });
    beforeAll(() => program.start());
    afterAll(() => program.stop());

    const LITERALS = [
      at(INSIDE),
      at("[::ffff:127.0.0.1]"),
      at("[::1]"),
      at("0x7f.1"),
      at("2130706433"),
      at("0"),
      "http://169.254.169.254/latest/meta-data/",
      "http://10.0.0.1/",
      "http://[fd00::1]/",
    ];

    test.each(LITERALS)("%s is refused as a seed, with its reason", async (url) => {
      const ran = await program.run("seed", url);
      expect(ran.code).toBe(1);
      expect(ran.out).toBe(
        `admitted 0, known 0, refused 1\n  ${url}: The address leads to a place that is not public.\n`,
      );
      const asJson = jsonOf(await program.run("seed", url, "--json"));
      expect(asJson).toMatchObject({ refused: [{ url, reason: "address" }] });
      expect((await program.run("explain", url)).code).toBe(1);
    });

    const NAMES = [
      "private.test",
      "loopback.test",
      "metadata.test",
      "six.test",
      "mapped.test",
      "several.test",
      "alias.test",
      "localhost",
      "any.localhost",
    ];

    test.each(NAMES)("%s is refused when it is resolved, and explain says so", async (name) => {
      const url = at(name);
      expect((await program.run("seed", url)).code).toBe(0);
      const { state, reason, history } = await untilOver(program, url);
      expect({ state, reason }).toEqual({ state: "failed", reason: "refused: address" });
      expect(history.map(({ outcome }) => outcome)).toEqual(["refused"]);
      expect((await program.run("explain", url)).out).toContain("refused: address");
    });

    test("no connection was made", () => expect(connections()).toEqual([0, 0]));
  });

  describe("with one range opened", () => {
    let outside: Origin;
    const program = new Program({
      env: {
        CRAWL_DELAY_MS: "0",
        CRAWL_SCOPE: "any",
        FETCH_ALLOW_CIDRS: "127.0.1.0/24",
        DNS_SERVERS: `127.0.0.1:${dns.port}`,
      },
    });

    const REDIRECTS: [path: string, target: string][] = [
      ["/to-loopback", at(INSIDE, "/secret")],
      ["/to-private", "http://10.0.0.1/secret"],
      ["/to-mapped", at("[::ffff:127.0.0.1]", "/secret")],
      ["/to-six", at("[::1]", "/secret")],
      ["/to-hex", at("0x7f.0.0.1", "/hex")],
      ["/to-metadata", "http://169.254.169.254/latest/meta-data/"],
      ["/to-a-name", at("loopback.test", "/secret")],
    ];

    beforeAll(async () => {
      outside = await startOrigin(
        (socket, { path }) => {
          const location = REDIRECTS.find(([from]) => from === path)?.[1];
          if (location) socket.write(httpAnswer("302 Found", { location }));
          else if (path === "/robots.txt") socket.write(httpAnswer("404 Not Found"));
          else socket.write(httpAnswer("200 OK", {}, `<title>${path}</title>a page`));
        },
        { address: OUTSIDE, port },
      );
      await program.start();
    });
    afterAll(async () => {
      await program.stop();
      await outside.close();
    });

    test("what lies in it is asked for", async () => {
      expect((await program.run("seed", at("outside.test", "/fine"))).code).toBe(0);
      await until(() => outside.asked.some(({ path }) => path === "/fine"), { timeoutMs: 30_000 });
    });

    test.each(["rebinds-at-once.test", "rebinds-private.test"])(
      "%s: the first answer lies in it, the next does not",
      async (name) => {
        const url = at(name, `/${name}`);
        expect((await program.run("seed", url)).code).toBe(0);
        const { state, reason } = await untilOver(program, url);
        expect({ state, reason }).toEqual({ state: "failed", reason: "refused: address" });
        expect(outside.asked.filter(({ path }) => path === `/${name}`)).toEqual([]);
      },
    );

    test("a name that was crawled and leads elsewhere a while later", async () => {
      const [before, after] = [
        at("rebinds-later.test", "/before"),
        at("rebinds-later.test", "/after"),
      ];
      expect((await program.run("seed", before)).code).toBe(0);
      await until(() => outside.asked.some(({ path }) => path === "/before"), {
        timeoutMs: 30_000,
      });
      const isTurned = () =>
        dns.queries.some(({ name, answer }) => name === "rebinds-later.test" && answer === INSIDE);
      await until(
        async () => {
          await program.run("seed", `${after}?${Date.now()}`);
          return isTurned();
        },
        { timeoutMs: 30_000 },
      );
      expect((await program.run("seed", after)).code).toBe(0);
      expect((await untilOver(program, after)).reason).toBe("refused: address");
      expect(outside.asked.some(({ path }) => path === "/after")).toBe(false);
    });

    test.each(REDIRECTS)("%s redirects to %s", async (path, target) => {
      const source = at("outside.test", path);
      expect((await program.run("seed", source)).code).toBe(0);
      const { state, reason } = await untilOver(program, source);
      console.log(path, state, reason);
      const ran = await program.run("explain", target, "--json");
      console.log(ran.out, ran.err);
    });

    test("no connection was made to what was not opened", () => {
      expect(connections()).toEqual([0, 0]);
    });
  });
});
