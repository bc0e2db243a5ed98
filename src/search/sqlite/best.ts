import type { Impacts } from "./impacts.ts";

/**
 * Rows with the weights that they gather. Postings come sorted, and merging sorted arrays is ten
 * times as fast as adding to a Map.
 */
export class BestRows {
  #rows = new Float64Array(0);
  /** IDF of the words that a row has. */
  #covered = new Float64Array(0);
  /** The same, each word by how much the row is about it. */
  #sums = new Float64Array(0);
  /** Of both, what every row is taken to have as long as nothing else is known. */
  #expected = 0;
  /** Of rows that count for more or less than their words say; null: there are none. */
  #factors: Map<number, number> | null = null;

  get size(): number {
    return this.#rows.length;
  }

  /** Of so much IDF any row is taken to be covered; what is added comes on top. */
  expect(idf: number): void {
    this.#expected += idf;
  }

  /**
   * Rows that have a word of that IDF, known or new; `rows` ascend. `impacts` say how much each is
   * about it, `expected` is the part of its IDF that was expected of them.
   */
  add(rows: Float64Array, idf: number, impacts: Float64Array | null = null, expected = 0): void {
    const known = this.#rows;
    const merged = new Float64Array(known.length + rows.length);
    const covered = new Float64Array(merged.length);
    const sums = new Float64Array(merged.length);
    let [at, from, to] = [0, 0, 0];
    while (at < known.length || from < rows.length) {
      const one = at < known.length ? known[at]! : Number.POSITIVE_INFINITY;
      const other = from < rows.length ? rows[from]! : Number.POSITIVE_INFINITY;
      merged[to] = Math.min(one, other);
      const isNew = other <= one;
      const impact = isNew && impacts !== null ? impacts[from]! : 1;
      covered[to] = (one <= other ? this.#covered[at]! : 0) + (isNew ? idf * (1 - expected) : 0);
      sums[to] = (one <= other ? this.#sums[at]! : 0) + (isNew ? idf * (impact - expected) : 0);
      if (one <= other) at++;
      if (isNew) from++;
      to++;
    }
    this.#rows = merged.subarray(0, to);
    this.#covered = covered.subarray(0, to);
    this.#sums = sums.subarray(0, to);
  }

  /** Known rows that have a word of that IDF too; `rows` ascend. */
  cover(rows: Float64Array, idf: number): void {
    this.#eachKnown(rows, (at) => {
      this.#covered[at]! += idf;
      this.#sums[at]! += idf;
    });
  }

  /** Known rows that are more about a word than `add` said; `rows` ascend. */
  raise({ rows, impacts }: Impacts, idf: number): void {
    this.#eachKnown(rows, (at, from) => {
      this.#sums[at]! += idf * (impacts[from]! - 1);
    });
  }

  /** What these rows weigh is multiplied, once for each time that they are named. */
  favour(rows: Float64Array, factor: number): void {
    this.#factors ??= new Map();
    for (const row of rows) this.#factors.set(row, (this.#factors.get(row) ?? 1) * factor);
  }

  #eachKnown(rows: Float64Array, visit: (at: number, from: number) => void): void {
    const known = this.#rows;
    for (let at = 0, from = 0; at < known.length && from < rows.length; at++) {
      while (from < rows.length && rows[from]! < known[at]!) from++;
      if (rows[from] === known[at]) visit(at, from);
    }
  }

  /** The heaviest, heaviest first; of equal ones the lower row, which is of the better tier. */
  top(count: number): number[] {
    const weights = this.#sums.map(
      (sum, at) => (sum + this.#expected) * Math.sqrt(this.#covered[at]! + this.#expected),
    );
    if (this.#factors !== null) {
      for (let at = 0; at < weights.length; at++) {
        weights[at]! *= this.#factors.get(this.#rows[at]!) ?? 1;
      }
    }
    const bound = boundOf(weights, count);
    const heavier: { row: number; weight: number }[] = [];
    const equal: number[] = [];
    for (let at = 0; at < this.#rows.length; at++) {
      const weight = weights[at]!;
      if (weight > bound) heavier.push({ row: this.#rows[at]!, weight });
      else if (weight === bound && equal.length < count) equal.push(this.#rows[at]!);
    }
    heavier.sort((one, other) => other.weight - one.weight || one.row - other.row);
    return [...heavier.map(({ row }) => row), ...equal].slice(0, count);
  }
}

/** The weight of the last of the `count` heaviest. */
function boundOf(weights: Float64Array, count: number): number {
  if (weights.length <= count) return Number.NEGATIVE_INFINITY;
  if (count === 0) return Number.POSITIVE_INFINITY;
  return nth(weights.slice(), weights.length - count);
}

/** What would stand at that place were they sorted: by halving, as only that one is asked for. */
function nth(values: Float64Array, place: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1]!;
    let [up, down] = [low, high];
    while (up <= down) {
      while (values[up]! < pivot) up++;
      while (values[down]! > pivot) down--;
      if (up > down) break;
      const swapped = values[up]!;
      values[up++] = values[down]!;
      values[down--] = swapped;
    }
    if (place <= down) high = down;
    else if (place >= up) low = up;
    else return values[place]!;
  }
  return values[place]!;
}
