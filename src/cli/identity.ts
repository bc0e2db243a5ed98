import type { Config } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { newestHosts } from "../db/newest-hosts.ts";
import { isAllowedAddress, parseAddress } from "../fetch/address.ts";
import { isPublicName } from "../url/host.ts";

const HOSTS_LOOKED_AT = 1_000;

/**
 * Whoever runs a public site must be able to see who crawls it. Null: they can, or no public site
 * is crawled.
 */
export async function whyNameless(config: Config, db: Db): Promise<string | null> {
  // A user agent of one's own may name a page or a mailbox itself.
  if (config.web.publicUrl !== null || /:\/\/|@/.test(config.userAgent)) return null;
  const names = await newestHosts(db, HOSTS_LOOKED_AT);
  const example = names.find(isPublicHost);
  if (example === undefined && config.scope.kind !== "any") return null;
  const sites = example === undefined ? "sites" : `sites such as ${example}`;
  return `${sites} cannot see who crawls them: set PUBLIC_URL to the address of this server`;
}

function isPublicHost(name: string): boolean {
  const address = name.replace(/^\[|\]$/g, "");
  return parseAddress(address) === null ? isPublicName(name) : isAllowedAddress(address, []);
}
