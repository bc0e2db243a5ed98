import { expect } from "bun:test";
import type { Program } from "./program.ts";
import type { Status } from "./whole-crawl.ts";

const STATUS_MS = 3_000;
const SEARCH_MS = 6_000;
const EVERY_MS = 400;

export interface Look extends Status {
  /** Status of the answer of the search, and which of its signals were away. */
  search: number;
  degraded: string[] | undefined;
}

/** What a visitor meets while a part is down: /status answers always, search never hangs. */
export class WatchedWeb {
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
  }

  /** One look at /status and at the search; fails when either is wrong or late. */
  async look(): Promise<Look> {
    const [status, search] = await Promise.all([
      this.#ask("/status", STATUS_MS),
      this.#ask("/api/search?q=page", SEARCH_MS),
    ]);
    expect(status.status).toBe(200);
    expect([200, 503]).toContain(search.status);
    if (search.status === 503) expect(search.headers.get("retry-after")).toMatch(/^\d+$/);
    const found = (await search.json()) as { degraded?: string[] };
    return {
      ...((await status.json()) as Status),
      search: search.status,
      degraded: found.degraded,
    };
  }

  async watch({ untilMs }: { untilMs: number }): Promise<Look[]> {
    const seen: Look[] = [];
    while (Date.now() < untilMs) {
      seen.push(await this.look());
      await Bun.sleep(EVERY_MS);
    }
    return seen;
  }

  #ask(path: string, withinMs: number): Promise<Response> {
    return fetch(this.#program.url + path, { signal: AbortSignal.timeout(withinMs) });
  }
}
