import type { Db } from "../db/connect.ts";
import { readUrlByKey } from "../db/operate-urls.ts";
import { answeredRobots } from "../db/robots.ts";
import { type CanonicalUrl, canonicalUrl, urlKey } from "../url/canonical.ts";
import { authority } from "../url/host.ts";

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HOST_AND_PORT = /^[^/?#:\s]+:\d{1,5}([/?#]|$)/;
/** A name with a dot, whichever of those that IDNA knows; an address; this very machine. */
const BARE_HOST =
  /^(\[[^\]\s]+\]|[^/?#:\s]+[.\u3002\uff0e\uff61][^/?#:\s]+|localhost)\.?(:\d+)?([/?#]|$)/i;

/** Only these two ports say which scheme is meant. */
const TELLING_PORT = /^[^/?#]*:(80|443)([/?#]|$)/;
const SOME_PORT = /^[^/?#]*:\d+([/?#]|$)/;

/**
 * What a person wrote as a URL, perhaps without its scheme: `example.org/page`. Null: it names no
 * place, for a bare word is more likely a slip than a host.
 */
export function withScheme(text: string): string | null {
  return readings(text)[0] ?? null;
}

/** The URLs that a text may mean, the likeliest first. */
function readings(text: string): string[] {
  const trimmed = text.trim();
  if (!HOST_AND_PORT.test(trimmed) && !BARE_HOST.test(trimmed)) {
    return SCHEME.test(trimmed) ? [trimmed] : [];
  }
  const isPlain = TELLING_PORT.exec(trimmed)?.[1] === "80";
  const schemes = isPlain ? ["http", "https"] : ["https", "http"];
  return schemes.map((scheme) => `${scheme}://${trimmed}`);
}

/** The row of a URL as a person wrote it, of either scheme when none was written. */
export async function findTyped(db: Db, text: string) {
  for (const url of canonicalReadings(text)) {
    const row = await readUrlByKey(db, urlKey(url));
    if (row) return row;
  }
  return null;
}

/**
 * What a person names to be visited. A port without a scheme says little: what is known of the
 * place says more.
 */
export async function typedUrl(db: Db, text: string): Promise<string | null> {
  const trimmed = text.trim();
  const urls = canonicalReadings(text);
  if (urls.length < 2 || !SOME_PORT.test(trimmed) || TELLING_PORT.test(trimmed)) {
    return withScheme(text);
  }
  const known = await findTyped(db, text);
  if (known) return known.url;
  for (const url of urls) if (await answeredRobots(db, [authority(url)])) return url;
  return withScheme(text);
}

function canonicalReadings(text: string): CanonicalUrl[] {
  return readings(text)
    .map((url) => canonicalUrl(url))
    .flatMap((canonical) => (canonical.kind === "canonical" ? [canonical.url] : []));
}
