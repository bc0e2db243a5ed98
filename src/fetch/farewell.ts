const HEADER_BYTES = 5;
const TYPE_ALERT = 21;
const TYPE_APPLICATION_DATA = 23;
/** An alert of TLS 1.3: level, description, content type, and a tag of 16 bytes. */
const SEALED_ALERT_BYTES = 19;

/**
 * Watches TLS records go by, undecrypted, to tell whether the other side said that it ends
 * (close_notify). The runtime reports a connection that was merely cut in the same way, and a body
 * without length then looks whole.
 */
export class FarewellWatch {
  #header: number[] = [];
  #left = 0;
  #isAlert = false;

  /** The last record was whole, and an alert. */
  get isSaid(): boolean {
    return this.#isAlert && this.#left === 0 && this.#header.length === 0;
  }

  see(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#left > 0) {
        const passed = Math.min(this.#left, bytes.length - at);
        this.#left -= passed;
        at += passed;
        continue;
      }
      this.#header.push(bytes[at] ?? 0);
      at += 1;
      if (this.#header.length < HEADER_BYTES) continue;
      const [type, , , high = 0, low = 0] = this.#header;
      this.#header = [];
      this.#left = high * 256 + low;
      const isSealed = type === TYPE_APPLICATION_DATA && this.#left === SEALED_ALERT_BYTES;
      this.#isAlert = type === TYPE_ALERT || isSealed;
    }
  }
}
