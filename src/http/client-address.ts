import { BlockList, isIP } from "node:net";

/** Says who asks: the peer itself, or what the proxies we trust say of it. */
export interface ClientAddress {
  /** The client's address; the leftmost hop that a trusted proxy vouches for. */
  of(peer: string, headers: Headers): string;
  isTrusted(peer: string): boolean;
}

/** How much of X-Forwarded-For is read; a longer one is a forgery or a loop. */
const HOPS_MAX = 20;

/** `cidrs`: addresses or ranges of proxies whose X-Forwarded-* headers are believed. */
export function createClientAddress(cidrs: readonly string[]): ClientAddress {
  const trusted = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", bits] = cidr.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    trusted.addSubnet(
      address,
      bits === undefined ? (family === "ipv6" ? 128 : 32) : Number(bits),
      family,
    );
  }
  const isTrusted = (ip: string) => {
    const plain = unmapped(ip);
    const family = isIP(plain);
    return family !== 0 && trusted.check(plain, family === 6 ? "ipv6" : "ipv4");
  };
  return {
    isTrusted,
    of(peer, headers) {
      let client = unmapped(peer);
      const hops = (headers.get("x-forwarded-for") ?? "").split(",").slice(-HOPS_MAX);
      while (isTrusted(client)) {
        const next = bare(hops.pop()?.trim() ?? "");
        if (next === null) break;
        client = next;
      }
      return client;
    },
  };
}

/** Who shares one allowance: an IPv4 address, or the /64 that one IPv6 customer usually has. */
export function clientKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = "", tail] = address.split("%")[0]!.toLowerCase().split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(gap).fill("0"), ...right].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}

/** `[::1]:80`, `1.2.3.4:80` and plain addresses; null for anything else. */
function bare(hop: string): string | null {
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, "$1");
  return isIP(address) === 0 ? null : unmapped(address);
}

const unmapped = (ip: string) => ip.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
