import { describe, expect, test } from "bun:test";
import {
  type AdmissionPolicy,
  admit,
  isInScope,
  type UrlCandidate,
} from "../../src/frontier/admit.ts";
import type { HostName } from "../../src/url/host.ts";

const policy: AdmissionPolicy = {
  scope: "seeded-domains",
  depthMax: 20,
  frontierIsFull: false,
  isSeededHost: (host) => host === "www.a.example",
  isSeededDomain: (domain) => domain === "a.example",
  isNamedOfRegion: (host) => host.endsWith(".qc.example"),
  isBlocked: (host) => host === "blocked.a.example",
  patterns: (host) =>
    host === "picky.a.example" ? { include: ["/in/*"], exclude: ["*print*"] } : null,
  hostIsFull: (host) => host === "full.a.example",
  traps: () => null,
};
const link: UrlCandidate = { url: "https://www.a.example/x", via: "link", depth: 3, hops: 0 };

const judge = (candidate: Partial<UrlCandidate>, over: Partial<AdmissionPolicy> = {}): string => {
  const admission = admit({ ...link, ...candidate }, { ...policy, ...over });
  return admission.kind === "refused" ? admission.reason : admission.kind;
};

test("an admitted candidate carries all that the store needs", () => {
  expect(admit({ ...link, url: "HTTPS://WWW.A.example:8443/x?utm_id=1#y" }, policy)).toEqual({
    kind: "admitted",
    url: "https://www.a.example:8443/x",
    key: expect.stringMatching(/^[0-9a-f-]{36}$/),
    host: "www.a.example",
    domain: "a.example",
    authority: "https://www.a.example:8443",
    depth: 3,
    hops: 0,
    priority: 97,
    via: "link",
  } as never);
});

describe("a candidate", () => {
  const rows: [candidate: Partial<UrlCandidate>, expected: string, why: string][] = [
    [{}, "admitted", "in scope"],
    [{ url: "no url" }, "invalid", "no URL"],
    [{ url: "ftp://a.example/" }, "scheme", "no http"],
    [{ url: "http://u:p@a.example/" }, "credentials", "a password"],
    [{ url: `http://a.example/${"x".repeat(3_000)}` }, "too long", "over 2,000"],
    [{ url: "http://b.example/" }, "scope", "another domain"],
    [{ url: "http://b.example/", via: "sitemap" }, "scope", "another domain, found in a sitemap"],
    [{ url: "http://b.example/", via: "redirect" }, "scope", "another domain, by a redirect"],
    [{ url: "http://b.example/", via: "seed" }, "admitted", "a person named it"],
    [{ url: "http://b.example/", via: "submission" }, "admitted", "a person named it"],
    [{ depth: 20 }, "admitted", "as deep as may be"],
    [{ depth: 21 }, "depth", "deeper"],
    [{ hops: 5, via: "redirect" }, "admitted", "five redirects"],
    [{ hops: 6, via: "redirect" }, "hops", "six"],
    [{ url: "https://blocked.a.example/" }, "blocked", "by the operator"],
    [{ url: "https://blocked.a.example/", via: "seed" }, "blocked", "for everyone"],
    [{ url: "https://picky.a.example/in/x" }, "admitted", "included"],
    [{ url: "https://picky.a.example/out" }, "pattern", "not included"],
    [{ url: "https://picky.a.example/in/print" }, "pattern", "excluded"],
    [{ url: "https://picky.a.example/out", via: "seed" }, "pattern", "for everyone"],
    [{ url: "https://full.a.example/" }, "host full", "over its quota"],
    [{ url: "https://full.a.example/", via: "submission" }, "host full", "for everyone"],
    [{ url: "https://www.a.example/n/n/n/" }, "trap", "repeats itself"],
    [{ url: "https://www.a.example/n/n/n/", via: "seed" }, "admitted", "a person knows better"],
    [{ nofollow: true }, "nofollow", "the page asked for it"],
    [{ nofollow: true, via: "seed" }, "admitted", "no page was asked"],
  ];
  test.each(rows)("%j is %s (%s)", (candidate, expected) => {
    expect(judge(candidate)).toBe(expected);
  });

  test("is refused by a full frontier, whoever names it", () => {
    expect(judge({}, { frontierIsFull: true })).toBe("frontier full");
    expect(judge({ via: "seed" }, { frontierIsFull: true })).toBe("frontier full");
  });
});

describe("scope", () => {
  const rows: [scope: AdmissionPolicy["scope"], host: string, domain: string, expected: boolean][] =
    [
      ["any", "x.b.example", "b.example", true],
      ["seeded-hosts", "www.a.example", "a.example", true],
      ["seeded-hosts", "x.a.example", "a.example", false],
      ["seeded-domains", "x.a.example", "a.example", true],
      ["seeded-domains", "x.b.example", "b.example", false],
      ["region", "www.a.example", "a.example", false],
      ["region", "www.qc.example", "qc.example", true],
    ];
  test.each(rows)("%s holds %s of %s: %p", (scope, host, domain, expected) => {
    expect(isInScope(host as HostName, domain, { ...policy, scope })).toBe(expected);
  });
});

describe("what speaks for a link under the scope region", () => {
  const from = (domain: string, score: number | null) => ({ source: { domain, score } });
  const rows: [what: string, candidate: Partial<UrlCandidate>, claim: string | undefined][] = [
    ["its host by its name", { url: "https://x.qc.example/" }, undefined],
    ["a person", { via: "seed" }, undefined],
    ["its own site", from("a.example", 0.1), "own"],
    ["a page of the region", from("b.example", 0.6), "vouched"],
    ["a page that hardly is", from("b.example", 0.59), "asks"],
    ["a page that was not scored", from("b.example", null), "asks"],
    ["a redirect of what was let in", { ...from("b.example", null), via: "redirect" }, "vouched"],
    ["nothing", {}, "asks"],
  ];
  test.each(rows)("%s", (_, candidate, region) => {
    const admission = admit({ ...link, ...candidate }, { ...policy, scope: "region" });
    expect(admission).toMatchObject({ kind: "admitted" });
    expect((admission as { region?: string }).region).toBe(region);
  });
});

describe("priority", () => {
  const rows: [candidate: Partial<UrlCandidate>, expected: number, why: string][] = [
    [{ via: "submission" }, 220, "a reader waits for it"],
    [{ via: "seed" }, 200, "a person named it"],
    [{ via: "link", depth: 1 }, 99, "less by its depth"],
    [{ via: "link", depth: 1_000 }, 50, "but not below this"],
    [{ via: "redirect", priority: 200 }, 200, "its source's"],
    [{ via: "seed", priority: 7 }, 7, "as told"],
    [{ via: "seed", priority: 999 }, 255, "at most"],
    [{ via: "seed", priority: -3 }, 0, "at least"],
    [{ via: "seed", priority: 1.6 }, 2, "whole"],
    [{ via: "seed", priority: Number.NaN }, 0, "a number"],
  ];
  test.each(rows)("of %j is %d (%s)", (candidate, expected) => {
    const admission = admit(
      { ...link, ...candidate },
      { ...policy, scope: "any", depthMax: 9_999 },
    );
    expect(admission).toMatchObject({ kind: "admitted", priority: expected });
  });
});
