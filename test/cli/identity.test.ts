import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { testDatabaseUrl } from "../support/database.ts";
import { Program, runCommand } from "../support/program.ts";
import { jsonOf, openShell, type Shell } from "../support/shell.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

/** A name of the public DNS; nobody is asked for it. */
const PUBLIC = "https://www.example.org/";
const TOLD = "sites such as www.example.org cannot see who crawls them: set PUBLIC_URL";

const NO_DNS = { DNS_SERVERS: "127.0.0.1:1" };

let shell: Shell;
beforeAll(async () => {
  shell = openShell({ DATABASE_URL: await testDatabaseUrl() });
});
afterAll(() => shell.remove());

const withSettings = (settings: Record<string, string>, ...args: string[]) =>
  runCommand(args, { ...shell.env, ...settings });

/** What doctor finds of who crawls. */
async function identity(settings: Record<string, string> = {}) {
  const ran = await withSettings(settings, "doctor", "--json");
  const findings = jsonOf<{ name: string; ok: boolean; mend: string | null }[]>(ran);
  return { code: ran.code, ...findings.find(({ name }) => name === "identity")! };
}

describe("without PUBLIC_URL", () => {
  test("sites that are not public are crawled without a word", async () => {
    const env = { FETCH_ALLOW_CIDRS: "127.0.0.0/8,10.0.0.0/8,fd00::/8" };
    const urls = ["a.example", "localhost", "wiki.corp", "http://10.1.2.3/", "http://[fd00::1]/"];
    const ran = await withSettings(env, "seed", ...urls);
    expect([ran.code, ran.err]).toEqual([0, ""]);
    expect(await identity()).toMatchObject({ code: 0, ok: true, mend: null });
  });

  test("any scope leads to the public: doctor warns before there is a host", async () => {
    const { code, mend } = await identity({ CRAWL_SCOPE: "any" });
    expect([code, mend]).toEqual([0, expect.stringMatching(/^sites cannot see who crawls them/)]);
  });

  test("a first public site is warned of where it is named", async () => {
    const ran = await shell.run("seed", PUBLIC, "--json");
    expect([ran.code, jsonOf(ran)]).toMatchObject([0, { admitted: 1 }]);
    expect(ran.err).toStartWith(TOLD);
  });

  test("and by doctor, which does not fail for it", async () => {
    expect(await identity()).toMatchObject({
      code: 0,
      ok: true,
      mend: expect.stringMatching(TOLD),
    });
    expect((await shell.run("doctor")).out).toMatch(/^warn {2}identity +PUBLIC_URL is unset$/m);
  });

  test("and by a start that crawls", async () => {
    const program = new Program({ env: { ...shell.env, ...NO_DNS }, args: ["--roles", "crawl"] });
    program.spawn();
    await until(() => program.output.includes("identity.missing"), { timeoutMs: 30_000 });
    expect(program.output).toContain(TOLD);
    await program.stop();
  });
});

test("with PUBLIC_URL, or a user agent that names a place, nothing is said", async () => {
  for (const settings of [
    { PUBLIC_URL: "https://search.example.org" },
    { USER_AGENT: "MyBot/1 (crawler@example.org)" },
  ]) {
    const ran = await withSettings(settings, "seed", PUBLIC);
    expect([ran.code, ran.err]).toEqual([0, ""]);
    expect(await identity(settings)).toMatchObject({ ok: true, mend: null });
  }
});
