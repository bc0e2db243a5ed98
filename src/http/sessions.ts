import type { Clock } from "../clock.ts";
import type { SessionRecord } from "../db/sessions.ts";
import { within } from "../deadline.ts";
import type { AccountDeps } from "./deps.ts";
import { hashToken, randomToken } from "./secrets.ts";

const LIFETIME_MS = 14 * 86_400_000;
/** A session gets a new id this long after its last one; the old id serves requests in flight. */
const ROTATE_AFTER_MS = 3_600_000;
const OLD_ID_GRACE_MS = 60_000;
/** With the store down, a session that was good this recently may still look around. */
const REMEMBER_MS = 600_000;
const REMEMBER_MAX = 1_000;
const STORE_TIMEOUT_MS = 3_000;

export interface Sessions {
  /** Null: no such session. Rejects when the store is down and the session not remembered. */
  find(id: string): Promise<SessionRecord | null>;
  /** New session of an account; gives its id (for the cookie) and its lifetime. */
  begin(accountId: number): Promise<IssuedId>;
  /** New id when the present one is old enough; null when it is not. */
  rotate(id: string, session: SessionRecord): Promise<IssuedId | null>;
  end(id: string): Promise<void>;
}

export interface IssuedId {
  id: string;
  maxAgeS: number;
}

/** Sessions of the console: ids are random, stored only as hashes, and change while in use. */
export function createSessions(store: AccountDeps, clock: Clock): Sessions {
  const remembered = new Map<string, { session: SessionRecord; at: number }>();

  function remember(idHash: string, session: SessionRecord | null): void {
    remembered.delete(idHash);
    if (session === null) return;
    remembered.set(idHash, { session, at: clock.now() });
    if (remembered.size > REMEMBER_MAX) remembered.delete(remembered.keys().next().value!);
  }

  function recall(idHash: string): SessionRecord | null {
    const known = remembered.get(idHash);
    if (!known || clock.now() - known.at > REMEMBER_MS) return null;
    return known.session.expiresAt.getTime() > clock.now() ? known.session : null;
  }

  return {
    async find(id) {
      const idHash = hashToken(id);
      try {
        const session = await within(STORE_TIMEOUT_MS, store.session(idHash));
        const isGood = session !== null && session.expiresAt.getTime() > clock.now();
        remember(idHash, isGood ? session : null);
        return isGood ? session : null;
      } catch (error) {
        const known = recall(idHash);
        if (known) return known;
        throw error;
      }
    },
    async begin(accountId) {
      const id = randomToken();
      const expiresAt = new Date(clock.now() + LIFETIME_MS);
      await store.createSession({
        idHash: hashToken(id),
        accountId,
        csrf: randomToken(),
        expiresAt,
      });
      return { id, maxAgeS: LIFETIME_MS / 1_000 };
    },
    async rotate(id, session) {
      const now = clock.now();
      const leftMs = session.expiresAt.getTime() - now;
      const isYoung = now - session.createdAt.getTime() < ROTATE_AFTER_MS;
      if (isYoung || leftMs <= OLD_ID_GRACE_MS) return null;
      const next = randomToken();
      const { account, csrf, expiresAt } = session;
      await store.rotateSession(
        hashToken(id),
        { idHash: hashToken(next), accountId: account.id, csrf, expiresAt },
        new Date(now + OLD_ID_GRACE_MS),
      );
      return { id: next, maxAgeS: Math.floor(leftMs / 1_000) };
    },
    async end(id) {
      const idHash = hashToken(id);
      remembered.delete(idHash);
      await store.endSession(idHash);
    },
  };
}
