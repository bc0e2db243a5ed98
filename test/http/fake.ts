import { systemClock } from "../../src/clock.ts";
import type { ActionResult } from "../../src/crawl/move-url.ts";
import type { NewSession } from "../../src/db/sessions.ts";
import type { AccountRow, HttpDeps, HttpSettings } from "../../src/http/deps.ts";
import { hashPassword } from "../../src/http/password.ts";
import { hashToken } from "../../src/http/secrets.ts";
import { silentLog } from "../../src/log.ts";
import { rankingDeps } from "./fake-ranking.ts";
import {
  ACTIVITY,
  auditRow,
  HOST_NAMES,
  HOSTS_BY_STATE,
  host,
  hostDetail,
  NOW,
  STATUS,
  STORE_DOWN,
  submission,
  url,
  urlDetail,
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
  /** Opens those of both accounts again. */
  openSessions(): void;
  /** Turns the clock. */
  advance(ms: number): void;
  /** From now on the store rejects, as postgres.js does. */
  breakStore(): void;
  /** What every action answers from now on. */
  answer(result: ActionResult): void;
  /** Puts a text wherever crawled or submitted text stands. */
  say(text: string): void;
}

/** What the parts of a fake share. */
interface World extends Pick<Fake, "calls" | "audited" | "sessions"> {
  now: number;
  text: string;
  /** Whether a host is named by the text as well. */
  hasNamedHost: boolean;
  isBroken: boolean;
  result: ActionResult;
  accounts: readonly AccountRow[];
}

interface FakeOptions {
  text?: string;
  settings?: Partial<HttpSettings>;
}

export function createFake(options: FakeOptions = {}): Fake {
  const accounts = (["admin", "viewer"] as const).map((role, at) => account(role, at + 1));
  const world: World = {
    now: NOW,
    text: options.text ?? "Tidal power",
    hasNamedHost: options.text !== undefined,
    isBroken: false,
    result: { kind: "done" },
    calls: [],
    audited: [],
    accounts,
    sessions: new Map(accounts.map((row) => openSession(row))),
  };
  const { calls, audited, sessions } = world;
  return {
    deps: depsOf(world, options.settings),
    calls,
    audited,
    sessions,
    openSessions() {
      for (const row of accounts) sessions.set(...openSession(row));
    },
    say: (text) => void Object.assign(world, { text }),
    advance: (ms) => void Object.assign(world, { now: world.now + ms }),
    breakStore: () => void Object.assign(world, { isBroken: true }),
    answer: (result) => void Object.assign(world, { result }),
  };
}

function depsOf(world: World, settings: Partial<HttpSettings> = {}): HttpDeps {
  return {
    clock: { now: () => world.now, sleep: (ms) => systemClock.sleep(Math.min(ms, 20)) },
    log: silentLog,
    settings: {
      version: "0.1.0",
      publicUrl: null,
      apiToken: API_TOKEN,
      trustedProxies: [],
      rateLimitPerS: 50,
      submit: "review",
      hostUrlsMax: 50_000,
      shown: [
        { group: "web", name: "PORT", value: "3000", fallback: "3000", meaning: "port" },
        { group: "web", name: "API_TOKEN", value: "********", fallback: "", meaning: "token" },
        { group: "web", name: "PUBLIC_URL", value: "", fallback: "", meaning: "address" },
      ],
      ...settings,
    },
    status: async () => ({ ...STATUS, ...(world.isBroken ? STORE_DOWN : {}) }),
    loopLag: () => ({ p50Ms: 0.4, p99Ms: 12.5, maxMs: 31 }),
    overview: {
      activity: (since) =>
        store(
          world,
          ACTIVITY.filter(({ at }) => at >= since),
        ),
      fetchTimes: () => store(world, { p50: 84, p95: 640 }),
      hostsByState: () => store(world, HOSTS_BY_STATE),
      conservation: () => store(world, { accepted: 12_345, present: 12_340, removed: 5 }),
    },
    hosts: hostDeps(world),
    urls: urlDeps(world),
    submissions: {
      list: ({ state }) =>
        store(world, { rows: [submission(world.text, state)], hasMore: false, total: 1 }),
      decide: (id, decision, actor) => act(world, decision)(id, actor),
    },
    ranking: rankingDeps(world, (value) => store(world, value)),
    accounts: accountDeps(world),
    audit: {
      record: async ({ actor, action, subject }) => {
        await store(world, null);
        world.audited.push(`${actor} ${action} ${subject}`);
      },
      list: () => store(world, { rows: [auditRow(world.text)], hasMore: false, total: 1 }),
    },
  };
}

function hostDeps(world: World): HttpDeps["hosts"] {
  const names = () => [...HOST_NAMES, ...(world.hasNamedHost ? [world.text] : [])];
  return {
    list: ({ page, perPage }) => {
      const rows = names().map((name, at) => host(at + 1, name, world.text));
      const hasMore = perPage < rows.length;
      return store(world, { rows: page === 1 ? rows : [], hasMore, total: rows.length });
    },
    read: (id) => store(world, id === 1 ? hostDetail(world.text) : null),
    delayOf: (row) => ({
      ms: row.delayMs ?? 1_000,
      source: row.delayMs === null ? "setting" : "host",
    }),
    pause: act(world, "pause"),
    resume: act(world, "resume"),
    block: act(world, "block"),
    unblock: act(world, "unblock"),
    crawlNow: act(world, "crawl host"),
    liftTraps: act(world, "lift"),
    forget: act(world, "forget"),
    setQuota: (id, { urlsMax, bytesMax }, actor) =>
      act(world, `quota ${urlsMax} ${bytesMax}`)(id, actor),
    setDelay: (id, delayMs, actor) => act(world, `delay ${delayMs}`)(id, actor),
  };
}

function urlDeps(world: World): HttpDeps["urls"] {
  return {
    list: () => {
      const rows = Array.from({ length: 8 }, (_, at) => url(at + 1, world.text));
      return store(world, { rows, hasMore: true, total: null });
    },
    read: (id) => store(world, id === 1 ? urlDetail(world.text) : null),
    explain: (address) =>
      store(world, address === "https://a.example/" ? { url: address, state: "pending" } : null),
    retry: act(world, "retry"),
    drop: act(world, "drop"),
    crawlNow: act(world, "crawl url"),
  };
}

function accountDeps(world: World): HttpDeps["accounts"] {
  const { accounts, sessions } = world;
  const find = (isIt: (row: AccountRow) => boolean) => store(world, accounts.find(isIt) ?? null);
  return {
    list: () => store(world, [...accounts]),
    byName: (name) => find((each) => each.name === name),
    byTokenHash: (tokenHash) => find((each) => each.tokenHash === tokenHash),
    session: (idHash) => {
      const known = sessions.get(idHash);
      const owner = accounts.find((each) => each.id === known?.accountId);
      return store(world, known && owner ? { ...known, account: owner } : null);
    },
    createSession: async (session) => {
      await store(world, null);
      sessions.set(session.idHash, { ...session, createdAt: new Date(world.now) });
    },
    rotateSession: async (oldIdHash, next, oldExpiresAt) => {
      await store(world, null);
      const old = sessions.get(oldIdHash);
      if (old) sessions.set(oldIdHash, { ...old, expiresAt: oldExpiresAt });
      sessions.set(next.idHash, { ...next, createdAt: new Date(world.now) });
    },
    endSession: async (idHash) => {
      await store(world, null);
      sessions.delete(idHash);
    },
  };
}

async function store<T>({ isBroken }: World, value: T): Promise<T> {
  if (!isBroken) return value;
  throw Object.assign(new Error("write CONNECTION_CLOSED"), { code: "CONNECTION_CLOSED" });
}

const act = (world: World, what: string) => async (id: number, actor: string) => {
  world.calls.push(`${what} ${id} ${actor}`);
  return store(world, world.result);
};

function openSession({ id, role }: AccountRow) {
  const idHash = hashToken(SESSIONS[role]);
  const expiresAt = new Date(NOW + 86_400_000);
  const session = { idHash, accountId: id, csrf: CSRF, expiresAt, createdAt: new Date(NOW) };
  return [idHash, session] as const;
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
