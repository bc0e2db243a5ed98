import { getDomain, parse } from "tldts";
import type { CanonicalUrl } from "./canonical.ts";

/** A host name as it stands in a canonical URL; an IPv6 address in its brackets. */
export type HostName = string & { readonly brand: "HostName" };

/** `scheme://name:port`, the port always written: what robots.txt is asked by. */
export type Authority = string & { readonly brand: "Authority" };

/** Host name of a URL, without its port: the unit of politeness. */
export function hostName(url: CanonicalUrl): HostName {
  const hostPort = hostAndPort(url);
  return hostPort.slice(0, portColon(hostPort) ?? hostPort.length) as HostName;
}

export function authority(url: CanonicalUrl): Authority {
  const hostPort = hostAndPort(url);
  const isSecure = url.startsWith("https:");
  const port = portColon(hostPort) === null ? (isSecure ? ":443" : ":80") : "";
  return `${isSecure ? "https" : "http"}://${hostPort}${port}` as Authority;
}

/**
 * The part of a name that one owner registered (Public Suffix List, its private part too:
 * `a.github.io` is an owner's own). An address, a bare suffix or a single label is its own domain;
 * an IPv6 address comes without brackets.
 */
export function registrableDomain(host: HostName): string {
  if (host.startsWith("[")) return host.slice(1, -1);
  return getDomain(host, { allowPrivateDomains: true, extractHostname: false }) ?? host;
}

/** A name below a suffix of the public DNS; `localhost`, `wiki.corp` and `a.example` are none. */
export function isPublicName(name: string): boolean {
  const { isIcann, isPrivate } = parse(name, { allowPrivateDomains: true, extractHostname: false });
  return isIcann === true || isPrivate === true;
}

/** Below it many register names of their own: `com`, `co.uk`, `github.io`; not `localhost`. */
export function isPublicSuffix(host: HostName): boolean {
  const found = parse(host, { allowPrivateDomains: true, extractHostname: false });
  return found.publicSuffix === host && (found.isIcann === true || found.isPrivate === true);
}

function hostAndPort(url: CanonicalUrl): string {
  const start = url.indexOf("//") + 2;
  return url.slice(start, url.indexOf("/", start));
}

function portColon(hostPort: string): number | null {
  const colon = hostPort.lastIndexOf(":");
  return colon < 0 || hostPort.endsWith("]") ? null : colon;
}
