import type { FetchClient } from "../fetch/client.ts";
import { ROBOTS_BYTES_MAX } from "../parse/robots.ts";
import type { AskRobots } from "../visit/robots.ts";
import type { AddressSlots } from "../visit/slots.ts";

/** RFC 9309 section 2.3.1.2. */
const HOPS_MAX = 5;

/** How /robots.txt is asked for: guarded, with a slot at each address, its hops followed. */
export function askRobots(deps: {
  client: FetchClient;
  slots: AddressSlots;
  timeoutMs: number;
}): AskRobots {
  return async (authority, validators, signal) => {
    const { url, ...outcome } = await deps.client.fetchFollowing(
      {
        url: `${authority}/robots.txt`,
        validators,
        accept: "robots",
        // One more than is read, so that a cut can be recognised.
        bytesMax: ROBOTS_BYTES_MAX + 1,
        timeoutMs: deps.timeoutMs,
        signal,
        slot: (address, aborted) => deps.slots.acquire(address, aborted),
      },
      { hopsMax: HOPS_MAX, onHop: async () => "go" },
    );
    return { outcome, url };
  };
}
