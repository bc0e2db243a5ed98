import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { INSIDE, setTraps, untilOver } from "../support/inside.ts";
import { type Names, startNames } from "../support/names.ts";
import { freePort } from "../support/ports.ts";
import { Program } from "../support/program.ts";
import { jsonOf } from "../support/shell.ts";

setDefaultTimeout(90_000);

const port = await freePort();
const at = (host: string) => `http://${host}:${port}/`;

const NAMES: [name: string, leads: string | string[] | null][] = [
  ["private.test", "10.0.0.1"],
  ["loopback.test", INSIDE],
  ["metadata.test", "169.254.169.254"],
  ["six.test", "::1"],
  ["mapped.test", "::ffff:127.0.0.1"],
  ["several.test", [INSIDE, "10.0.0.1", "192.168.0.1"]],
  ["alias.test", "loopback.test"],
  ["localhost", null],
  ["any.localhost", null],
];
const zone = Object.fromEntries(NAMES.filter(([, leads]) => leads !== null));
const names = await startNames({ ttl: 0, names: zone });

describe.skipIf(!names)("with no private range opened", () => {
  const dns = names as Names;
  const program = new Program({
    env: { CRAWL_DELAY_MS: "0", CRAWL_SCOPE: "any", DNS_SERVERS: `127.0.0.1:${dns.port}` },
  });
  let traps: Awaited<ReturnType<typeof setTraps>>;

  beforeAll(async () => {
    traps = await setTraps(port);
    await program.start();
  });
  afterAll(async () => {
    await program.stop();
    await traps.close();
    await dns.close();
  });

  test("addresses are refused as seeds, each with its reason, and stay unknown", async () => {
    const urls = [
      at(INSIDE),
      at("[::ffff:127.0.0.1]"),
      at("[::1]"),
      at("0x7f.1"),
      at("2130706433"),
      at("0"),
      "http://169.254.169.254/latest/meta-data/",
      "http://10.0.0.1/",
      "http://[fd00::1]/",
      `0x7f.1:${port}`,
    ];
    const { code, out } = await program.run("seed", ...urls);
    const [counts, ...told] = out.trimEnd().split("\n");
    expect({ code, counts }).toEqual({ code: 1, counts: "admitted 0, known 0, refused 10" });
    const why = "The address leads to a place that is not public.";
    expect(told).toEqual(urls.map((url) => `  ${url}: ${why}`));
    const asJson = await program.run("seed", ...urls, "--json");
    expect(jsonOf(asJson)).toEqual({
      admitted: 0,
      known: 0,
      refused: urls.map((url) => ({ url, reason: "address" })),
    });
    for (const url of urls.slice(0, 2)) {
      expect((await program.run("explain", url)).code).toBe(1);
    }
  });

  describe("names that lead inside are refused when they are resolved", () => {
    beforeAll(async () => {
      const seeded = await program.run("seed", ...NAMES.map(([name]) => at(name)), "--json");
      expect(jsonOf(seeded)).toEqual({ admitted: NAMES.length, known: 0, refused: [] });
    });

    test.each(NAMES)("%s", async (name) => {
      const { state, reason, history } = await untilOver(program, at(name));
      expect({ state, reason }).toEqual({ state: "failed", reason: "refused: address" });
      expect(history).toMatchObject([{ outcome: "refused", address: null }]);
    });

    test("as explain tells", async () => {
      const { code, out } = await program.run("explain", at("private.test"));
      expect(code).toBe(0);
      expect(out).toContain("reason: refused: address");
    });
  });

  test("no connection was made", () => expect(traps.connections()).toBe(0));
});
