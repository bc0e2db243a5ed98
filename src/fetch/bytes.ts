const FIRST_CAPACITY = 16_384;

/** A growing run of bytes: one copy in, and at most one out. */
export class ByteSink {
  length = 0;
  #bytes: Uint8Array<ArrayBuffer>;

  /** @param capacity bytes to make room for at once, when their number is known */
  constructor(capacity: number) {
    this.#bytes = room(capacity);
  }

  append(bytes: Uint8Array): void {
    const end = this.length + bytes.length;
    if (end > this.#bytes.length) this.#grow(end);
    this.#bytes.set(bytes, this.length);
    this.length = end;
  }

  /** The bytes so far, lent until the next call. */
  view(): Buffer {
    return Buffer.from(this.#bytes.buffer, 0, this.length);
  }

  /** The bytes in a buffer of just their size, given away; the sink is empty afterwards. */
  take(): Uint8Array<ArrayBuffer> {
    const whole = this.#bytes;
    const taken = whole.length === this.length ? whole : whole.slice(0, this.length);
    this.#bytes = new Uint8Array(0);
    this.length = 0;
    return taken;
  }

  #grow(needed: number): void {
    const grown = room(Math.max(needed, this.#bytes.length * 2, FIRST_CAPACITY));
    grown.set(this.#bytes.subarray(0, this.length));
    this.#bytes = grown;
  }
}

/** Not cleared: only what was written is ever shown. */
const room = (capacity: number) => new Uint8Array(Buffer.allocUnsafeSlow(capacity).buffer);
