import { httpAnswer, type Origin, startOrigin } from "../fetch/origin.ts";
import type { Program } from "./program.ts";
import { until } from "./until.ts";

/** Stands for a public address where loopback is all there is. */
export const OUTSIDE = "127.0.1.1";
export const INSIDE = "127.0.0.1";

/** Servers on every address that must not be asked; they would answer anybody. */
export async function setTraps(port: number): Promise<{
  connections(): number;
  close(): Promise<void>;
}> {
  const traps: Origin[] = [];
  for (const address of [INSIDE, "::1"]) {
    const answer = httpAnswer("200 OK", {}, "secret");
    traps.push(await startOrigin((socket) => socket.end(answer), { address, port }));
  }
  return {
    connections: () => traps.reduce((sum, trap) => sum + trap.connections(), 0),
    close: async () => {
      for (const trap of traps) await trap.close();
    },
  };
}

/** What `explain` tells of a URL, as far as these tests look at it. */
export interface Explained {
  state: string;
  reason: string | null;
  robots: { verdict: string; reason: string | null };
  history: { outcome: string; address: string | null }[];
}

/** Null: it is not known. */
export async function explained(program: Program, url: string): Promise<Explained | null> {
  const told = await program.api<Explained | { error: object }>(
    `/api/urls?url=${encodeURIComponent(url)}`,
  );
  return "error" in told ? null : told;
}

/** Waits until the URL was looked at, and is not to be visited again. */
export async function untilOver(program: Program, url: string): Promise<Explained> {
  return await until(
    async () => {
      const known = await explained(program, url);
      const isOver = known !== null && ["failed", "done"].includes(known.state);
      // The history is written a moment after the row.
      return isOver && known.history.length > 0 ? known : null;
    },
    { timeoutMs: 40_000, everyMs: 100, what: `the end of ${url}` },
  );
}
