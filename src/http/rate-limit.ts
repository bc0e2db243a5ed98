import type { Clock } from "../clock.ts";

/** An allowance per key that refills steadily (a token bucket), in a table of bounded size. */
export interface RateLimit {
  /** Takes one from the key's allowance; or says how long until there is one. */
  take(key: string): { kind: "allowed" } | { kind: "limited"; retryAfterS: number };
  readonly size: number;
}

export interface RateLimitOptions {
  /** Refill a second; 0: no limit at all. */
  perS: number;
  burst: number;
  /** Keys remembered; above it the one unused for longest is forgotten. */
  keysMax?: number;
  clock: Clock;
}

const KEYS_MAX = 20_000;

export function createRateLimit({
  perS,
  burst,
  keysMax = KEYS_MAX,
  clock,
}: RateLimitOptions): RateLimit {
  // A Map keeps insertion order: re-inserting on use makes its first key the stalest.
  const buckets = new Map<string, { level: number; at: number }>();
  return {
    take(key) {
      if (perS === 0) return { kind: "allowed" };
      const now = clock.now();
      const known = buckets.get(key);
      const elapsedS = known ? Math.max(0, now - known.at) / 1_000 : 0;
      const level = known ? Math.min(burst, known.level + elapsedS * perS) : burst;
      const allowed = level >= 1;
      buckets.delete(key);
      buckets.set(key, { level: allowed ? level - 1 : level, at: now });
      if (buckets.size > keysMax) buckets.delete(buckets.keys().next().value!);
      if (allowed) return { kind: "allowed" };
      return { kind: "limited", retryAfterS: Math.max(1, Math.ceil((1 - level) / perS)) };
    },
    get size() {
      return buckets.size;
    },
  };
}
