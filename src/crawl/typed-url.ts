import { canonicalUrl, urlKey } from "../url/canonical.ts";

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HOST_AND_PORT = /^[^/?#:\s]+:\d{1,5}([/?#]|$)/;
/** A name with a dot, whichever of those that IDNA knows; an address; this very machine. */
const BARE_HOST =
  /^(\[[^\]\s]+\]|[^/?#:\s]+[.\u3002\uff0e\uff61][^/?#:\s]+|localhost)\.?(:\d+)?([/?#]|$)/i;

/**
 * What a person wrote as a URL, perhaps without its scheme: `example.org/page`. Null: it names no
 * place, for a bare word is more likely a slip than a host.
 */
export function withScheme(text: string): string | null {
  const trimmed = text.trim();
  if (HOST_AND_PORT.test(trimmed) || BARE_HOST.test(trimmed)) return `https://${trimmed}`;
  return SCHEME.test(trimmed) ? trimmed : null;
}

/** The key of a URL as a person wrote it; null when it is none. */
export function keyOf(text: string): string | null {
  const url = withScheme(text);
  if (url === null) return null;
  const canonical = canonicalUrl(url);
  return canonical.kind === "canonical" ? urlKey(canonical.url) : null;
}
