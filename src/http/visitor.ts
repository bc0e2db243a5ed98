import type { Server } from "bun";
import { type Caller, type Credentials, identify } from "./caller.ts";
import { type ClientAddress, clientKey } from "./client-address.ts";
import { type CookieNames, cookieNames, isSecureOrigin } from "./cookies.ts";
import type { RateLimit } from "./rate-limit.ts";
import { tooMany } from "./refusal.ts";
import { peerOf } from "./request-url.ts";

export interface VisitorDeps extends Credentials {
  publicUrl: string | null;
  clients: ClientAddress;
  rateLimit: RateLimit;
}

/** How the request reached us. */
export interface Client {
  /** Key of its allowances. */
  key: string;
  isSecure: boolean;
  cookies: CookieNames;
}

/** Who asks, and from where. */
export interface Visitor {
  caller: Caller;
  client: Client;
}

export async function visitorOf(
  request: Request,
  server: Server<unknown> | null,
  deps: VisitorDeps,
): Promise<Visitor> {
  const { clients, publicUrl } = deps;
  const peer = peerOf(request, server);
  const isSecure = isSecureOrigin(request, { isTrustedPeer: clients.isTrusted(peer), publicUrl });
  const client: Client = {
    key: clientKey(clients.of(peer, request.headers)),
    isSecure,
    cookies: cookieNames(isSecure),
  };
  return { caller: await identify(request.headers, client.cookies.session, deps), client };
}

/** Strangers have an allowance; throws when theirs is used up. */
export function demandAllowance({ caller, client }: Visitor, rateLimit: RateLimit): void {
  if (caller.kind === "session" || caller.kind === "token") return;
  const verdict = rateLimit.take(client.key);
  if (verdict.kind === "limited") throw tooMany(verdict.retryAfterS);
}
