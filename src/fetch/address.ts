/** A range of addresses: the first `bits` bits of `bytes` (4 of them for IPv4, 16 for IPv6). */
export interface Cidr {
  bytes: readonly number[];
  bits: number;
}

/**
 * Special ranges of the IANA IPv4 registry, and one metadata service that hides in public space.
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const NOT_PUBLIC_V4 = ranges(
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier NAT; metadata of Alibaba
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // Azure wire server
  "169.254.0.0/16", // link-local; metadata of most clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments; metadata of Oracle
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relay
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
);

/** Only this block is handed out: mapped, compatible, NAT64, local, SRv6 forms all lie outside. */
const GLOBAL_V6 = ranges("2000::/3");

/** https://www.iana.org/assignments/iana-ipv6-special-registry, the part inside 2000::/3. */
const NOT_PUBLIC_V6 = ranges(
  "2001::/23", // protocol assignments: Teredo, benchmarks, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4, an IPv4 address in disguise
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
);

const DOT = 46;
const ZERO = 48;

/**
 * May anybody on the internet be behind `ip`, or was it opened on purpose? False for what is no
 * address at all. A mapped form never profits from an opened IPv4 range.
 */
export function isAllowedAddress(ip: string, opened: readonly Cidr[]): boolean {
  const bytes = parseAddress(ip);
  return bytes !== null && (isPublic(bytes) || isWithin(bytes, opened));
}

/** Reads a list of ranges (or single addresses) parted by commas or blanks. */
export function parseCidrs(
  text: string,
): { kind: "parsed"; cidrs: Cidr[] } | { kind: "invalid"; entry: string } {
  const cidrs: Cidr[] = [];
  for (const entry of text.split(/[\s,]+/).filter(Boolean)) {
    const cidr = parseCidr(entry);
    if (cidr === null) return { kind: "invalid", entry };
    cidrs.push(cidr);
  }
  return { kind: "parsed", cidrs };
}

/** The bytes of an IPv4 (dotted decimal) or IPv6 address without brackets or zone; else null. */
export function parseAddress(ip: string): number[] | null {
  return ip.includes(":") ? parseV6(ip) : parseV4(ip);
}

function parseCidr(entry: string): Cidr | null {
  const [ip = "", length, ...rest] = entry.split("/");
  const bytes = parseAddress(ip);
  if (bytes === null || rest.length > 0) return null;
  if (length === undefined) return { bytes, bits: bytes.length * 8 };
  const bits = /^\d{1,3}$/.test(length) ? Number(length) : Number.POSITIVE_INFINITY;
  return bits <= bytes.length * 8 ? { bytes, bits } : null;
}

function ranges(...entries: string[]): Cidr[] {
  return entries.map((entry) => {
    const cidr = parseCidr(entry);
    if (cidr === null) throw new Error(`no range: ${entry}`);
    return cidr;
  });
}

function isPublic(bytes: readonly number[]): boolean {
  if (bytes.length === 4) return !isWithin(bytes, NOT_PUBLIC_V4);
  return isWithin(bytes, GLOBAL_V6) && !isWithin(bytes, NOT_PUBLIC_V6);
}

function isWithin(bytes: readonly number[], cidrs: readonly Cidr[]): boolean {
  for (const cidr of cidrs) {
    if (cidr.bytes.length === bytes.length && startsAlike(bytes, cidr)) return true;
  }
  return false;
}

function startsAlike(bytes: readonly number[], cidr: Cidr): boolean {
  const whole = cidr.bits >> 3;
  for (let i = 0; i < whole; i++) if (bytes[i] !== cidr.bytes[i]) return false;
  const rest = cidr.bits & 7;
  if (rest === 0) return true;
  return ((bytes[whole]! ^ cidr.bytes[whole]!) & (0xff00 >> rest) & 0xff) === 0;
}

/** By hand: every request to a literal address, and every resolved one, passes here. */
function parseV4(ip: string): number[] | null {
  const bytes: number[] = [];
  let byte = 0;
  let digits = 0;
  for (let i = 0; i <= ip.length; i += 1) {
    const code = i === ip.length ? DOT : ip.charCodeAt(i);
    if (code === DOT) {
      if (digits === 0 || byte > 255) return null;
      bytes.push(byte);
      byte = 0;
      digits = 0;
    } else {
      digits += 1;
      if (code < ZERO || code > ZERO + 9 || digits > 3) return null;
      byte = byte * 10 + code - ZERO;
    }
  }
  return bytes.length === 4 ? bytes : null;
}

function parseV6(ip: string): number[] | null {
  const halves = ip.split("::");
  if (halves.length > 2) return null;
  const head = groups(halves[0] ?? "", halves.length === 1);
  const tail = halves.length === 2 ? groups(halves[1] ?? "", true) : [];
  if (head === null || tail === null) return null;
  const missing = 16 - head.length - tail.length;
  if (halves.length === 2 ? missing < 2 : missing !== 0) return null;
  return [...head, ...new Array<number>(missing).fill(0), ...tail];
}

/** The bytes of groups parted by colons; the last may be dotted when it ends the address. */
function groups(text: string, endsAddress: boolean): number[] | null {
  if (text === "") return [];
  const bytes: number[] = [];
  const parts = text.split(":");
  for (const [i, part] of parts.entries()) {
    if (part.includes(".")) {
      const dotted = endsAddress && i === parts.length - 1 ? parseV4(part) : null;
      if (dotted === null) return null;
      bytes.push(...dotted);
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(part)) return null;
      const word = Number.parseInt(part, 16);
      bytes.push(word >> 8, word & 0xff);
    }
  }
  return bytes;
}
