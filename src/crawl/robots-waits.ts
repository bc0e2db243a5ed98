import type { TurnEnd } from "../actors/host.ts";
import type { Db } from "../db/connect.ts";
import { answeredRobots, originsOf } from "../db/robots.ts";
import type { CanonicalUrl } from "../url/canonical.ts";
import { type Authority, authority } from "../url/host.ts";
import type { RobotsVerdict } from "../visit/robots.ts";

type Waiting = Extract<RobotsVerdict, { kind: "waiting" }>;

/**
 * The authorities of a host that a turn met and that keep their robots.txt from us. They put off
 * their own URLs; the host goes on with its others, and fails only when there are none.
 */
export class RobotsWaits {
  readonly #waiting = new Map<Authority, Waiting>();
  readonly #db: Db;
  readonly #hostId: number;

  constructor(db: Db, hostId: number) {
    this.#db = db;
    this.#hostId = hostId;
  }

  get any(): boolean {
    return this.#waiting.size > 0;
  }

  add(where: Authority, verdict: Waiting): void {
    const asked = verdict.asked || this.#waiting.get(where)?.asked === true;
    this.#waiting.set(where, { ...verdict, asked });
  }

  /** The end of a turn that met nothing else; null when it met none of them either. */
  async end(): Promise<TurnEnd | null> {
    if (!this.any) return null;
    const waits = [...this.#waiting.values()].sort((a, b) => a.retryAt - b.retryAt);
    const { why, retryAt } = waits[0]!;
    const asked = waits.some((each) => each.asked);
    const counts = asked && !(await this.#anotherAnswered());
    return { kind: "waiting for robots", why, retryAt, counts };
  }

  async #anotherAnswered(): Promise<boolean> {
    const known = (await originsOf(this.#db, this.#hostId))
      .map((origin) => authority(`${origin}/` as CanonicalUrl))
      .filter((each) => !this.#waiting.has(each));
    return await answeredRobots(this.#db, known);
  }
}
