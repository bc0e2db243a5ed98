import type { ExitCode } from "./command.ts";
import { printable } from "./printable.ts";

/** Names of the exit codes under `--json`. */
const CODES: Record<ExitCode, string> = {
  0: "done",
  1: "failed",
  2: "usage",
  3: "carrier_lost",
  130: "interrupted",
};

type Stream = NodeJS.WriteStream & { fd: 1 | 2 };

/**
 * What one command writes: its result on stdout, what went wrong on stderr. Under `json` stdout
 * gets exactly one value: the result, else `{ "error": { "code", "message" } }`.
 */
export class Output {
  readonly json: boolean;
  #hasAnswered = false;
  readonly #complaints: string[] = [];
  #written: Promise<unknown> = Promise.resolve();
  #isLost = false;

  constructor({ json }: { json: boolean }) {
    this.json = json;
    for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  }

  say(text: string): void {
    if (!this.json) this.#write(process.stdout, printable(text));
  }

  answer(value: unknown, text: string): void {
    this.#hasAnswered = true;
    // Control characters in JSON stand within its strings, where an escape is the same character.
    const shown = this.json ? JSON.stringify(value) : text;
    this.#write(process.stdout, printable(shown));
  }

  complain(text: string): void {
    this.#complaints.push(text);
    this.#write(process.stderr, printable(text));
  }

  /** On stderr, but nothing went wrong. */
  note(text: string): void {
    this.#write(process.stderr, printable(text));
  }

  /** When it resolves all is written, and the process may end: what it cut off would be lost. */
  async close(code: ExitCode): Promise<ExitCode> {
    if (this.json && !this.#hasAnswered) {
      const message = this.#complaints.join("\n") || CODES[code];
      this.answer({ error: { code: CODES[code], message } }, "");
    }
    await this.#written;
    return this.#isLost && code === 0 ? 1 : code;
  }

  #write(stream: Stream | NodeJS.WriteStream, text: string): void {
    const written = new Promise<void>((done) => {
      stream.write(`${text}\n`, (error) => {
        // A reader that has seen enough, as `head` does, loses nothing.
        if (error && (error as NodeJS.ErrnoException).code !== "EPIPE") this.#isLost = true;
        done();
      });
    });
    this.#written = this.#written.then(() => written);
  }
}
