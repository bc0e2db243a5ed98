import type { HostDetail } from "../../src/http/deps.ts";

const NOW = Date.UTC(2026, 2, 1, 12, 0, 0);

export const traps = (text: string): HostDetail["traps"] => ({
  patterns: [
    {
      pattern: `/shop?${text}`,
      pages: 1_042,
      dry: 17,
      cutAt: new Date(NOW - 3_600_000),
      lookAt: new Date(NOW + 29 * 86_400_000),
    },
    { pattern: "/calendar/**", pages: 24, dry: 24, cutAt: new Date(NOW), lookAt: new Date(NOW) },
  ],
  parameters: [
    { hostId: 1, name: text, same: 12, different: 0, neutralAt: new Date(NOW - 60_000) },
    { hostId: 1, name: "sid", same: 15, different: 0, neutralAt: new Date(NOW) },
  ],
  refusals: [
    { reason: "pattern cut", value: 46_501 },
    { reason: "same page", value: 213 },
    { reason: text, value: 3 },
  ],
});
