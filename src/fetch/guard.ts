import { type Cidr, isAllowedAddress, parseAddress } from "./address.ts";
import type { RefusedReason } from "./outcome.ts";

/** Where one request goes, read off its URL. */
export interface Target {
  isSecure: boolean;
  /** Host name in lower-case ASCII without the root's dot, or an address without brackets. */
  host: string;
  isAddress: boolean;
  port: number;
  /** Value of the Host header. */
  authority: string;
  /** Path and query, as sent. */
  path: string;
  /** The whole URL without its fragment, the base of relative references. */
  href: string;
}

export type GuardResult =
  | { kind: "passed"; target: Target }
  | { kind: "refused"; reason: RefusedReason; detail: string };

/** A request line above this is refused by most servers anyway. */
const HREF_LENGTH_MAX = 8_192;

/** https://fetch.spec.whatwg.org/#port-blocking */
const BAD_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

/**
 * What a URL alone can tell: scheme, credentials, port, the shape of the host, and a literal
 * address. Names are judged again by `allowedAddresses` once they are resolved.
 */
export function checkUrl(text: string, opened: readonly Cidr[]): GuardResult {
  const url = URL.parse(text);
  if (url === null) return refused("url", "not a URL");
  const isSecure = url.protocol === "https:";
  if (!isSecure && url.protocol !== "http:") return refused("scheme", url.protocol);
  if (url.username !== "" || url.password !== "") return refused("credentials", "user in URL");
  if (url.href.length > HREF_LENGTH_MAX) return refused("url", `${url.href.length} characters`);
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
  if (BAD_PORTS.has(port)) return refused("port", String(port));
  const host = url.hostname.replace(/^\[|\]$|\.$/g, "");
  const isAddress = parseAddress(host) !== null;
  if (isAddress && !isAllowedAddress(host, opened)) return refused("address", host);
  if (!isAddress && !isHostName(host)) return refused("host", host.slice(0, 260));
  const path = url.pathname + url.search;
  const href = url.href.split("#", 1)[0] ?? "";
  return {
    kind: "passed",
    target: { isSecure, host, isAddress, port, authority: url.host, path, href },
  };
}

/** Those of a name's addresses that may be connected to, IPv4 first; empty refuses the name. */
export function allowedAddresses(addresses: readonly string[], opened: readonly Cidr[]): string[] {
  const allowed = addresses.filter((address) => isAllowedAddress(address, opened));
  return allowed.sort((a, b) => Number(a.includes(":")) - Number(b.includes(":")));
}

/** RFC 1035 lengths; underscores are no host names, but some sites live under them. */
function isHostName(host: string): boolean {
  return host.length <= 253 && host.split(".").every((label) => /^[a-z0-9_-]{1,63}$/.test(label));
}

const refused = (reason: RefusedReason, detail: string): GuardResult => ({
  kind: "refused",
  reason,
  detail,
});
