/** So many at once, the others in a line; who waits too long gets none. */
export class Places {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** A place, left by calling what is given; null: none within `waitMs`. */
  async enter(waitMs: number, signal: AbortSignal): Promise<(() => void) | null> {
    if (signal.aborted) return null;
    if (this.#free > 0) this.#free--;
    else if (!(await this.#waited(waitMs, signal))) return null;
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      const next = this.#line.shift();
      if (next) next();
      else this.#free++;
    };
  }

  #waited(waitMs: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((done) => {
      const end = (isIn: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
        const at = this.#line.indexOf(enter);
        if (at >= 0) this.#line.splice(at, 1);
        done(isIn);
      };
      const enter = () => end(true);
      const leave = () => end(false);
      const timer = setTimeout(leave, waitMs);
      signal.addEventListener("abort", leave, { once: true });
      this.#line.push(enter);
    });
  }
}
