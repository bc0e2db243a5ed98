import type { Server } from "bun";
import { Elysia } from "elysia";
import { type ClientAddress, clientKey } from "./client-address.ts";
import type { RateLimit } from "./rate-limit.ts";
import { badHost, tooMany } from "./refusal.ts";

/** Parsed once, and thrown away with the request. */
const parsed = new WeakMap<Request, URL>();

/** What the request asks for. The first hook refuses what is no URL, so this cannot fail later. */
export function urlOf(request: Request): URL {
  const known = parsed.get(request);
  if (known) return known;
  const url = new URL(request.url);
  parsed.set(request, url);
  return url;
}

interface FirstLookDeps {
  clients: ClientAddress;
  rateLimit: RateLimit;
  publicUrl: string | null;
}

/** A request handled without a socket (tests, in-process calls) comes from this machine. */
const NO_SOCKET = "127.0.0.1";

export const peerOf = (request: Request, server: Server<unknown> | null): string =>
  server?.requestIP(request)?.address ?? NO_SOCKET;

/**
 * The first hook of every request: without a usable Host no page can tell where it stands, so that
 * is the end of it, at the price of any other request. HTTP/1.0 need not send one.
 */
export const firstLook = ({ clients, rateLimit, publicUrl }: FirstLookDeps) =>
  new Elysia({ name: "first-look" }).onRequest(({ request, server }) => {
    const isNamed = request.headers.get("host") !== null;
    const base = isNamed ? undefined : (publicUrl ?? server?.url.href ?? `http://${NO_SOCKET}`);
    const url = URL.parse(request.url, base);
    if (url !== null) {
      parsed.set(request, url);
      return;
    }
    const verdict = rateLimit.take(clientKey(clients.of(peerOf(request, server), request.headers)));
    throw verdict.kind === "limited" ? tooMany(verdict.retryAfterS) : badHost();
  });
