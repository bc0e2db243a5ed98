const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const FCS_BYTES = [0, 2, 4, 8] as const;
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;

type Place = "magic" | "skippable size" | "descriptor" | "block" | "behind";

/**
 * Walks the frames of a zstd stream (RFC 8878) without decoding them, only to know whether the
 * stream is whole: the decoder ends a cut one without a word.
 */
export class ZstdFrames {
  #place: Place = "magic";
  /** Bytes to pass over before the next field. */
  #skip = 0;
  #field: number[] = [];
  #hasChecksum = false;
  #frames = 0;

  /** At least one frame, and none that is open. What is no frame behind it is let be. */
  get isWhole(): boolean {
    if (this.#place === "behind") return true;
    return this.#frames > 0 && this.#place === "magic" && this.#skip === 0;
  }

  feed(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && this.#place !== "behind") {
      if (this.#skip > 0) {
        const passed = Math.min(this.#skip, bytes.length - at);
        this.#skip -= passed;
        at += passed;
      } else {
        this.#field.push(bytes[at] ?? 0);
        at += 1;
        if (this.#field.length === this.#fieldLength()) this.#take();
      }
    }
  }

  #fieldLength(): number {
    if (this.#place === "descriptor") return 1;
    return this.#place === "block" ? 3 : 4;
  }

  #take(): void {
    const value = this.#field.reduceRight((sum, byte) => sum * 256 + byte, 0);
    this.#field = [];
    switch (this.#place) {
      case "magic":
        this.#takeMagic(value);
        return;
      case "skippable size":
        this.#skip = value;
        this.#endFrame();
        return;
      case "descriptor":
        this.#takeDescriptor(value);
        return;
      case "block":
        this.#takeBlock(value);
        return;
      case "behind":
        return;
    }
  }

  #takeMagic(value: number): void {
    if (value === FRAME_MAGIC) this.#place = "descriptor";
    else if (value - (value % 16) === SKIPPABLE_MAGIC) this.#place = "skippable size";
    else if (this.#frames > 0) this.#place = "behind";
  }

  #takeDescriptor(value: number): void {
    const isSingle = (value & 0x20) !== 0;
    const sizeFlag = value >> 6;
    const size = sizeFlag === 0 && isSingle ? 1 : (FCS_BYTES[sizeFlag] ?? 0);
    this.#hasChecksum = (value & 4) !== 0;
    this.#skip = (isSingle ? 0 : 1) + (DICTIONARY_BYTES[value & 3] ?? 0) + size;
    this.#place = "block";
  }

  #takeBlock(value: number): void {
    const isRunLength = ((value >> 1) & 3) === 1;
    this.#skip = isRunLength ? 1 : value >> 3;
    if ((value & 1) === 0) return;
    if (this.#hasChecksum) this.#skip += 4;
    this.#endFrame();
  }

  #endFrame(): void {
    this.#frames += 1;
    this.#place = "magic";
  }
}
