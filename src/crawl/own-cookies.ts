import type { Redirected } from "../fetch/outcome.ts";
import { redirectTarget } from "./visit-event.ts";

const URLS_MAX = 1_000;
/** On top of the gap: turns of others may come between. */
const KEPT_MS = 3_600_000;

/**
 * Pages that redirect to themselves to set a cookie are asked once more, with it. Cookies live here
 * between these two requests, in memory, and go to the URL that set them and nowhere else.
 */
export class OwnCookies {
  readonly #kept = new Map<number, { cookies: string; until: number }>();

  /** What the URL set at its last answer; null: nothing. */
  of(urlId: number, now: number): string | null {
    const kept = this.#kept.get(urlId);
    return kept && kept.until > now ? kept.cookies : null;
  }

  forget(urlId: number): void {
    this.#kept.delete(urlId);
  }

  /** Is it worth asking again? */
  keep(
    url: { id: number; url: string },
    answer: Redirected,
    { now, gapMs }: { now: number; gapMs: number },
  ): boolean {
    if (answer.cookies === null || redirectTarget(answer, url.url) !== url.url) return false;
    if (this.#kept.size >= URLS_MAX) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(url.id, { cookies: answer.cookies, until: now + gapMs + KEPT_MS });
    return true;
  }
}
