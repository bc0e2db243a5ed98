import type { Clock } from "../clock.ts";
import { within } from "../deadline.ts";
import { causeFirst, type Log } from "../log.ts";

/** A card as markup, ready to replace the one of the same id. */
export interface LiveCard {
  id: string;
  html: string;
}

export interface Live {
  /** The stream of one reader; null when too many are open already. */
  open(view: string, isStillAllowed: () => Promise<boolean>): ReadableStream<Uint8Array> | null;
  readonly readers: number;
  /** Ends every stream; a server that waits for open answers could not stop otherwise. */
  close(): void;
}

export interface LiveOptions {
  clock: Clock;
  log: Log;
  /** Reads and renders all cards of a view; asked once for all its readers. */
  views: Readonly<Record<string, () => Promise<readonly LiveCard[]>>>;
  everyMs?: number;
  heartbeatMs?: number;
  readersMax?: number;
}

interface Reader {
  controller: ReadableStreamDefaultController<Uint8Array>;
  isStillAllowed(): Promise<boolean>;
  /** Markup sent last, by card: what has not changed is not sent again. */
  seen: Map<string, string>;
  heartbeatAt: number;
}

const VIEW_TIMEOUT_MS = 5_000;
/** However slow a view is, others get a turn. */
const PAUSE_MIN_MS = 50;
/** Frames that may lie unread before a slow reader misses some; it then gets the newest state. */
const UNREAD_MAX = 2;

/** Streams of out-of-band cards: one reading a second and view, however many look at it. */
export const createLive = (options: LiveOptions): Live => new LiveHub(options);

class LiveHub implements Live {
  readonly #options: Required<LiveOptions>;
  /** Readers by view; a view is read while it has any. */
  readonly #groups = new Map<string, Set<Reader>>();

  constructor(options: LiveOptions) {
    this.#options = { everyMs: 1_000, heartbeatMs: 15_000, readersMax: 200, ...options };
  }

  get readers(): number {
    return [...this.#groups.values()].reduce((sum, group) => sum + group.size, 0);
  }

  open(view: string, isStillAllowed: () => Promise<boolean>): ReadableStream<Uint8Array> | null {
    if (this.readers >= this.#options.readersMax) return null;
    let reader: Reader;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          const heartbeatAt = this.#options.clock.now();
          reader = { controller, isStillAllowed, seen: new Map(), heartbeatAt };
          controller.enqueue(HEARTBEAT);
          this.#enter(view, reader);
        },
        cancel: () => this.#leave(view, reader),
      },
      { highWaterMark: UNREAD_MAX },
    );
  }

  close(): void {
    for (const [view, group] of this.#groups) {
      for (const reader of [...group]) this.#end(view, reader);
    }
  }

  #enter(view: string, reader: Reader): void {
    const group = this.#groups.get(view);
    if (group) {
      group.add(reader);
      return;
    }
    const fresh = new Set([reader]);
    this.#groups.set(view, fresh);
    void this.#run(view, fresh);
  }

  #leave(view: string, reader: Reader): void {
    const group = this.#groups.get(view);
    group?.delete(reader);
    if (group?.size === 0) this.#groups.delete(view);
  }

  #end(view: string, reader: Reader): void {
    this.#leave(view, reader);
    try {
      reader.controller.close();
    } catch {
      // The reader left in the meantime.
    }
  }

  /** Runs while the view has readers. */
  async #run(view: string, group: Set<Reader>): Promise<void> {
    const { clock, everyMs } = this.#options;
    while (this.#groups.get(view) === group) {
      const startedAt = clock.now();
      const cards = await this.#read(view);
      for (const reader of group) this.#tell(view, reader, cards);
      await clock.sleep(Math.max(PAUSE_MIN_MS, everyMs - (clock.now() - startedAt)));
    }
  }

  async #read(view: string): Promise<readonly LiveCard[]> {
    const { views, log } = this.#options;
    try {
      return await within(VIEW_TIMEOUT_MS, views[view]!());
    } catch (error) {
      log.warn("live.unread", { view, error: causeFirst(error) });
      return [];
    }
  }

  #tell(view: string, reader: Reader, cards: readonly LiveCard[]): void {
    if ((reader.controller.desiredSize ?? 0) <= 0) return;
    const changed = cards.filter((card) => reader.seen.get(card.id) !== card.html);
    for (const card of changed) reader.seen.set(card.id, card.html);
    if (changed.length > 0) {
      reader.controller.enqueue(frame(changed.map((card) => card.html).join("")));
    }
    const now = this.#options.clock.now();
    if (now - reader.heartbeatAt < this.#options.heartbeatMs) return;
    reader.heartbeatAt = now;
    reader.controller.enqueue(HEARTBEAT);
    reader.isStillAllowed().then(
      (isAllowed) => isAllowed || this.#end(view, reader),
      // The store is down: who was let in may stay.
      () => {},
    );
  }
}

const encoder = new TextEncoder();
/** The comment keeps the connection; the event tells the page, which never sees comments. */
const HEARTBEAT = encoder.encode(": still here\nevent: beat\ndata:\n\n");

/** One unnamed event. Every line end becomes a new data line, so no text can forge a field. */
export function frame(text: string): Uint8Array {
  const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return encoder.encode(`${lines.join("")}\n`);
}
