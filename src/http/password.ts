import { PASSWORD_LENGTH_MAX } from "../credentials.ts";

/** OWASP's argon2id: 19 MiB and two passes, so that a few at once fit a small server. */
const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** Hash as stored with an account. */
export const hashPassword = (password: string): Promise<string> =>
  Bun.password.hash(password, ARGON2ID);

export type PasswordVerdict = "right" | "wrong" | "busy";

export interface PasswordCheck {
  /** `hash` null (no such account) takes as long as a wrong password. */
  verify(password: string, hash: string | null): Promise<PasswordVerdict>;
}

/** At most `concurrency` checks at once and `queueMax` waiting: each costs 19 MiB and a core. */
export function createPasswordCheck({ concurrency = 2, queueMax = 20 } = {}): PasswordCheck {
  let running = 0;
  const waiting: (() => void)[] = [];
  let nobody: Promise<string> | null = null;

  async function enter(): Promise<boolean> {
    if (running < concurrency) {
      running += 1;
      return true;
    }
    if (waiting.length >= queueMax) return false;
    // Whoever leaves hands its place on, so `running` stays as it is.
    await new Promise<void>((go) => waiting.push(go));
    return true;
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return {
    async verify(password, hash) {
      if (password.length > PASSWORD_LENGTH_MAX) return "wrong";
      if (!(await enter())) return "busy";
      try {
        nobody ??= hashPassword(crypto.randomUUID());
        const matches = await Bun.password.verify(password, hash ?? (await nobody));
        return matches && hash !== null ? "right" : "wrong";
      } finally {
        leave();
      }
    },
  };
}
