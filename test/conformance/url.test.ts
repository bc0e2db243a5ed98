import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { canonicalUrl } from "../../src/url/canonical.ts";
import { hostName, registrableDomain } from "../../src/url/host.ts";
import { suite } from "../support/suites.ts";

/** Where Trawl decides otherwise than crawler-commons, on purpose. */
type Policy =
  /** `/a//b` and `/a/b` are two pages to some servers. */
  | "doubled slashes stay"
  /** Order and empty values of parameters are kept: some servers read them. */
  | "parameters stay as they are"
  /** http and https alone. */
  | "other schemes are refused"
  /** Who names a URL says its scheme; in a page such text is a relative link. */
  | "no scheme is no URL"
  /** The URL standard sees no host. */
  | "no host is no URL"
  /** Nothing with a password is crawled. */
  | "credentials are refused";

const normalised = table("url/weirdToNormalizedUrls.csv");
const resolved = table("url/url-resolve.csv");
const invalid = lines("url/invalidUrls.csv", "#");
const publicSuffixes = lines("url/psl/tests.txt", "//");

describe.if(normalised !== null)("crawler-commons: normaliser pairs", () => {
  test("each is normalised as there, but for named policies", () => {
    const score = compare(normalised!.map(([input, expected]) => [input!, undefined, expected!]));
    expect(score.unexplained).toEqual([]);
    expect(score.policies).toEqual({
      "doubled slashes stay": 6,
      "parameters stay as they are": 11,
      "other schemes are refused": 5,
      "no scheme is no URL": 1,
      "no host is no URL": 3,
    });
  });
});

describe.if(resolved !== null)("crawler-commons: resolver pairs", () => {
  test("each is resolved as there, but for named policies", () => {
    const rows = resolved!.map(([input, base, expected]): Row => [input!, base, expected!]);
    const score = compare(rows, (url) => canonicalOf(url) ?? url);
    expect(score.unexplained).toEqual([]);
    expect(score.policies).toEqual({
      "credentials are refused": 1,
      "other schemes are refused": 1,
    });
  });
});

describe.if(invalid !== null)("crawler-commons: invalid URLs", () => {
  test.each(invalid ?? [])("%s is refused", (input) => {
    expect(canonicalUrl(input)).toEqual({ kind: "refused", reason: "invalid" });
  });
});

describe.if(publicSuffixes !== null)("Public Suffix List", () => {
  const rows = (publicSuffixes ?? []).map((line) => line.split(" ") as [string, string]);
  test.each(rows)("%s → %s", (name, expected) => {
    const url = canonicalUrl(`http://${name}/`);
    if (url.kind === "refused") return expect(expected).toBe("null");
    const host = hostName(url.url);
    // A suffix that nobody registered is its own domain here: every host must have one.
    const wanted = expected === "null" ? host : new URL(`http://${expected}/`).hostname;
    expect(registrableDomain(host)).toBe(wanted);
  });
});

type Row = [input: string, base: string | undefined, expected: string];

function compare(rows: Row[], form: (url: string) => string = (url) => url) {
  const policies: Partial<Record<Policy, number>> = {};
  const unexplained: string[] = [];
  let equal = 0;
  for (const [input, base, expected] of rows) {
    const ours = canonicalOf(input, base === "" ? undefined : base);
    if (ours === form(expected)) {
      equal++;
      continue;
    }
    const policy = policyOf(input, base, ours, expected);
    if (policy === null) unexplained.push(`${input} → ${ours}, there ${expected}`);
    else policies[policy] = (policies[policy] ?? 0) + 1;
  }
  console.info(`${equal} of ${rows.length} as there, policies: ${JSON.stringify(policies)}`);
  return { policies, unexplained };
}

/** The policy that alone explains the difference; null: nothing does. */
function policyOf(
  input: string,
  base: string | undefined,
  ours: string | null,
  expected: string,
): Policy | null {
  if (ours === null) return refusalOf(input, base);
  const [path = "", query = ""] = ours.split(/\?(.*)/s);
  if (path.replace(/(?<!:)\/{2,}/g, "/") === expected) return "doubled slashes stay";
  return sameParameters(query, expected.split(/\?(.*)/s)[1] ?? "")
    ? "parameters stay as they are"
    : null;
}

function refusalOf(input: string, base: string | undefined): Policy | null {
  const result = canonicalUrl(input, base);
  if (result.kind !== "refused") return null;
  if (result.reason === "credentials") return "credentials are refused";
  if (result.reason === "scheme") return "other schemes are refused";
  if (!/^[a-z]+:/.test(input)) return "no scheme is no URL";
  return /^[a-z]+:\/*$/.test(input) ? "no host is no URL" : null;
}

/** Equal but for order, empty values, and parameters without a name. */
function sameParameters(left: string, right: string): boolean {
  const sorted = (query: string) =>
    query
      .split("&")
      .map((parameter) => parameter.replace(/=$/, ""))
      .filter((parameter) => parameter !== "" && !parameter.startsWith("="))
      .toSorted()
      .join("&");
  return sorted(left) === sorted(right);
}

function canonicalOf(input: string, base?: string): string | null {
  const result = canonicalUrl(input, base);
  return result.kind === "canonical" ? result.url : null;
}

function lines(name: string, comment: string): string[] | null {
  const path = suite(name);
  if (path === null) return null;
  const written = readFileSync(path, "utf8").split("\n");
  return written.filter((line) => line.trim() !== "" && !line.startsWith(comment));
}

/** CSV with `"` around some fields and `""` for one inside; spaces around fields mean nothing. */
function table(name: string): string[][] | null {
  const field = /\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/gy;
  const rows = lines(name, "#")?.map((line) =>
    [...line.matchAll(field)]
      .map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare!.trim())
      .slice(0, 3),
  );
  return rows ?? null;
}
