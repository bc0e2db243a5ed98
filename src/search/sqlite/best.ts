/** Rows with the weights that they gather. */
export interface BestRows {
  readonly size: number;
  /** Adds weight to rows, known or new. */
  add(rows: readonly number[], weight: number): void;
  /** Adds weight to known rows only. */
  raise(rows: readonly number[], weight: number): void;
  /** The heaviest, heaviest first; of equal ones the lower row, which is of the better tier. */
  top(count: number): number[];
}

export function bestOf(): BestRows {
  const weights = new Map<number, number>();
  return {
    get size() {
      return weights.size;
    },
    add(rows, weight) {
      for (const row of rows) weights.set(row, (weights.get(row) ?? 0) + weight);
    },
    raise(rows, weight) {
      for (const row of rows) {
        const own = weights.get(row);
        if (own !== undefined) weights.set(row, own + weight);
      }
    },
    top(count) {
      const bound = boundOf(weights, count);
      const heavier: [number, number][] = [];
      const equal: number[] = [];
      for (const [row, weight] of weights) {
        if (weight > bound) heavier.push([row, weight]);
        else if (weight === bound) equal.push(row);
      }
      heavier.sort((one, other) => other[1] - one[1] || one[0] - other[0]);
      // Thousands may weigh the same: numbers sort natively.
      const rest = new Float64Array(equal).sort().subarray(0, count - heavier.length);
      return [...heavier.map(([row]) => row), ...rest];
    },
  };
}

/** The weight of the last of the `count` heaviest. */
function boundOf(weights: ReadonlyMap<number, number>, count: number): number {
  if (weights.size <= count) return Number.NEGATIVE_INFINITY;
  const sorted = new Float64Array(weights.values()).sort();
  return sorted[sorted.length - count]!;
}
