const UNITS_FIRST = 1 << 15;

/** Units of one text after the other, in the same memory. */
export class UnitScratch {
  #units = new Uint16Array(UNITS_FIRST);
  #bytes = Buffer.from(this.#units.buffer);

  /** All units of a text, and a 0 behind them; good until the next call. */
  of(text: string): Uint16Array {
    if (text.length >= this.#units.length) {
      this.#units = new Uint16Array(text.length * 2);
      this.#bytes = Buffer.from(this.#units.buffer);
    }
    this.#bytes.write(text, "utf16le");
    this.#units[text.length] = 0;
    return this.#units;
  }
}
