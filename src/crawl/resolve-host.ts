import { isIP } from "node:net";
import { over, type Step } from "../actors/host.ts";
import type { HostRow } from "../db/hosts.ts";
import type { CrawlDeps } from "./deps.ts";

/** Does the name of a host lead anywhere? */
export async function resolveHost(
  { policy, resolver }: Pick<CrawlDeps, "policy" | "resolver">,
  host: HostRow,
): Promise<Step> {
  await policy.catchUp(host);
  if (isIP(host.name.replace(/^\[|\]$/g, "")) !== 0) return { kind: "go" };
  const found = await resolver.resolve(host.name);
  if (found.kind === "addresses") return { kind: "go" };
  if (found.kind === "not asked") return over({ kind: "no slot" });
  return over({ kind: "unreachable", why: `DNS: ${found.detail}` });
}
