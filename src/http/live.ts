import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { within } from "./deadline.ts";

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
/** Frames that may lie unread before a slow reader misses some; it then gets the newest state. */
const UNREAD_MAX = 2;

/** Streams of out-of-band cards: one reading a second and view, however many look at it. */
export function createLive(options: LiveOptions): Live {
  const { clock, log, views, everyMs = 1_000, heartbeatMs = 15_000, readersMax = 200 } = options;
  const readers = new Map<string, Set<Reader>>();
  const count = () => [...readers.values()].reduce((sum, each) => sum + each.size, 0);

  function leave(view: string, reader: Reader): void {
    const group = readers.get(view);
    group?.delete(reader);
    if (group?.size === 0) readers.delete(view);
  }

  function end(view: string, reader: Reader): void {
    leave(view, reader);
    try {
      reader.controller.close();
    } catch {
      // The reader left in the meantime.
    }
  }

  /** Runs while the view has readers. */
  async function run(view: string, group: Set<Reader>): Promise<void> {
    while (readers.get(view) === group && group.size > 0) {
      const startedAt = clock.now();
      const cards = await readCards(view);
      for (const reader of group) tell(view, reader, cards);
      await clock.sleep(Math.max(50, everyMs - (clock.now() - startedAt)));
    }
  }

  async function readCards(view: string): Promise<readonly LiveCard[]> {
    try {
      return await within(VIEW_TIMEOUT_MS, views[view]!());
    } catch (error) {
      log.warn("live.unread", { view, error: String(error) });
      return [];
    }
  }

  function tell(view: string, reader: Reader, cards: readonly LiveCard[]): void {
    if ((reader.controller.desiredSize ?? 0) <= 0) return;
    const changed = cards.filter((card) => reader.seen.get(card.id) !== card.html);
    for (const card of changed) reader.seen.set(card.id, card.html);
    if (changed.length > 0) {
      reader.controller.enqueue(frame(changed.map((card) => card.html).join("")));
    }
    if (clock.now() - reader.heartbeatAt < heartbeatMs) return;
    reader.heartbeatAt = clock.now();
    reader.controller.enqueue(HEARTBEAT);
    reader.isStillAllowed().then(
      (isAllowed) => isAllowed || end(view, reader),
      // The store is down: who was let in may stay.
      () => {},
    );
  }

  return {
    open(view, isStillAllowed) {
      if (count() >= readersMax) return null;
      let reader: Reader;
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            reader = { controller, isStillAllowed, seen: new Map(), heartbeatAt: clock.now() };
            controller.enqueue(HEARTBEAT);
            const group = readers.get(view);
            if (group) {
              group.add(reader);
            } else {
              const fresh = new Set([reader]);
              readers.set(view, fresh);
              void run(view, fresh);
            }
          },
          cancel: () => leave(view, reader),
        },
        { highWaterMark: UNREAD_MAX },
      );
    },
    get readers() {
      return count();
    },
    close() {
      for (const [view, group] of readers) for (const reader of [...group]) end(view, reader);
    },
  };
}

const encoder = new TextEncoder();
const HEARTBEAT = encoder.encode(": still here\n\n");

/** One unnamed event. Every line end becomes a new data line, so no text can forge a field. */
export function frame(text: string): Uint8Array {
  const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return encoder.encode(`${lines.join("")}\n`);
}
