export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** Ratios are as exact when they are small. */
export function significant(ratio: number): number {
  return Number(ratio.toPrecision(3));
}

/** Of an even number of values the lower one of the middle: a figure that was measured. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new Error("nothing was measured");
  return middle;
}

export interface Spread {
  count: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

/** A percentile is the least value that so large a share does not exceed. */
export function spread(values: readonly number[], digits = 1): Spread {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share: number) => round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0, digits);
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
