import { Resolver as DnsResolver } from "node:dns/promises";
import { readFileSync } from "node:fs";
import type { Clock } from "../clock.ts";
import { isShortOfFiles } from "../open-files.ts";
import { parseAddress } from "./address.ts";

export type Resolution =
  | { kind: "addresses"; addresses: readonly string[] }
  | { kind: "failed"; detail: string }
  /** We have no descriptor left to ask with: it says nothing of the name. */
  | { kind: "not asked" };

export interface Resolver {
  /** Addresses of a lower-case host name without the root's dot. Never rejects. */
  resolve(host: string): Promise<Resolution>;
}

export interface ResolverOptions {
  /** `host:port` or `host` each; null: the servers of the system. */
  servers: readonly string[] | null;
  clock: Clock;
  /** No name that was not there is taken for missing any longer, whatever its zone says. */
  negativeMaxMs?: number;
  /** Names that are known without asking; default: the hosts file of the system. */
  hosts?: ReadonlyMap<string, readonly string[]>;
}

interface Kept {
  addresses: readonly string[];
  untilMs: number;
}

const KEPT_MAX = 20_000;
/** A burst of several hundred questions overflows a UDP buffer. */
const ASKING_MAX = 128;
const TTL_MAX_S = 86_400;
const QUESTION_TIMEOUT_MS = 2_000;
const TRIES = 3;
const NEGATIVE_MAX_MS = 60_000;
const NEGATIVE_FLOOR_MS = 1_000;
const HOSTS_FILE = "/etc/hosts";
const LOOPBACK: readonly string[] = ["127.0.0.1", "::1"];

/**
 * Asks the given servers only, so that what is checked is what is connected to. Positive answers
 * are kept here for their TTL, less its last second: it comes in whole seconds, and the resolver
 * below, which counts it down, keeps it until the exact end. It keeps negative answers too.
 */
export function createResolver(options: ResolverOptions): Resolver {
  const { clock } = options;
  const hosts = options.hosts ?? readHosts();
  const below = createBelow(options);
  const kept = new Map<string, Kept>();
  const asking = new Map<string, Promise<Resolution>>();
  const turn = createGate(ASKING_MAX);

  const ask = async (host: string): Promise<Resolution> => {
    const leave = await turn();
    try {
      const { records, detail } = await lookUp(below.current(), host);
      if (records.length === 0) {
        if (isShortOfFiles()) return { kind: "not asked" };
        below.saidNo();
        return { kind: "failed", detail };
      }
      const addresses = records.map((record) => record.address);
      const ttlS = Math.min(TTL_MAX_S, ...records.map((record) => record.ttl));
      keep(kept, host, { addresses, untilMs: clock.now() + (ttlS - 1) * 1_000 });
      return { kind: "addresses", addresses };
    } finally {
      leave();
      asking.delete(host);
    }
  };

  const resolve = async (host: string): Promise<Resolution> => {
    const known = hosts.get(host) ?? (isLocal(host) ? LOOPBACK : undefined);
    if (known !== undefined) return { kind: "addresses", addresses: known };
    const hit = kept.get(host);
    if (hit !== undefined && hit.untilMs > clock.now()) {
      return { kind: "addresses", addresses: hit.addresses };
    }
    let question = asking.get(host);
    if (question === undefined) {
      question = ask(host);
      asking.set(host, question);
    }
    return question;
  };
  return { resolve };
}

/**
 * The resolver below keeps an answer without a record for an hour, NXDOMAIN for what its zone says:
 * one that has said no is given up for a fresh one after a while.
 */
function createBelow({ servers, clock, negativeMaxMs = NEGATIVE_MAX_MS }: ResolverOptions) {
  const make = () => {
    const dns = new DnsResolver({ timeout: QUESTION_TIMEOUT_MS, tries: TRIES });
    if (servers !== null) dns.setServers(servers);
    return dns;
  };
  const keptMs = Math.max(NEGATIVE_FLOOR_MS, negativeMaxMs);
  let dns = make();
  let saidNoAt: number | null = null;
  return {
    current(): DnsResolver {
      if (saidNoAt !== null && clock.now() - saidNoAt >= keptMs) {
        dns = make();
        saidNoAt = null;
      }
      return dns;
    },
    saidNo(): void {
      saidNoAt ??= clock.now();
    },
  };
}

interface AddressRecord {
  address: string;
  ttl: number;
}

/** IPv6 is asked only of names without IPv4: half the questions, and v4 reaches every such host. */
async function lookUp(
  dns: DnsResolver,
  host: string,
): Promise<{ records: AddressRecord[]; detail: string }> {
  let detail = "";
  for (const ask of [dns.resolve4.bind(dns), dns.resolve6.bind(dns)]) {
    try {
      const records = await ask(host, { ttl: true });
      if (records.length > 0) return { records, detail };
    } catch (error) {
      detail = codeOf(error);
      if (detail === "ETIMEOUT" || detail === "ECONNREFUSED") break;
    }
  }
  return { records: [], detail: detail || "no address" };
}

/** RFC 6761: such names never leave the machine. */
const isLocal = (host: string) => host === "localhost" || host.endsWith(".localhost");

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code ?? String(error);
}

function keep(kept: Map<string, Kept>, host: string, entry: Kept): void {
  kept.delete(host);
  kept.set(host, entry);
  if (kept.size <= KEPT_MAX) return;
  for (const oldest of kept.keys()) {
    kept.delete(oldest);
    break;
  }
}

/** The resolver below reads no hosts file, so it is read here, once. */
function readHosts(): Map<string, string[]> {
  let text = "";
  try {
    text = readFileSync(HOSTS_FILE, "utf8");
  } catch {
    return new Map();
  }
  return parseHosts(text);
}

/** Lines of `address name...`; what is none is passed over. */
export function parseHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = (line.split("#")[0] ?? "").trim().split(/\s+/);
    if (parseAddress(address) === null) continue;
    for (const name of names) {
      const host = name.toLowerCase();
      hosts.set(host, [...(hosts.get(host) ?? []), address]);
    }
  }
  return hosts;
}

/** At most `size` holders at once; the others wait in line. Resolves to the way out. */
function createGate(size: number): () => Promise<() => void> {
  let inside = 0;
  const waiting: (() => void)[] = [];
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) inside -= 1;
    else next();
  };
  return async () => {
    if (inside < size) inside += 1;
    else await new Promise<void>((enter) => waiting.push(enter));
    return leave;
  };
}
