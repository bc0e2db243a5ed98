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
