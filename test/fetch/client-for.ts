import { systemClock } from "../../src/clock.ts";
import { type Cidr, parseCidrs } from "../../src/fetch/address.ts";
import { createFetchClient, type FetchClient } from "../../src/fetch/client.ts";
import { FETCH_DEFAULTS, type FetchOptions } from "../../src/fetch/options.ts";
import type { FetchRequest, Outcome } from "../../src/fetch/outcome.ts";
import type { Resolver } from "../../src/fetch/resolve.ts";
import { silentLog } from "../../src/log.ts";

/** A resolver that knows what it was told; a function may answer differently each time. */
export function knowing(names: Record<string, string[] | (() => string[])>): Resolver {
  return {
    resolve: async (host) => {
      const known = names[host];
      const addresses = typeof known === "function" ? known() : known;
      if (addresses === undefined || addresses.length === 0) {
        return { kind: "failed", detail: "ENOTFOUND" };
      }
      return { kind: "addresses", addresses };
    },
  };
}

export function cidrs(text: string): Cidr[] {
  const parsed = parseCidrs(text);
  if (parsed.kind === "invalid") throw new Error(parsed.entry);
  return parsed.cidrs;
}

export function clientFor(options: Partial<FetchOptions> = {}): FetchClient {
  return createFetchClient({
    ...FETCH_DEFAULTS,
    userAgent: "Trawl/0 (test)",
    resolver: knowing({ localhost: ["127.0.0.1"] }),
    allowCidrs: cidrs("127.0.0.0/8"),
    clock: systemClock,
    log: silentLog,
    ...options,
  });
}

/** Slots that are always to be had, and remember what was done with them. */
export class Slots {
  addresses: string[] = [];
  sent = 0;
  held = 0;
  /** Taken away while the connection was made. */
  isLost = false;

  readonly take: FetchRequest["slot"] = async (address) => {
    this.addresses.push(address);
    this.held += 1;
    return {
      sent: () => {
        this.sent += 1;
      },
      mayStart: () => !this.isLost,
      release: () => {
        this.held -= 1;
      },
    };
  };
}

export function requestFor(url: string, options: Partial<FetchRequest> = {}): FetchRequest {
  return {
    url,
    accept: "page",
    bytesMax: 5_000_000,
    timeoutMs: 5_000,
    slot: new Slots().take,
    ...options,
  };
}

/** One word for what it came to: the kind, and its cause or reason if it has one. */
export function nameOf(outcome: Outcome): string {
  if (outcome.kind === "refused") return `refused ${outcome.reason}`;
  if (outcome.kind === "unreachable" || outcome.kind === "interrupted") {
    return `${outcome.kind} ${outcome.cause}`;
  }
  return outcome.kind;
}

export function textOf(outcome: Outcome): string {
  if (outcome.kind !== "fetched") throw new Error(`not fetched: ${JSON.stringify(outcome)}`);
  return new TextDecoder().decode(outcome.body);
}
