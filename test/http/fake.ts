import type {
  AccountRow,
  ActionResult,
  HttpDeps,
  HttpSettings,
  NewSession,
} from "../../src/http/deps.ts";
import { hashPassword } from "../../src/http/password.ts";
import { hashToken } from "../../src/http/secrets.ts";
import { silentLog } from "../../src/log.ts";
import {
  document,
  HOST_NAMES,
  host,
  NOW,
  robots,
  STATUS,
  STORE_DOWN,
  submission,
  url,
  visits,
} from "./rows.ts";

export const API_TOKEN = "api-token-of-the-tests-0123456789";
export const VIEWER_TOKEN = "viewer-token-of-the-tests-01234";
export const PASSWORDS = { admin: "correct horse", viewer: "battery staple" } as const;
export const SESSIONS = {
  admin: "admin-session-id-aaaaaaaaaaaaaaaaaaaaaaaaaaa",
  viewer: "viewer-session-id-bbbbbbbbbbbbbbbbbbbbbbbbbb",
} as const;
export const CSRF = "csrf-token-of-the-tests-ccccccccccccc";

/** Hashing costs 30 ms: once for all files of a run. */
const hashes = {
  admin: await hashPassword(PASSWORDS.admin),
  viewer: await hashPassword(PASSWORDS.viewer),
};

/** Everything the server asks for, in memory; `calls` is what it asked to be done. */
export interface Fake {
  deps: HttpDeps;
  calls: string[];
  audited: string[];
  sessions: Map<string, NewSession & { createdAt: Date }>;
  /** Turns the clock. */
  advance(ms: number): void;
  /** From now on the store rejects, as postgres.js does. */
  breakStore(): void;
  /** What every action answers from now on. */
  answer(result: ActionResult): void;
  /** Puts a text wherever crawled or submitted text stands. */
  say(text: string): void;
}

export function createFake(
  options: { text?: string; settings?: Partial<HttpSettings> } = {},
): Fake {
  let now = NOW;
  let isBroken = false;
  let result: ActionResult = { kind: "done" };
  const calls: string[] = [];
  const audited: string[] = [];
  let text = options.text ?? "Tidal power";
  const accounts = ["admin", "viewer"].map((name, index) => account(name as "admin", index + 1));
  const sessions: Fake["sessions"] = new Map();
  for (const row of accounts) {
    const idHash = hashToken(SESSIONS[row.role]);
    const expiresAt = new Date(NOW + 86_400_000);
    sessions.set(idHash, {
      idHash,
      accountId: row.id,
      csrf: CSRF,
      expiresAt,
      createdAt: new Date(NOW),
    });
  }
  const store = async <T>(value: T): Promise<T> => {
    if (isBroken) {
      throw Object.assign(new Error("write CONNECTION_CLOSED"), { code: "CONNECTION_CLOSED" });
    }
    return value;
  };
  const act = (what: string) => async (id: number, actor: string) => {
    calls.push(`${what} ${id} ${actor}`);
    return store(result);
  };
  const one = (id: number) => id === 1;
  const deps: HttpDeps = {
    clock: { now: () => now, sleep: (ms) => Bun.sleep(Math.min(ms, 20)) },
    log: silentLog,
    settings: {
      version: "0.1.0",
      publicUrl: null,
      apiToken: API_TOKEN,
      trustedProxies: [],
      rateLimitPerS: 50,
      submit: "review",
      shown: [
        { group: "web", name: "PORT", value: "3000", fallback: "3000", meaning: "port" },
        { group: "web", name: "API_TOKEN", value: "********", fallback: "", meaning: "token" },
        { group: "web", name: "PUBLIC_URL", value: "", fallback: "", meaning: "address" },
      ],
      ...options.settings,
    },
    status: async () => ({ ...STATUS, ...(isBroken ? STORE_DOWN : {}) }),
    overview: {
      activity: (since) =>
        store(
          Array.from({ length: 90 }, (_, index) => ({
            at: new Date(NOW - (90 - index) * 10_000),
            pages: 120 + Math.round(330 * Math.abs(Math.sin(index / 9))),
            errors: index % 7,
          })).filter(({ at }) => at >= since),
        ),
      fetchTimes: () => store({ p50: 84, p95: 640 }),
      hostsByState: () =>
        store({
          active: 12,
          waiting_robots: 1,
          backing_off: 2,
          parked: 104,
          paused: 0,
          dead: 3,
          blocked: 1,
          out_of_region: 0,
        }),
      conservation: () => store({ accepted: 12_345, present: 12_340, removed: 5 }),
    },
    hosts: {
      list: ({ page, perPage }) =>
        store({
          rows:
            page === 1
              ? [...HOST_NAMES, ...(options.text === undefined ? [] : [text])].map((name, index) =>
                  host(index + 1, name, text),
                )
              : [],
          hasMore: perPage < HOST_NAMES.length,
          total: HOST_NAMES.length,
        }),
      read: (id) =>
        store(
          one(id)
            ? {
                host: { ...host(1, "a.example", text), reason: text },
                robots: [robots(text)],
                verdict: "allowed",
                urlsByState: { pending: 40, in_progress: 1, done: 12, failed: 3, blocked: 0 },
                documents: 38,
                visits: visits(text).map((visit) => ({
                  ...visit,
                  url: `http://a.example/${text}`,
                })),
              }
            : null,
        ),
      delayOf: (row) => ({
        ms: row.delayMs ?? 1_000,
        source: row.delayMs === null ? "setting" : "host",
      }),
      pause: act("pause"),
      resume: act("resume"),
      block: act("block"),
      unblock: act("unblock"),
      crawlNow: act("crawl host"),
      forget: act("forget"),
      setDelay: (id, delayMs, actor) => act(`delay ${delayMs}`)(id, actor),
    },
    urls: {
      list: () =>
        store({
          rows: Array.from({ length: 8 }, (_, at) => url(at + 1, text)),
          hasMore: true,
          total: null,
        }),
      read: (id) =>
        store(
          one(id)
            ? {
                url: url(1, text),
                document: document(text),
                target: { id: 2, url: `http://b.example/${text}` },
                visits: visits(text),
              }
            : null,
        ),
      explain: (address) =>
        store(address === "https://a.example/" ? { url: address, state: "pending" } : null),
      retry: act("retry"),
      drop: act("drop"),
      crawlNow: act("crawl url"),
    },
    submissions: {
      list: ({ state }) => store({ rows: [submission(text, state)], hasMore: false, total: 1 }),
      decide: (id, decision, actor) => act(decision)(id, actor),
    },
    accounts: {
      list: () => store(accounts),
      byName: (name) => store(accounts.find((each) => each.name === name) ?? null),
      byTokenHash: (tokenHash) =>
        store(accounts.find((each) => each.tokenHash === tokenHash) ?? null),
      session: (idHash) => {
        const known = sessions.get(idHash);
        const owner = accounts.find((each) => each.id === known?.accountId);
        return store(known && owner ? { ...known, account: owner } : null);
      },
      createSession: async (session) => {
        await store(null);
        sessions.set(session.idHash, { ...session, createdAt: new Date(now) });
      },
      rotateSession: async (oldIdHash, next, oldExpiresAt) => {
        await store(null);
        const old = sessions.get(oldIdHash);
        if (old) old.expiresAt = oldExpiresAt;
        sessions.set(next.idHash, { ...next, createdAt: new Date(now) });
      },
      endSession: async (idHash) => {
        await store(null);
        sessions.delete(idHash);
      },
    },
    audit: {
      record: async ({ actor, action, subject }) => {
        await store(null);
        audited.push(`${actor} ${action} ${subject}`);
      },
      list: () =>
        store({
          rows: [
            {
              id: 1,
              at: new Date(NOW),
              actor: "admin",
              action: "host.block",
              subject: text,
              detail: { text },
            },
          ],
          hasMore: false,
          total: 1,
        }),
    },
  };
  return {
    deps,
    calls,
    audited,
    sessions,
    say: (next) => {
      text = next;
    },
    advance: (ms) => {
      now += ms;
    },
    breakStore: () => {
      isBroken = true;
    },
    answer: (next) => {
      result = next;
    },
  };
}

function account(role: "admin" | "viewer", id: number): AccountRow {
  return {
    id,
    name: role,
    role,
    passwordHash: hashes[role],
    tokenHash: role === "viewer" ? hashToken(VIEWER_TOKEN) : null,
    lang: null,
    createdAt: new Date(NOW - 86_400_000),
  };
}
