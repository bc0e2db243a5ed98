import { describe, expect, test } from "bun:test";
import type { Outcome, ResponseHeaders } from "../../src/fetch/outcome.ts";
import type { Authority } from "../../src/url/host.ts";
import { RobotsGate } from "../../src/visit/robots.ts";
import { nextRow, type RobotsRow } from "../../src/visit/robots-row.ts";
import { ManualClock } from "../support/clock.ts";

const DAY_MS = 86_400_000;
const NOW = 1_800_000_000_000;
const AT = "http://a.example:80" as Authority;
const timing = { startedAt: NOW - 5, endedAt: NOW };
const headers: ResponseHeaders = {
  etag: '"1"',
  lastModified: null,
  maxAgeS: null,
  robotsTag: [],
  contentLanguage: null,
  tdmReservation: null,
  canonical: null,
};
const answer = (body: string, more: Partial<ResponseHeaders> = {}): Outcome => ({
  kind: "fetched",
  status: 200,
  headers: { ...headers, ...more },
  body: new TextEncoder().encode(body),
  wireBytes: body.length,
  contentType: "text/plain",
  charset: null,
  address: "127.0.0.1",
  timing,
});
const throttled = (retryAfterMs: number | null): Outcome => ({
  kind: "throttled",
  status: 429,
  retryAfterMs,
  timing,
});
const status = (kind: "unavailable" | "rejected", code: number): Outcome =>
  ({ kind, status: code, timing }) as Outcome;

/** outcome, usable status or null, ms until it is asked again; why (RFC 9309) */
const FIRST: [string, Outcome, number | null, number][] = [
  ["200: its rules, for a day", answer("x"), 200, DAY_MS],
  ["Cache-Control is honoured below a day", answer("x", { maxAgeS: 3600 }), 200, 3_600_000],
  ["but not beyond", answer("x", { maxAgeS: 9e6 }), 200, DAY_MS],
  ["nor below a minute", answer("x", { maxAgeS: 0 }), 200, 60_000],
  ["404: allow all", { kind: "gone", status: 404, timing }, 404, DAY_MS],
  ["401: allow all", status("rejected", 401), 401, DAY_MS],
  ["403: allow all", status("rejected", 403), 403, DAY_MS],
  ["418: allow all", status("rejected", 418), 418, DAY_MS],
  ["408: a 4xx like others", status("unavailable", 408), 408, DAY_MS],
  ["429: unreachable", throttled(null), null, 5_000],
  ["429 with Retry-After", throttled(3_600_000), null, 3_600_000],
  ["Retry-After up to a day", throttled(9 * DAY_MS), null, DAY_MS],
  ["500: unreachable", status("unavailable", 500), null, 5_000],
  ["503: unreachable", status("unavailable", 503), null, 5_000],
  ["505: unreachable", status("rejected", 505), null, 5_000],
  [
    "six hops: unavailable",
    { kind: "redirected", status: 302, location: "x", cookies: null, timing },
    302,
    DAY_MS,
  ],
  ["time-out", { kind: "interrupted", cause: "timeout", detail: "" }, null, 5_000],
  ["no address", { kind: "unreachable", cause: "dns", detail: "" }, null, 5_000],
  ["TLS", { kind: "unreachable", cause: "tls", detail: "" }, null, 5_000],
  ["hop to a private place", { kind: "refused", reason: "address", detail: "" }, null, 5_000],
  ["no HTTP", { kind: "malformed", detail: "" }, null, 5_000],
];

const cached: RobotsRow = {
  authority: AT,
  hostId: 1,
  status: 200,
  body: "user-agent: *\ndisallow: /private",
  etag: '"0"',
  lastModified: null,
  fetchedAt: new Date(NOW - DAY_MS),
  expiresAt: new Date(NOW),
  failures: 0,
  failure: null,
};

describe("nextRow", () => {
  test.each(FIRST)("%s", (_why, outcome, usable, waitMs) => {
    const row = nextRow(null, { authority: AT, hostId: 1 }, outcome, NOW);
    expect(row.status).toBe(usable);
    expect(row.expiresAt.getTime() - NOW).toBe(waitMs);
    expect(row.failures).toBe(usable === null ? 1 : 0);
  });

  test("a failure keeps the copy, and backs off more each time", () => {
    const first = nextRow(cached, { authority: AT, hostId: 1 }, status("unavailable", 503), NOW);
    expect(first).toMatchObject({ body: cached.body, fetchedAt: cached.fetchedAt, failures: 1 });
    const second = nextRow(first, { authority: AT, hostId: 1 }, status("unavailable", 503), NOW);
    expect(second.expiresAt.getTime() - NOW).toBe(10_000);
    const late = nextRow(
      { ...second, failures: 40 },
      { authority: AT, hostId: 1 },
      throttled(null),
      NOW,
    );
    expect(late.expiresAt.getTime() - NOW).toBe(6 * 3_600_000);
  });

  test("304 keeps the rules for another day", () => {
    const unchanged: Outcome = { kind: "unchanged", headers, timing };
    const row = nextRow(cached, { authority: AT, hostId: 1 }, unchanged, NOW);
    expect(row).toMatchObject({ body: cached.body, etag: '"0"', failures: 0 });
    expect(row.expiresAt.getTime() - NOW).toBe(DAY_MS);
  });
});

function gate(row: RobotsRow | null, outcome: Outcome, url = `${AT}/robots.txt`) {
  const clock = new ManualClock(NOW);
  const saved: RobotsRow[] = [];
  const asked: object[] = [];
  const robots = new RobotsGate({
    store: {
      read: async () => saved.at(-1) ?? row,
      save: async (next) => void saved.push(next),
    },
    ask: async (_authority, validators) => {
      asked.push(validators);
      await Promise.resolve();
      return { outcome, url };
    },
    token: "trawl",
    clock,
  });
  const rulesOf = () => robots.rulesOf(AT, 1, new AbortController().signal);
  return { clock, saved, asked, rulesOf };
}

describe("RobotsGate", () => {
  test("a thousand who want them at once ask once", async () => {
    const { rulesOf, asked } = gate(null, answer("user-agent: *\ndisallow: /private"));
    const verdicts = await Promise.all(Array.from({ length: 1_000 }, rulesOf));
    expect(asked).toHaveLength(1);
    for (const verdict of verdicts) {
      if (verdict.kind !== "rules") throw new Error(verdict.kind);
      expect(verdict.rules.isAllowed(`${AT.replace(":80", "")}/private/x`)).toBe(false);
      expect(verdict.rules.isAllowed(`${AT.replace(":80", "")}/open`)).toBe(true);
    }
  });

  test("a fresh copy is not asked for again, an old one with its validators", async () => {
    const fresh = gate({ ...cached, expiresAt: new Date(NOW + 1) }, throttled(null));
    expect((await fresh.rulesOf()).kind).toBe("rules");
    expect(fresh.asked).toHaveLength(0);
    const old = gate(cached, { kind: "unchanged", headers, timing });
    expect((await old.rulesOf()).kind).toBe("rules");
    expect(old.asked).toEqual([{ etag: '"0"', lastModified: null }]);
  });

  test("unreachable: the copy rules for 30 days, then nothing may be asked", async () => {
    const young = gate(cached, status("unavailable", 503));
    expect((await young.rulesOf()).kind).toBe("rules");
    const old = { ...cached, fetchedAt: new Date(NOW - 30 * DAY_MS - 1) };
    const aged = gate(old, status("unavailable", 503));
    expect((await aged.rulesOf()).kind).toBe("waiting");
  });

  test("503 at first: waiting until the back-off is over, then asked anew", async () => {
    const { rulesOf, asked, clock } = gate(null, status("unavailable", 503));
    expect(await rulesOf()).toMatchObject({ kind: "waiting", retryAt: NOW + 5_000 });
    await rulesOf();
    expect(asked).toHaveLength(1);
    clock.jump(5_000);
    expect(await rulesOf()).toMatchObject({ kind: "waiting", retryAt: NOW + 15_000 });
    expect(asked).toHaveLength(2);
  });

  test("a refused authority and a missing slot leave no row behind", async () => {
    const refused = gate(null, { kind: "refused", reason: "address", detail: "10.0.0.1" });
    expect((await refused.rulesOf()).kind).toBe("refused");
    const slotless = gate(null, { kind: "no slot" });
    expect(await slotless.rulesOf()).toEqual({ kind: "not asked", why: "no slot" });
    expect([...refused.saved, ...slotless.saved]).toEqual([]);
  });
});
