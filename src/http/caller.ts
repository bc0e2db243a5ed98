import { BEARER_TOKEN } from "../credentials.ts";
import type { SessionRecord } from "../db/sessions.ts";
import { within } from "../deadline.ts";
import { tokenOf } from "./cookies.ts";
import type { AccountDeps, Role } from "./deps.ts";
import { hashToken, isSameSecret } from "./secrets.ts";
import type { Sessions } from "./sessions.ts";

/** Who makes a request. */
export type Caller =
  | { kind: "nobody" }
  /** Credentials were shown that the store could not be asked about. */
  | { kind: "unverified"; error: unknown }
  | { kind: "session"; name: string; role: Role; csrf: string; id: string; session: SessionRecord }
  | { kind: "token"; name: string; role: Role };

export interface Credentials {
  sessions: Sessions;
  accounts: AccountDeps;
  apiToken: string | null;
}

const STORE_TIMEOUT_MS = 3_000;
const NOBODY: Caller = { kind: "nobody" };

/**
 * A bearer token goes before a cookie: whoever sends one means it. Another scheme is none of ours:
 * browsers send what a proxy in front asked them for along with every request.
 */
export async function identify(
  headers: Headers,
  sessionCookie: string,
  credentials: Credentials,
): Promise<Caller> {
  const bearer = /^Bearer(?: +(.*))?$/i.exec(headers.get("authorization") ?? "");
  const id = tokenOf(headers, sessionCookie);
  try {
    if (bearer !== null) return await byBearer(bearer[1] ?? "", credentials);
    return id === null ? NOBODY : await bySession(id, credentials.sessions);
  } catch (error) {
    return { kind: "unverified", error };
  }
}

async function byBearer(token: string, credentials: Credentials): Promise<Caller> {
  if (!BEARER_TOKEN.test(token)) return NOBODY;
  const { apiToken, accounts } = credentials;
  if (apiToken !== null && isSameSecret(token, apiToken)) {
    return { kind: "token", name: "api", role: "admin" };
  }
  const account = await within(STORE_TIMEOUT_MS, accounts.byTokenHash(hashToken(token)));
  return account === null ? NOBODY : { kind: "token", name: account.name, role: account.role };
}

async function bySession(id: string, sessions: Sessions): Promise<Caller> {
  const session = await sessions.find(id);
  if (session === null) return NOBODY;
  const { account, csrf } = session;
  return { kind: "session", name: account.name, role: account.role, csrf, id, session };
}
