type Numbers = Int32Array | Uint16Array | Uint8Array;

/** The array, or one of at least twice its length with its numbers when it has no such place. */
export function withPlace<A extends Numbers>(array: A, place: number): A {
  if (place < array.length) return array;
  const larger = new (array.constructor as new (length: number) => A)(
    Math.max(array.length * 2, place + 1),
  );
  larger.set(array);
  return larger;
}
