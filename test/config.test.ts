import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { readConfig } from "../src/config.ts";
import { SETTINGS } from "../src/settings.ts";
import { BAD_SETTINGS } from "./support/bad-settings.ts";

const problemsOf = (env: Record<string, string>): string[] => {
  const read = readConfig(env);
  return read.kind === "problems" ? read.problems : [];
};

const configOf = (env: Record<string, string>) => {
  const read = readConfig(env);
  if (read.kind !== "config") throw new Error(read.problems.join("\n"));
  return read.config;
};

describe("settings", () => {
  test("each has a value that cannot be used, but those that any text fits", () => {
    const others = Object.keys(SETTINGS).filter((name) => !(name in BAD_SETTINGS));
    expect(others).toEqual(["DATA_DIR", "TYPESENSE_API_KEY"]);
  });

  test("every bad value is told, all in one message", () => {
    const problems = problemsOf(BAD_SETTINGS);
    const named = problems.map((problem) => problem.split(":")[0]).sort();
    expect(named).toEqual(Object.keys(BAD_SETTINGS).sort());
  });

  test.each(Object.entries(BAD_SETTINGS))("%s=%s alone is refused by name", (name, value) => {
    expect(problemsOf({ [name]: value }).map((problem) => problem.split(":")[0])).toContain(name);
  });

  test("a secret is never repeated in a message", () => {
    expect(problemsOf({ ADMIN_PASSWORD: "hunter2" }).join()).not.toContain("hunter2");
  });

  test("an empty value is the default, as in a copied .env.example", () => {
    const empty = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, ""]));
    expect(configOf(empty)).toEqual(configOf({}));
  });

  test.each(["0x50", "1e3", "1.0", "+5", "1_000", "0b11", "\u0665", "Infinity"])(
    "the number %s is none of decimal digits",
    (text) => expect(problemsOf({ CRAWL_TURNS: text })).toHaveLength(1),
  );

  const TOKEN = "0123456789abcdef";
  const PASSWORD = "correct horse";
  const CREDENTIALS: [name: string, value: string, taken: boolean][] = [
    ["API_TOKEN", TOKEN, true],
    ["API_TOKEN", TOKEN.slice(1), false],
    ["API_TOKEN", "x".repeat(500), true],
    ["API_TOKEN", "x".repeat(501), false],
    ["API_TOKEN", `two ${TOKEN}`, false],
    ["API_TOKEN", `é${TOKEN}`, false],
    ["ADMIN_PASSWORD", PASSWORD, true],
    ["ADMIN_PASSWORD", "пароль и ключ", true],
    ["ADMIN_PASSWORD", "x".repeat(1_000), true],
    ["ADMIN_PASSWORD", "x".repeat(1_001), false],
    ["ADMIN_PASSWORD", `${PASSWORD}\t`, false],
  ];

  test.each(CREDENTIALS)("%s %j: one that the server could never read is refused", (...row) => {
    const [name, value, taken] = row;
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(taken ? 0 : 1);
    expect(problems.join()).not.toContain(value);
  });

  test("a password is kept to the blank at its end", () => {
    expect(configOf({ ADMIN_PASSWORD: ` ${PASSWORD} ` }).web.adminPassword).toBe(` ${PASSWORD} `);
  });

  const PUBLIC_URLS: [given: string, known: string | null][] = [
    ["https://trawl.example", "https://trawl.example"],
    ["HTTPS://Trawl.Example:443/", "https://trawl.example"],
    ["http://trawl.example:8080/find//", "http://trawl.example:8080/find"],
    ["https://bücher.example/süße", "https://xn--bcher-kva.example/s%C3%BC%C3%9Fe"],
    ["https://me@trawl.example/", null],
    ["https://me:secret@trawl.example/", null],
    ["https://trawl.example/?x=1", null],
    ["https://trawl.example/?", null],
    ["https://trawl.example/#top", null],
    ["https://", null],
  ];

  test.each(PUBLIC_URLS)("PUBLIC_URL %s is known as %j", (given, known) => {
    if (known === null) return expect(problemsOf({ PUBLIC_URL: given })).toHaveLength(1);
    const { web, userAgent } = configOf({ PUBLIC_URL: given });
    expect(web.publicUrl).toBe(known);
    expect(userAgent).toEndWith(` (+${known}/bot)`);
    expect(userAgent).toMatch(/^[\x20-\x7e]+$/);
  });

  test("what derives from other settings", () => {
    expect(configOf({ CRAWL_DELAY_MS: "2000" }).politeness.ipDelayMs).toBe(200);
    expect(configOf({ CRAWL_DELAY_MS: "0" }).politeness.ipDelayMs).toBe(0);
    expect(configOf({ CRAWL_IP_DELAY_MS: "7" }).politeness.ipDelayMs).toBe(7);
    const named = configOf({ PUBLIC_URL: "https://trawl.example/" });
    expect(named.userAgent).toMatch(/^Trawl\/\d+\.\d+\.\d+ \(\+https:\/\/trawl\.example\/bot\)$/);
    expect(named.robotsToken).toBe("trawl");
    expect(configOf({ USER_AGENT: "My-Bot/2 x" }).robotsToken).toBe("my-bot");
  });

  test("secrets are masked where settings are shown", () => {
    const { shown } = configOf({
      ADMIN_PASSWORD: "correct horse",
      DATABASE_URL: "postgres://u:p@h/d",
      PORT: "1234",
    });
    expect(shown.ADMIN_PASSWORD).toBe("********");
    expect(shown.DATABASE_URL).toBe("********");
    expect(shown.PORT).toBe("1234");
  });
});

describe(".env.example", () => {
  const lines = readFileSync(new URL("../.env.example", import.meta.url), "utf8").split("\n");

  test("lists every setting once, in order, with default and meaning", () => {
    const listed = lines.flatMap((line, at) => {
      const match = /^#([A-Z][A-Z_0-9]*)=(.*)$/.exec(line);
      return match ? [[match[1], match[2], lines[at - 1]]] : [];
    });
    const wanted = Object.entries(SETTINGS).map(([name, { fallback, meaning }]) => [
      name,
      fallback,
      `# ${meaning}`,
    ]);
    expect(listed).toEqual(wanted);
  });
});
