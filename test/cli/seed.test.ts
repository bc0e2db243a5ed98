import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { testDatabaseUrl } from "../support/database.ts";
import { ROOT } from "../support/program.ts";
import { jsonOf, openShell, type Shell } from "../support/shell.ts";

setDefaultTimeout(60_000);

interface Report {
  admitted: number;
  known: number;
  refused: { url: string; reason: string }[];
}

let shell: Shell;
beforeAll(async () => {
  shell = openShell({ DATABASE_URL: await testDatabaseUrl() });
  mkdirSync(shell.path("folder"));
});
afterAll(() => shell.remove());

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");
const noise = Buffer.from(Array.from({ length: 50_000 }, (_, at) => (at * 7919 + (at >> 3)) & 255));

describe("a file that is none of URLs: exit 1, the reason on stderr", () => {
  const FILES: [name: string, content: string | Buffer | null, told: RegExp][] = [
    ["missing.txt", null, /^missing\.txt: there is no such file$/m],
    ["a-slip", null, /^a-slip: there is no such file$/m],
    ["empty.txt", "", /^empty\.txt: no URL in it$/m],
    ["comments.txt", "# a\n\n   \n  # b", /^comments\.txt: no URL in it$/m],
    ["folder", null, /^folder is a folder, not a file$/m],
    ["/dev/null", null, /is not a file$/m],
    ["noise.bin", noise, /^noise\.bin is no text/m],
    ["noise.gz", gzipSync(noise), /^noise\.gz is no text/m],
  ];

  test.each(FILES)("%s", async (name, content, told) => {
    if (content !== null) writeFileSync(shell.path(name), content);
    const ran = await shell.run("seed", name, "--json");
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(told);
    expect(jsonOf(ran)).toEqual({ error: { code: "failed", message: ran.err.trimEnd() } });
  });

  test("without --json stdout is left alone", async () => {
    const { code, out, err } = await shell.run("seed", "missing.txt");
    const told = "missing.txt: there is no such file\n";
    expect({ code, out, err }).toEqual({ code: 1, out: "", err: told });
  });

  test("one that may not be read", async () => {
    writeFileSync(shell.path("secret.txt"), "http://a.example/\n");
    chmodSync(shell.path("secret.txt"), 0);
    const { code, err } = await shell.run("seed", "secret.txt");
    // Root reads everything.
    if (process.getuid?.() === 0) expect([0, 1]).toContain(code);
    else expect([code, err]).toEqual([1, "secret.txt cannot be read (EACCES)\n"]);
  });
});

describe("a file of URLs", () => {
  const FILES: [why: string, content: string | Buffer, counts: string][] = [
    ["bare hosts", "one.example\nwww.two.example/page\n", "admitted 2, known 0, refused 0"],
    [
      "CRLF and a byte order mark",
      "\ufeffhttp://crlf.example/\r\n\r\n",
      "admitted 1, known 0, refused 0",
    ],
    ["no newline at its end", "http://end.example/", "admitted 1, known 0, refused 0"],
    ["comments", "http://c.example/a # why\n# no\n", "admitted 1, known 0, refused 0"],
    ["UTF-16", utf16("http://utf16.example/\r\n"), "admitted 1, known 0, refused 0"],
    ["one URL twice", "http://t.example/\nhttp://t.example/#x\n", "admitted 1, known 1, refused 0"],
    [
      "good and bad",
      "http://g.example/\nnope\nftp://g.example/\n",
      "admitted 1, known 0, refused 2",
    ],
    ["bad alone", "nope\nhttp://10.0.0.1/\n", "admitted 0, known 0, refused 2"],
    [
      "a line without end",
      `http://l.example/${"x".repeat(300_000)}\n`,
      "admitted 0, known 0, refused 1",
    ],
  ];

  test.each(FILES)("with %s", async (why, content, counts) => {
    const name = `${why.replaceAll(" ", "-")}.txt`;
    writeFileSync(shell.path(name), content);
    const { code, out, err } = await shell.run("seed", name);
    expect([out.split("\n")[0], err]).toEqual([counts, ""]);
    expect(code).toBe(counts.startsWith("admitted 0, known 0") ? 1 : 0);
    expect(out.length).toBeLessThan(1_000);
  });

  test("of 10,000 lines, every fourth broken", async () => {
    const broken = [
      "line with spaces",
      "ftp://f.example/",
      "http://10.0.0.1/",
      "http://u:p@c.example/",
    ];
    const lines = Array.from({ length: 10_000 }, (_, at) =>
      at % 4 === 3 ? `${broken[(at >> 2) % 4]}` : `http://h${at % 97}.example/page/${at}`,
    );
    writeFileSync(shell.path("many.txt"), lines.join("\n"));
    const first = await shell.run("seed", "many.txt");
    expect([first.code, first.err]).toEqual([0, ""]);
    const [counts, ...told] = first.out.trimEnd().split("\n");
    expect(counts).toBe("admitted 7500, known 0, refused 2500");
    expect(told.slice(0, 4)).toEqual([
      "  line with spaces: This is not an address of a web page.",
      "  ftp://f.example/: Only addresses that begin with http:// or https:// are taken.",
      "  http://10.0.0.1/: The address leads to a place that is not public.",
      "  http://u:p@c.example/: The address holds a user name or password.",
    ]);
    expect(told.at(-1)).toMatch(/… and \d+ more$/);
    const again = await shell.run("seed", "many.txt", "--json");
    const { refused, ...rest } = jsonOf<Report>(again);
    expect([again.code, rest]).toEqual([0, { admitted: 0, known: 7_500 }]);
    expect(refused.length).toBe(2_500);
    const reasons = new Set(refused.map(({ reason }) => reason));
    expect(reasons).toEqual(new Set(["invalid", "scheme", "address", "credentials"]));
  });

  test("a long answer is written to its end before the process ends", async () => {
    const lines = Array.from({ length: 5_000 }, (_, at) => `no address ${at} ${"x".repeat(100)}`);
    writeFileSync(shell.path("bad.txt"), lines.join("\n"));
    const ran = await shell.run("seed", "bad.txt", "--json");
    expect(jsonOf<Report>(ran).refused.length).toBe(5_000);
    expect(ran.out.length).toBeGreaterThan(500_000);
  });

  test("a reader that leaves early is no error", async () => {
    const seed = '"$0" "$1" seed bad.txt --json';
    const script = `${seed} | head -c 10 >/dev/null; echo "\${PIPESTATUS[0]}"`;
    const shown = Bun.spawn(["bash", "-c", script, process.execPath, `${ROOT}/src/main.ts`], {
      cwd: shell.folder,
      env: shell.env,
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(await new Response(shown.stderr).text()).toBe("");
    expect(await new Response(shown.stdout).text()).toBe("1\n");
  });
});

describe("URLs as arguments", () => {
  const URLS: [url: string, reason: string][] = [
    ["http://", "invalid"],
    ["https://exa mple.org/", "invalid"],
    ["ftp://a.example/", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["http://user:pw@a.example/", "credentials"],
    ["http://a.example:22/", "port"],
    [`http://a.example/${"x".repeat(2_000)}`, "too long"],
    ["http://127.0.0.1/", "address"],
    ["http://[::1]/", "address"],
  ];

  test("bad ones are refused, each with its reason", async () => {
    const ran = await shell.run("seed", ...URLS.map(([url]) => url), "--json");
    const refused = URLS.map(([url, reason]) => ({ url, reason }));
    expect([ran.code, jsonOf(ran)]).toEqual([1, { admitted: 0, known: 0, refused }]);
  });

  test("a good one beside bad ones: exit 0; known again: exit 0", async () => {
    const args = ["seed", "http://good.example/", "ftp://bad.example/"];
    const first = await shell.run(...args);
    expect([first.code, first.out.split("\n")[0]]).toEqual([0, "admitted 1, known 0, refused 1"]);
    const again = await shell.run(...args);
    expect([again.code, again.out.split("\n")[0]]).toEqual([0, "admitted 0, known 1, refused 1"]);
  });

  test("files and URLs together; a missing file stops before anything is admitted", async () => {
    writeFileSync(shell.path("pair.txt"), "http://pair.example/1\n");
    const both = await shell.run("seed", "pair.txt", "http://pair.example/2", "--json");
    expect(jsonOf<Report>(both).admitted).toBe(2);
    const stopped = await shell.run("seed", "http://pair.example/3", "gone.txt");
    expect([stopped.code, stopped.out]).toEqual([1, ""]);
    expect((await shell.run("explain", "http://pair.example/3")).code).toBe(1);
  });

  test("--priority is kept, and raised by a later seed, never lowered", async () => {
    const priority = async () => {
      const ran = await shell.run("explain", "http://prio.example/", "--json");
      return jsonOf<{ priority: number }>(ran).priority;
    };
    await shell.run("seed", "http://prio.example/", "--priority", "7");
    expect(await priority()).toBe(7);
    await shell.run("seed", "http://prio.example/", "--priority", "255");
    expect(await priority()).toBe(255);
    await shell.run("seed", "http://prio.example/", "--priority", "0");
    expect(await priority()).toBe(255);
  });
});
