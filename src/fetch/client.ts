import { abortable } from "./abortable.ts";
import { allowedAddresses, checkUrl, type Target } from "./guard.ts";
import { isSendable } from "./headers.ts";
import type { FetchOptions } from "./options.ts";
import type { FetchRequest, Outcome } from "./outcome.ts";
import { Rounds } from "./rounds.ts";

export interface FetchClient {
  /** One hop: a redirect is an outcome. Never rejects for what the world does. */
  fetch(request: FetchRequest): Promise<Outcome>;
  /** Follows redirects; each hop is guarded, and has a slot of its own. */
  fetchFollowing(
    request: Omit<FetchRequest, "cookies">,
    following: Following,
  ): Promise<Outcome & { url: string }>;
  /** Aborts what is in flight and closes every connection. */
  close(): Promise<void>;
}

export interface Following {
  /** Redirects followed at most; the one beyond is the outcome. */
  hopsMax: number;
  /** Asked before each hop; `stop` leaves the redirect as the outcome. */
  onHop(url: string): Promise<"go" | "stop">;
}

/** A name's further addresses are tried when the first does not let us connect. */
const ADDRESSES_TRIED_MAX = 2;
const NAME_TIMEOUT_MS = 15_000;

export function createFetchClient(options: FetchOptions): FetchClient {
  if (!isSendable(options.userAgent)) throw new Error("user agent does not fit into a header");
  const rounds = new Rounds(options);

  const fetch = async (request: FetchRequest): Promise<Outcome> => {
    const guarded = checkUrl(request.url, options.allowCidrs);
    if (guarded.kind === "refused") return guarded;
    const { target } = guarded;
    const found = await addressesOf(target, request, options);
    if (!Array.isArray(found)) return found;
    let outcome: Outcome = { kind: "no slot" };
    for (const address of found.slice(0, ADDRESSES_TRIED_MAX)) {
      outcome = await fetchFrom(address, target, request);
      if (outcome.kind !== "unreachable" || outcome.cause !== "connect") return outcome;
    }
    return outcome;
  };

  const fetchFrom = async (
    address: string,
    target: Target,
    request: FetchRequest,
  ): Promise<Outcome> => {
    if (request.signal?.aborted) return { kind: "aborted" };
    const slot = await request.slot(address, request.signal);
    if (slot === null) return request.signal?.aborted ? { kind: "aborted" } : { kind: "no slot" };
    try {
      return await rounds.run(address, target, request, slot);
    } finally {
      slot.release();
    }
  };

  return {
    fetch,
    fetchFollowing: (request, following) => follow(fetch, request, following),
    close: async () => rounds.close(),
  };
}

/** The addresses that the target may be reached at, or why there is none. */
async function addressesOf(
  target: Target,
  request: FetchRequest,
  { resolver, allowCidrs, log }: FetchOptions,
): Promise<string[] | Outcome> {
  if (target.isAddress) return [target.host];
  const timeoutMs = Math.min(request.timeoutMs, NAME_TIMEOUT_MS);
  const waited = await abortable(resolver.resolve(target.host), timeoutMs, request.signal);
  if (waited.kind === "aborted") return waited;
  if (waited.kind === "timeout") return unreachable("dns", "time-out");
  const resolution = waited.value;
  if (resolution.kind === "not asked") return { kind: "no slot" };
  if (resolution.kind === "failed") return unreachable("dns", resolution.detail);
  const allowed = allowedAddresses(resolution.addresses, allowCidrs);
  if (allowed.length > 0) return allowed;
  const detail = resolution.addresses[0] ?? "";
  log.info("address.refused", { host: target.host, address: detail });
  return { kind: "refused", reason: "address", detail };
}

async function follow(
  fetch: (request: FetchRequest) => Promise<Outcome>,
  request: Omit<FetchRequest, "cookies">,
  { hopsMax, onHop }: Following,
): Promise<Outcome & { url: string }> {
  let url = request.url;
  for (let hops = 0; ; hops += 1) {
    const outcome = await fetch({ ...request, url });
    const next = outcome.kind === "redirected" ? outcome.location : null;
    if (next === null || hops >= hopsMax) return { ...outcome, url };
    if ((await onHop(next)) === "stop") return { ...outcome, url };
    url = next;
  }
}

const unreachable = (cause: "dns" | "connect" | "tls", detail: string): Outcome => ({
  kind: "unreachable",
  cause,
  detail,
});
